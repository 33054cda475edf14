package dev.jdyno.observe.heap;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// An object that lives still, who holds it, and where it was made.
///
/// @param type its class, as a class histogram names it
/// @param links from what refers to the object itself up to a root
/// @param madeAt the innermost frame of the application's when it was allocated, or of the JDK's
///   when there was none; empty when nobody knows
record HeldObject(String type, List<Link> links, String madeAt) {
    /// Slots of an array, or objects passed over in a chain, from which many are kept there and not
    /// what one request holds.
    static final int MANY = 256;

    private static final Set<String> OF_COLLECTIONS =
            Set.of("table", "elementData", "elements", "items", "queue", "head", "first", "root");

    HeldObject {
        links = List.copyOf(links);
    }

    /// One reference of the path to the root.
    ///
    /// @param owner class of the object, or class itself, that refers
    /// @param field by which it does; empty for a slot of an array
    /// @param many slots of the array, or objects that the path left out; else 0
    record Link(String owner, String field, int many) {
        /// A field of the application's own; a class of its that extends a collection has the
        /// collection's.
        private boolean isOfTheApplication() {
            return !field.isEmpty() && !LiveObjects.isOfTheJdk(owner) && !isOfACollection();
        }

        private boolean isOfACollection() {
            return OF_COLLECTIONS.contains(field);
        }

        private boolean isABareCollection() {
            return isOfACollection() && LiveObjects.isOfTheJdk(owner);
        }

        /// What the field is called; a collection of the JDK's that no field leads to is on a
        /// thread's stack, for the shortest path to a root is the one that the JVM finds.
        private String named() {
            return isABareCollection()
                    ? "a " + owner + " that a thread was at work on"
                    : owner + "." + field;
        }
    }

    /// What holds most of the objects looked at.
    ///
    /// @param by class and field, such as `com.acme.Carts.open`, or a collection without one
    /// @param kind class of what is in that field, such as `java.util.HashMap`
    /// @param madeAt where most of those that it holds were made; may be empty
    /// @param share of the objects looked at that it holds, 0…1
    /// @param madeShare of those that it holds, what was made there, 0…1
    record Holder(String by, String kind, String madeAt, double share, double madeShare) {
        /// `com.acme.Carts.open, a java.util.HashMap`.
        String text() {
            return kind.isEmpty() ? by : by + ", a " + kind;
        }
    }

    private record Field(String by, String kind) {}

    /// The field in which most of the objects end up that are of the class that grows or hang on
    /// one of it: a cache that is full holds new objects, too. Objects that are not one of many
    /// there are what requests hold for a moment and do not vote; empty when there are no others.
    ///
    /// Where none of that class was sampled (strings' own arrays are small, and few of them are),
    /// any class that grows steadily speaks for it.
    ///
    /// @param growing the class, as a class histogram names it
    /// @param steady all classes that grow as much in each interval
    static Optional<Holder> holder(List<HeldObject> all, String growing, Set<String> steady) {
        return holder(all, Set.of(growing)).or(() -> holder(all, steady));
    }

    private static Optional<Holder> holder(List<HeldObject> all, Set<String> growing) {
        return holder(all.stream().filter(o -> growing.stream().anyMatch(o::isOrHangsOn)).toList());
    }

    /// The field in which most of these objects end up, as above.
    static Optional<Holder> holder(List<HeldObject> objects) {
        Map<Field, Integer> votes = new HashMap<>();
        Map<Field, Map<String, Integer>> places = new HashMap<>();
        for (HeldObject object : objects) {
            object.field()
                    .ifPresent(field -> {
                        votes.merge(field, 1, Integer::sum);
                        places.computeIfAbsent(field, f -> new HashMap<>())
                                .merge(object.madeAt, 1, Integer::sum);
                    });
        }
        return most(votes)
                .map(field -> {
                    Map<String, Integer> made = places.getOrDefault(field, Map.of());
                    String madeAt = most(made).orElse("");
                    double held = votes.getOrDefault(field, 0);
                    return new Holder(
                            field.by(),
                            field.kind(),
                            madeAt,
                            held / objects.size(),
                            made.getOrDefault(madeAt, 0) / held);
                });
    }

    private boolean isOrHangsOn(String name) {
        return type.equals(name) || links.stream().anyMatch(l -> l.owner().equals(name));
    }

    private static <T> Optional<T> most(Map<T, Integer> votes) {
        return votes.entrySet().stream()
                .max(
                        Map.Entry.<T, Integer>comparingByValue()
                                .thenComparing(
                                        e -> e.getKey().toString(), Comparator.reverseOrder()))
                .map(Map.Entry::getKey);
    }

    /// The application's field that the largest crowd on the path hangs on, or the last one known
    /// where the JDK holds it (thread locals).
    private Optional<Field> field() {
        int crowd = -1;
        for (int i = 0; i < links.size(); i++) {
            if (links.get(i).many() >= MANY
                    && (crowd < 0 || links.get(i).many() > links.get(crowd).many())) {
                crowd = i;
            }
        }
        if (crowd < 0) {
            return Optional.empty();
        }
        Optional<Field> last = Optional.empty();
        for (int i = crowd; i < links.size(); i++) {
            Link link = links.get(i);
            if (!link.field().isEmpty()) {
                String kind = i == 0 || link.isABareCollection() ? "" : links.get(i - 1).owner();
                last = Optional.of(new Field(link.named(), kind));
            }
            if (link.isOfTheApplication()) {
                return last;
            }
        }
        return last;
    }
}
