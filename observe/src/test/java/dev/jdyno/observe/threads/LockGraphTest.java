package dev.jdyno.observe.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.ThreadReport;
import dev.jdyno.observe.stacks.ThreadDump;
import java.util.List;
import org.junit.jupiter.api.Test;

class LockGraphTest {
    private static final String HEAD =
            "\"%s\" #26 [26060] prio=5 os_prio=0 cpu=1.31ms tid=0x1 nid=26060 x\n";

    private static String blocked(String name, String wants, String holds) {
        return HEAD.formatted(name)
                + """
                   java.lang.Thread.State: BLOCKED (on object monitor)
                \tat app.Stock.take(Stock.java:7)
                \t- waiting to lock <%s> (a app.Shelf)
                \tat app.Main.run(Main.java:3)
                \t- locked <%s> (a app.Shelf)

                """
                        .formatted(wants, holds);
    }

    private static String parked(String name, String on, String type) {
        return HEAD.formatted(name)
                + """
                   java.lang.Thread.State: WAITING (parking)
                \tat jdk.internal.misc.Unsafe.park(java.base@25/Native Method)
                \t- parking to wait for  <%s> (a %s)
                \tat java.util.concurrent.locks.LockSupport.park(java.base@25/LockSupport.java:369)

                """
                        .formatted(on, type);
    }

    private static String sleeper(String name, String ownedBlock) {
        return HEAD.formatted(name)
                + """
                   java.lang.Thread.State: TIMED_WAITING (sleeping)
                \tat java.lang.Thread.sleep0(java.base@25/Native Method)
                \tat app.Main.hold(Main.java:9)

                """
                + ownedBlock;
    }

    private static LockGraph graph(String... threads) {
        return new LockGraph(ThreadDump.parse(String.join("", threads)).threads());
    }

    @Test
    void threadsThatWaitForEachOtherAreOneDeadlock() {
        LockGraph graph =
                graph(
                        blocked("a", "0x10", "0x20"),
                        blocked("b", "0x20", "0x30"),
                        blocked("c", "0x30", "0x10"),
                        blocked("outside", "0x10", "0x40"));

        assertThat(graph.deadlocks())
                .singleElement()
                .satisfies(d -> {
                    assertThat(d.threads()).containsExactly("a", "c", "b");
                    assertThat(d.says())
                            .contains(
                                    "\"a\" waits for app.Shelf@10, which \"c\" holds, in"
                                            + " app.Stock.take < app.Main.run");
                });
        // a thread that waits for a thread of the circle never continues
        assertThat(graph.behindDeadlocks()).isEqualTo(4);
    }

    @Test
    void aChainOfWaitsIsNoDeadlock() {
        LockGraph graph =
                graph(blocked("a", "0x10", "0x20"), blocked("b", "0x20", "0x30"), sleeper("c", ""));

        assertThat(graph.deadlocks()).isEmpty();
        ThreadReport.Queue behindA =
                graph.queues().stream()
                        .filter(q -> q.waiters().equals(List.of("b")))
                        .findFirst()
                        .orElseThrow();
        assertThat(behindA.holder().orElseThrow().name()).isEqualTo("a");
        assertThat(behindA.holder().orElseThrow().waitsFor()).contains("app.Shelf@10");
        assertThat(graph.behindDeadlocks()).isZero();
    }

    @Test
    void ordersByQueueLengthWithoutIdleWorkers() {
        String sync = "java.util.concurrent.locks.ReentrantLock$NonfairSync";
        String condition = "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject";
        LockGraph graph =
                graph(
                        blocked("a", "0x10", "0x20"),
                        parked("p1", "0x50", sync),
                        parked("p2", "0x50", sync),
                        parked("idle-1", "0x60", condition),
                        parked("idle-2", "0x60", condition),
                        parked("idle-3", "0x60", condition));

        assertThat(graph.queues()).extracting(q -> q.waiters().size()).containsExactly(2, 1);
        assertThat(graph.queues().getFirst().lock()).isEqualTo(sync + "@50");
        assertThat(graph.queues().getFirst().holder()).isEmpty();
    }

    @Test
    void readsOwnerOfSynchronizerAfterStack() {
        String sync = "java.util.concurrent.locks.ReentrantLock$NonfairSync";
        LockGraph graph =
                graph(
                        sleeper(
                                "owner",
                                "   Locked ownable synchronizers:\n\t- <0x50> (a "
                                        + sync
                                        + ")\n\n"),
                        parked("waiter", "0x50", sync),
                        "   Locked ownable synchronizers:\n\t- None\n\n");

        ThreadReport.Holder holder = graph.queues().getFirst().holder().orElseThrow();
        assertThat(holder.name()).isEqualTo("owner");
        assertThat(holder.stack()).containsExactly("java.lang.Thread.sleep0", "app.Main.hold");
    }
}
