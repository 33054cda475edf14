package dev.jdyno.observe.heap;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A live object, its holder, and where it was allocated.
///
/// @param type class of the object, named as in a class histogram
/// @param links references from the object's direct referrer up to a root
/// @param madeAt the innermost frame of the application when it was allocated, or of the JDK if
///   there was none; empty when it is unknown
record HeldObject(String type, List<Link> links, String madeAt) {
    /// Minimum number of slots of an array, or of skipped objects in a chain. Smaller groups may
    /// belong to a single request, so they do not count as retained.
    static final int MANY = 256;

    private static final Set<String> OF_COLLECTIONS =
            Set.of("table", "elementData", "elements", "items", "queue", "head", "first", "root");

    HeldObject {
        links = List.copyOf(links);
    }

    /// One reference of the path to the root.
    ///
    /// @param owner class of the referring object, or the referring class itself
    /// @param field name of the referring field; empty for a slot of an array
    /// @param many slots of the array, or number of objects that the path left out; else 0
    record Link(String owner, String field, int many) {
        /// True for a field that the application declares. Fields of collections are excluded,
        /// because an application class that extends a collection has them as well.
        private boolean isOfTheApplication() {
            return !field.isEmpty() && !LiveObjects.isOfTheJdk(owner) && !isOfACollection();
        }

        private boolean isOfACollection() {
            return OF_COLLECTIONS.contains(field);
        }

        private boolean isABareCollection() {
            return isOfACollection() && LiveObjects.isOfTheJdk(owner);
        }

        /// The name of the field. A JDK collection without a referring field is on a thread's
        /// stack, because the JVM finds the shortest path to a root.
        private String named() {
            return isABareCollection()
                    ? "a " + owner + " that a thread was at work on"
                    : owner + "." + field;
        }
    }

    /// The holder of most of the examined objects.
    ///
    /// @param by class and field, such as `com.acme.Carts.open`, or a collection without one
    /// @param kind class of the object in that field, such as `java.util.HashMap`
    /// @param madeAt place that allocated most of the held objects; may be empty
    /// @param share share of the examined objects that it holds, 0…1
    /// @param madeShare share of the held objects that were allocated there, 0…1
    record Holder(String by, String kind, String madeAt, double share, double madeShare) {
        /// The holder in words: `com.acme.Carts.open, a java.util.HashMap`.
        String text() {
            return kind.isEmpty() ? by : by + ", a " + kind;
        }
    }

    private record Field(String by, String kind) {}

    /// The field that holds most of the sampled objects of the growing class, and of the objects
    /// that these hold. Other objects are left out, because a full cache holds new objects as well.
    /// An object outside any large group belongs to a single request and is not counted. Empty if
    /// no object remains.
    ///
    /// Few arrays of strings, for example, are sampled, because they are small. If no object of
    /// that class was sampled, all classes that grow steadily are used instead.
    ///
    /// @param growing the class, named as in a class histogram
    /// @param steady all classes that grow at the same rate in each interval
    static Optional<Holder> holder(List<HeldObject> all, String growing, Set<String> steady) {
        return holder(all, Set.of(growing)).or(() -> holder(all, steady));
    }

    private static Optional<Holder> holder(List<HeldObject> all, Set<String> growing) {
        return holder(all.stream().filter(o -> growing.stream().anyMatch(o::isOrHangsOn)).toList());
    }

    /// The field that holds most of these objects; empty if they belong to no large group.
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

    /// The application's field that holds the largest group on the path. If only the JDK holds the
    /// group (thread locals), it is the last known field of the path. Empty if the path has no such
    /// group.
    private Optional<Field> field() {
        int largestGroup = -1;
        for (int i = 0; i < links.size(); i++) {
            if (links.get(i).many() >= MANY
                    && (largestGroup < 0 || links.get(i).many() > links.get(largestGroup).many())) {
                largestGroup = i;
            }
        }
        if (largestGroup < 0) {
            return Optional.empty();
        }
        Optional<Field> last = Optional.empty();
        for (int i = largestGroup; i < links.size(); i++) {
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
