package dev.jdyno.observe.stacks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.ThreadReport;
import dev.jdyno.observe.stacks.ThreadDump.JavaThread;
import dev.jdyno.observe.stacks.ThreadDump.State;
import dev.jdyno.observe.threads.LockGraph;
import dev.jdyno.observe.threads.VirtualThreads;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThreadDumpTest {
    /// From JDK 25.0.3: a thread that carries a virtual thread has no state, and its kernel id is
    /// in brackets only.
    @Test
    void readsOnlyOwnStackOfCarrier() {
        ThreadDump dump =
                ThreadDump.parse(
                        """
                        "ForkJoinPool-1-worker-1" #23 [25156] daemon prio=5 os_prio=0 cpu=2348.18ms elapsed=3.30s tid=0x00007f71940e8f30  [0x00007f7165cfd000]
                           Carrying virtual thread #26
                        \tat jdk.internal.vm.Continuation.run(java.base@25.0.3/Continuation.java:254)
                        \tat java.lang.VirtualThread.runContinuation(java.base@25.0.3/VirtualThread.java:297)
                        \tat java.util.concurrent.ForkJoinPool.runWorker(java.base@25.0.3/ForkJoinPool.java:2019)
                           Mounted virtual thread #26
                        \tat com.acme.Page.get(Page.java:12)
                        \t- locked <0x000000068e0b1c40> (a java.lang.Object)

                        "Attach Listener" #29 [25202] daemon prio=9 os_prio=0 cpu=0.55ms elapsed=0.11s tid=0x00007f71480018f0 nid=25202 waiting on condition  [0x0000000000000000]
                           java.lang.Thread.State: RUNNABLE

                        """);

        assertThat(dump.threads()).extracting(JavaThread::tid).containsExactly(25156L, 25202L);
        JavaThread carrier = dump.threads().getFirst();
        assertThat(carrier.state()).isEqualTo(State.RUNNABLE);
        assertThat(carrier.frames())
                .startsWith("jdk.internal.vm.Continuation.run")
                .doesNotContain("com.acme.Page.get");
        assertThat(VirtualThreads.isCarrier(carrier)).isTrue();
        assertThat(new StackClassifier(Frames.builtIn()).classify(carrier).doing()).isEmpty();
    }

    /// JDK 21 starts its thread for timed waits of virtual threads only at the first such wait.
    @Test
    void detectsVirtualThreadsFromTheirCarrier() {
        ThreadDump carrying =
                ThreadDump.parse(
                        """
                        "ForkJoinPool-1-worker-1" #19 [9879] daemon prio=5 os_prio=0 cpu=1091.28ms elapsed=2.67s tid=0x00007f1114236470  [0x00007f10eb3fa000]
                           Carrying virtual thread #35
                        \tat jdk.internal.vm.Continuation.run(java.base@21.0.8/Unknown Source)
                        \tat java.lang.VirtualThread.runContinuation(java.base@21.0.8/Unknown Source)
                        \tat java.util.concurrent.ForkJoinPool.runWorker(java.base@21.0.8/Unknown Source)

                        """);
        ThreadDump ownPool =
                ThreadDump.parse(
                        """
                        "ForkJoinPool-1-worker-1" #19 [9879] daemon prio=5 os_prio=0 cpu=1091.28ms elapsed=2.67s tid=0x00007f1114236470 nid=9879 runnable  [0x00007f10eb3fa000]
                           java.lang.Thread.State: RUNNABLE
                        \tat com.acme.Page.get(Page.java:12)
                        \tat java.util.concurrent.ForkJoinPool.runWorker(java.base@21.0.8/Unknown Source)

                        """);

        assertThat(VirtualThreads.runIn(carrying)).isTrue();
        assertThat(VirtualThreads.runIn(ownPool)).isFalse();
    }

    @Test
    void distinguishesJavaFrameFromNativeFrame() {
        ThreadDump dump =
                ThreadDump.parse(
                        """
                        "worker-1-2" #26 [26032] prio=5 os_prio=0 cpu=27.58ms elapsed=7.30s tid=0x00007efe54029130 nid=26032 runnable  [0x00007efe8cbfc000]
                           java.lang.Thread.State: RUNNABLE
                        	at com.acme.Studio.thumb(Studio.java:23)
                        	at java.util.concurrent.ThreadPoolExecutor.runWorker(java.base@25.0.3/ThreadPoolExecutor.java:1090)

                        "worker-1-3" #27 [26033] prio=5 os_prio=0 cpu=20.61ms elapsed=7.30s tid=0x00007efe5402a2f0 nid=26033 runnable  [0x00007efe8cafc000]
                           java.lang.Thread.State: RUNNABLE
                        	at com.acme.Codec.encode(Native Method)
                        	at java.util.concurrent.ThreadPoolExecutor.runWorker(java.base@25.0.3/ThreadPoolExecutor.java:1090)

                        """);

        assertThat(dump.threads())
                .extracting(ThreadDump.JavaThread::inJava)
                .containsExactly(true, false);
    }

    private static String parked(int n, String on) {
        return """
        "worker" #2%d [260%d] prio=5 os_prio=0 cpu=1.31ms elapsed=3.22s tid=0x1 nid=260%d waiting on condition  [0x1]
           java.lang.Thread.State: WAITING (parking)
        \tat jdk.internal.misc.Unsafe.park(java.base@25.0.3/Native Method)
        \t- parking to wait for  <%s> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)
        \tat java.util.concurrent.locks.ReentrantLock.lock(java.base@25.0.3/ReentrantLock.java:322)

        """
                .formatted(n, n, n, on);
    }

    /// The deadlock section of a HotSpot dump. Both threads have the same name.
    @Test
    void ownersOfDeadlockHoldTheirLocks() {
        ThreadDump dump =
                ThreadDump.parse(
                        parked(1, "0x000000068e0b1c40")
                                + parked(2, "0x000000068e0b2a58")
                                + parked(3, "0x000000068e0b2a58")
                                + """
                                Found one Java-level deadlock:
                                =============================
                                "worker":
                                  waiting for ownable synchronizer 0x000000068e0b1c40, (a java.util.concurrent.locks.ReentrantLock$NonfairSync),
                                  which is held by "worker"

                                "worker":
                                  waiting to lock monitor 0x00007f8c38002f30 (object 0x000000068e0b2a58, a java.lang.Object),
                                  which is held by "worker"

                                Java stack information for the threads listed above:
                                ===================================================
                                "worker":
                                \tat jdk.internal.misc.Unsafe.park(java.base@25.0.3/Native Method)

                                Found 1 deadlock.

                                """);

        assertThat(dump.threads()).hasSize(3);
        assertThat(dump.threads().get(0).locked()).containsExactly("0x000000068e0b2a58");
        assertThat(dump.threads().get(1).locked()).containsExactly("0x000000068e0b1c40");
        assertThat(new LockGraph(dump.threads()).deadlocks())
                .extracting(ThreadReport.Deadlock::threads)
                .containsExactly(List.of("worker", "worker"));
    }
}
