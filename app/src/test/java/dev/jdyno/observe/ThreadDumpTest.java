package dev.jdyno.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.observe.ThreadDump.JavaThread;
import dev.jdyno.observe.ThreadDump.State;
import org.junit.jupiter.api.Test;

class ThreadDumpTest {
    /// As JDK 25.0.3 prints them: a thread that carries another has no state, and its kernel id
    /// stands in brackets only.
    @Test
    void aThreadThatCarriesAVirtualOneIsReadWithItsOwnStackAlone() {
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

    /// JDK 21 has no thread for their waits before the first wait that has an end.
    @Test
    void aCarrierAloneTellsThatVirtualThreadsRun() {
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
    void aTopFrameOfJavaIsToldFromANativeMethod() {
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
}
