package dev.jdyno.observe.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.observe.heap.HeldObject.Holder;
import dev.jdyno.observe.heap.HeldObject.Link;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HeldObjectTest {
    private static final Set<String> NONE_STEADY = Set.of();
    private static final Link BIG_TABLE =
            new Link("[Ljava.util.concurrent.ConcurrentHashMap$Node;", "", 524_288);
    private static final Link MAP = new Link("java.util.concurrent.ConcurrentHashMap", "table", 0);
    private static final Link TRAIL = new Link("com.acme.Birds", "TRAIL", 0);
    private static final Link LAUNCHER = new Link("sun.launcher.LauncherHelper", "appClass", 0);

    private static HeldObject inTheTrail(String madeAt) {
        return new HeldObject(
                "[B",
                List.of(
                        new Link("com.acme.Birds$Seen", "note", 0),
                        new Link("java.util.concurrent.ConcurrentHashMap$Node", "val", 0),
                        BIG_TABLE,
                        MAP,
                        TRAIL,
                        LAUNCHER),
                madeAt);
    }

    /// An object that a request holds for a moment: its path has no group of equal objects.
    private static HeldObject ofARequest() {
        return new HeldObject(
                "[B",
                List.of(new Link("[B", "", 16), new Link("com.acme.Page", "rows", 0)),
                "render");
    }

    @Test
    void holderIsApplicationFieldAboveLargestGroup() {
        assertThat(
                        HeldObject.holder(
                                List.of(inTheTrail("com.acme.Birds.watch, line 13")),
                                "[B",
                                NONE_STEADY))
                .contains(
                        new Holder(
                                "com.acme.Birds.TRAIL",
                                "java.util.concurrent.ConcurrentHashMap",
                                "com.acme.Birds.watch, line 13",
                                1,
                                1));
    }

    @Test
    void objectsHeldByRequestsCountButDoNotVote() {
        var objects =
                List.of(
                        ofARequest(),
                        inTheTrail("a"),
                        ofARequest(),
                        inTheTrail("b"),
                        inTheTrail("b"));

        Holder holder = HeldObject.holder(objects, "[B", NONE_STEADY).orElseThrow();

        assertThat(holder.by()).isEqualTo("com.acme.Birds.TRAIL");
        assertThat(holder.share()).isEqualTo(0.6, within(1e-9));
        assertThat(holder.madeAt()).isEqualTo("b");
        assertThat(holder.madeShare()).isEqualTo(2 / 3.0, within(1e-9));
    }

    @Test
    void objectWithoutGroupHasNoHolder() {
        assertThat(HeldObject.holder(List.of(), "[B", NONE_STEADY)).isEmpty();
        assertThat(HeldObject.holder(List.of(ofARequest()), "[B", NONE_STEADY)).isEmpty();
        assertThat(
                        HeldObject.holder(
                                List.of(new HeldObject("[B", List.of(), "")), "[B", NONE_STEADY))
                .isEmpty();
    }

    @Test
    void collectionWithoutFieldBelongsToAThread() {
        var onTheStack =
                new HeldObject(
                        "[B",
                        List.of(
                                new Link("[Ljava.lang.Object;", "", 300),
                                new Link("java.util.ArrayList", "elementData", 0)),
                        "com.acme.Boxes.put, line 3");

        Holder holder = HeldObject.holder(List.of(onTheStack), "[B", NONE_STEADY).orElseThrow();

        assertThat(holder.by()).isEqualTo("a java.util.ArrayList that a thread was at work on");
        assertThat(holder.kind()).isEmpty();
        assertThat(holder.madeAt()).isEqualTo("com.acme.Boxes.put, line 3");
    }

    /// A field of the application may have the name of a collection's field.
    @Test
    void namesApplicationFieldThatIsTheOnlyPath() {
        var kept =
                new HeldObject(
                        "[B",
                        List.of(
                                new Link("[Ljava.lang.Object;", "", 300),
                                new Link("java.util.ArrayList", "elementData", 0),
                                new Link("com.acme.Outbox", "queue", 0)),
                        "com.acme.Outbox.put, line 3");

        Holder holder = HeldObject.holder(List.of(kept), "[B", NONE_STEADY).orElseThrow();

        assertThat(holder.by()).isEqualTo("com.acme.Outbox.queue");
        assertThat(holder.kind()).isEqualTo("java.util.ArrayList");
    }

    @Test
    void threadLocalsAreHeldByTheJdk() {
        var object =
                new HeldObject(
                        "[B",
                        List.of(
                                new Link("[Ljava.lang.ThreadLocal$ThreadLocalMap$Entry;", "", 4096),
                                new Link("java.lang.ThreadLocal$ThreadLocalMap", "table", 0),
                                new Link("java.lang.Thread", "threadLocals", 0)),
                        "");

        assertThat(HeldObject.holder(List.of(object), "[B", NONE_STEADY).map(Holder::by))
                .contains("java.lang.Thread.threadLocals");
    }

    @Test
    void largestOfSeveralGroupsDecides() {
        var object =
                new HeldObject(
                        "[B",
                        List.of(
                                new Link("[Ljava.lang.Object;", "", 300),
                                new Link("java.util.ArrayList", "elementData", 0),
                                new Link("com.acme.Session", "pages", 0),
                                BIG_TABLE,
                                MAP,
                                TRAIL),
                        "");

        assertThat(HeldObject.holder(List.of(object), "[B", NONE_STEADY).map(Holder::by))
                .contains("com.acme.Birds.TRAIL");
    }

    @Test
    void countsOmittedChainAsGroup() {
        var object =
                new HeldObject(
                        "[B",
                        List.of(
                                new Link("java.util.LinkedList$Node", "next", 1000),
                                new Link("java.util.LinkedList", "first", 0),
                                new Link("com.acme.Outbox", "unsent", 0)),
                        "");

        assertThat(HeldObject.holder(List.of(object), "[B", NONE_STEADY).map(Holder::by))
                .contains("com.acme.Outbox.unsent");
    }

    /// A full cache replaces its objects. The growing objects belong to another field.
    @Test
    void onlyGrowingObjectsVote() {
        var cached =
                new HeldObject(
                        "com.acme.Page",
                        List.of(
                                new Link("java.util.LinkedHashMap$Entry", "value", 0),
                                new Link("[Ljava.util.HashMap$Node;", "", 65_536),
                                new Link("com.acme.Lending$1", "table", 0),
                                new Link("com.acme.Lending", "recent", 0)),
                        "");

        assertThat(
                        HeldObject.holder(
                                        List.of(cached, cached, inTheTrail("a")),
                                        "com.acme.Birds$Seen",
                                        NONE_STEADY)
                                .map(Holder::by))
                .contains("com.acme.Birds.TRAIL");
        assertThat(HeldObject.holder(List.of(cached), "com.acme.Page", NONE_STEADY).map(Holder::by))
                .as("the field of the class that extends a map is the map's")
                .contains("com.acme.Lending.recent");
        assertThat(HeldObject.holder(List.of(cached), "com.acme.Session", NONE_STEADY)).isEmpty();
    }

    /// The string arrays that grew most have no sample. Another class that grows as steadily has
    /// one.
    @Test
    void otherGrowingObjectsVoteIfClassWasNotSampled() {
        var listener =
                new HeldObject(
                        "com.acme.Listener",
                        List.of(
                                new Link("[Ljava.lang.Object;", "", 16_384),
                                new Link("java.util.ArrayList", "elementData", 0),
                                new Link("com.acme.Carts", "listeners", 0)),
                        "");

        assertThat(
                        HeldObject.holder(
                                        List.of(listener, ofARequest()),
                                        "[C",
                                        Set.of("[C", "com.acme.Listener"))
                                .map(Holder::by))
                .contains("com.acme.Carts.listeners");
        assertThat(HeldObject.holder(List.of(listener), "[C", Set.of("[C"))).isEmpty();
    }
}
