package dev.jdyno.observe.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.observe.Measures;
import dev.jdyno.target.ContainerVictim;
import dev.jdyno.target.Target;
import dev.jdyno.target.Victims;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Four of six threads of a pool are busy in real JVMs. The thread samples must find exactly these.
class ThreadSamplerTest {
    @TempDir Path dir;

    static Stream<Arguments> planted() {
        return Victims.jdks().stream()
                .flatMap(jdk ->
                        Stream.of(
                                Arguments.of(
                                        jdk,
                                        "monitor",
                                        Cause.LOCK,
                                        3.0,
                                        "java.lang.Object in Victim."),
                                Arguments.of(
                                        jdk, "lock", Cause.LOCK, 3.0, "ReentrantLock in Victim."),
                                Arguments.of(jdk, "sleep", Cause.SLEEP, 4.0, "Victim.work"),
                                Arguments.of(jdk, "semaphore", Cause.POOL, 4.0, "Semaphore"),
                                Arguments.of(jdk, "read", Cause.DOWNSTREAM, 4.0, "127.0.0.1:PORT"),
                                Arguments.of(
                                        jdk,
                                        "read-with-limit",
                                        Cause.DOWNSTREAM,
                                        4.0,
                                        "127.0.0.1:PORT")));
    }

    @ParameterizedTest
    @MethodSource("dev.jdyno.target.Victims#jdks")
    void readsDeadlockWithItsWaits(Path jdk) throws Exception {
        try (Target target = Victims.launch(jdk, dir, "deadlock", "-Xmx64m");
                ThreadSampler taker = ThreadSampler.of(target, NanoClock.SYSTEM)) {
            Signals signals = taker.take(0, Duration.ofMillis(200), 2).signals();

            assertThat(signals.of(Signals.Sign.DEADLOCKED_THREADS)).contains(2.0);
            // the victim's other two threads wait for the first lock of a deadlocked thread
            assertThat(signals.of(Signals.Sign.BEHIND_DEADLOCK)).contains(4.0);
            assertThat(signals.place(Signals.Sign.DEADLOCKED_THREADS).orElseThrow())
                    .contains("ReentrantLock$NonfairSync@", "\" holds, in Victim.");
        }
    }

    @ParameterizedTest
    @MethodSource("planted")
    void findsPlantedStateAndPlace(Path jdk, String mode, Cause cause, double threads, String where)
            throws Exception {
        try (Target target = Victims.launch(jdk, dir, mode);
                ThreadSampler taker = ThreadSampler.of(target, NanoClock.SYSTEM)) {
            // No thread serves a request here. The planted threads never move.
            ThreadSamples threadSamples = taker.take(0, Duration.ofMillis(200), 10).at(4, 0);

            String place = where.replace("PORT", Integer.toString(Victims.port(dir)));
            assertThat(threadSamples.threads(cause))
                    .as("%s", threadSamples)
                    .isCloseTo(threads, Offset.offset(0.2));
            assertThat(threadSamples.busyThreads()).isCloseTo(4.0, Offset.offset(0.2));
            assertThat(threadSamples.busy())
                    .filteredOn(b -> b.cause() == cause)
                    .allSatisfy(b -> assertThat(b.where()).contains(place));
            assertThat(threadSamples.pools())
                    .filteredOn(p -> p.name().equals("pool-1-thread"))
                    .singleElement()
                    .satisfies(p -> {
                        assertThat(p.size()).isEqualTo(6);
                        assertThat(p.busy()).isCloseTo(4.0, Offset.offset(0.2));
                        assertThat(p.minIdle()).isEqualTo(2);
                    });
            assertThat(threadSamples.longestPauseMs()).isPositive();
        }
    }

    /// `Thread.print` shows no virtual threads. They come from `Thread.dump_to_file`.
    @ParameterizedTest
    @CsvSource({
        "virtual-sleep,SLEEP,4,sleep in Victim.work",
        "virtual-lock,LOCK,3,ReentrantLock in ",
        "virtual-read,DOWNSTREAM,4,127.0.0.1:PORT",
    })
    void virtualThreadsAreCountedWithTheirPlace(
            String mode, Cause cause, double threads, String where) throws Exception {
        try (Target target = Victims.launch(Victims.jdks().get(0), dir, mode);
                ThreadSampler taker = ThreadSampler.of(target, NanoClock.SYSTEM)) {
            ThreadSamples threadSamples = taker.take(0, Duration.ofMillis(200), 10).at(4, 0);

            String place = where.replace("PORT", Integer.toString(Victims.port(dir)));
            assertThat(threadSamples.signals().of(Signals.Sign.VIRTUAL_THREADS)).contains(4.0);
            assertThat(threadSamples.busy())
                    .filteredOn(b -> b.where().contains(place))
                    .singleElement()
                    .satisfies(b -> {
                        assertThat(b.threads()).isCloseTo(threads, Offset.offset(0.2));
                        assertThat(b.cause()).isEqualTo(cause);
                    });
        }
    }

    /// More virtual threads than are kept. The dump lists all of one kind before the first of the
    /// other.
    @Tag("full") // containers under load
    @Test
    void extrapolatesVirtualThreadsBeyondLimit() throws Exception {
        try (Target target = Victims.launch(Victims.jdks().get(0), dir, "virtual-crowd-10000");
                ThreadSampler taker = ThreadSampler.of(target, NanoClock.SYSTEM)) {
            ThreadSamples threadSamples = taker.take(0, Duration.ofMillis(200), 2).at(4, 0);

            assertThat(threadSamples.threads(Cause.FUTURE))
                    .isCloseTo(20_000, Percentage.withPercentage(3));
            assertThat(threadSamples.threads(Cause.SLEEP))
                    .isCloseTo(10_000, Percentage.withPercentage(3));
            assertThat(threadSamples.signals().of(Signals.Sign.VIRTUAL_THREADS))
                    .hasValueSatisfying(n -> assertThat(n).isCloseTo(30_000, Offset.offset(1.0)));
            assertThat(taker.missing())
                    .singleElement()
                    .asString()
                    .startsWith(
                            "virtual threads: 30,000 virtual threads, a random 20,000 of them read,"
                                    + " scaled");
        }
    }

    /// Requests in an executor's queue are in no socket and on no thread. This test reads no
    /// request counter of the container.
    @Tag("full") // containers under load
    @ParameterizedTest
    @CsvSource({"jetty,qtp", "undertow,XNIO-1 task", "tomcat,tomcat-exec"})
    void readsQueueFromConnectorMBean(String container, String pool) throws Exception {
        try (Target target =
                        ContainerVictim.launch(
                                dir, container, 5, 600_000, "-Dcom.sun.management.jmxremote");
                ThreadSampler taker = ThreadSampler.of(target, NanoClock.SYSTEM)) {
            List<Socket> asked = ContainerVictim.ask(dir, 20);
            ThreadSamples threadSamples = taker.take(0, Duration.ofSeconds(1), 5).at(4, 0);
            // a container that has just started needs some time to give each request a thread
            for (int i = 0; i < 10 && busy(threadSamples, pool) < 5; i++) {
                threadSamples = taker.take(0, Duration.ofSeconds(1), 5).at(4, 0);
            }
            for (Socket socket : asked) {
                socket.close();
            }

            assertThat(threadSamples.queues())
                    .filteredOn(q -> q.pool().equals(pool))
                    .singleElement()
                    .satisfies(q -> {
                        assertThat(q.from()).contains("MBean");
                        assertThat(q.length()).contains(15.0);
                        assertThat(q.size()).contains(5.0);
                    });
            assertThat(busy(threadSamples, pool)).isEqualTo(5.0);
        }
    }

    private static double busy(ThreadSamples threadSamples, String pool) {
        return threadSamples.pools().stream()
                .filter(p -> p.name().equals(pool))
                .mapToDouble(ThreadSamples.Pool::busy)
                .sum();
    }

    @Test
    void stoppedSamplerReturnsDumpsSoFar() throws Exception {
        var asked = new AtomicInteger();
        try (Target target = Victims.launch(Victims.jdks().get(0), dir, "lock");
                ThreadSampler taker =
                        ThreadSampler.of(target, NanoClock.SYSTEM)
                                .until(() -> asked.incrementAndGet() > 3)) {
            ThreadSamples threadSamples = taker.take(0, Duration.ofHours(1), 20).at(4, 0);

            assertThat(threadSamples.dumps()).isBetween(1, 3);
            assertThat(threadSamples.threads(Cause.LOCK)).isCloseTo(3, Offset.offset(0.2));
            assertThat(taker.missing()).isEmpty();
        }
    }

    static List<Path> jdks() {
        return Victims.jdks();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void reportsLockHeldDuringSleep(Path jdk) throws Exception {
        try (Target target = Victims.launch(jdk, dir, "lock-over-sleep");
                ThreadSampler taker = ThreadSampler.of(target, NanoClock.SYSTEM)) {
            ThreadSamples threadSamples = taker.take(100, Duration.ofMillis(100), 10).at(4, 0);

            assertThat(threadSamples.busy())
                    .filteredOn(b -> b.cause() == Cause.LOCK)
                    .singleElement()
                    .satisfies(b ->
                            assertThat(b.holder())
                                    .hasValueSatisfying(
                                            h -> assertThat(h.isIn(Cause.SLEEP)).isTrue()));
        }
    }

    @Measures
    @ParameterizedTest
    @MethodSource("jdks")
    void threadsThatBurnShareTheCoresAndTheRunQueue(Path jdk) throws Exception {
        try (Target target = Victims.launch(jdk, dir, "burn");
                ThreadSampler taker = ThreadSampler.of(target, NanoClock.SYSTEM)) {
            ThreadSamples threadSamples = taker.take(100, Duration.ofMillis(500), 10).at(4, 0);

            double onCpu = threadSamples.threads(Cause.CPU);
            double queued = threadSamples.threads(Cause.RUN_QUEUE);
            assertThat(onCpu + queued + threadSamples.threads(Cause.OTHER))
                    .isCloseTo(4.0, Offset.offset(0.2));
            assertThat(onCpu).isPositive();
            assertThat(onCpu).isLessThanOrEqualTo(Runtime.getRuntime().availableProcessors() + 0.1);
            assertThat(threadSamples.busy())
                    .filteredOn(b -> b.cause() == Cause.CPU)
                    .anySatisfy(b -> assertThat(b.where()).endsWith("Victim.burn"));
        }
    }
}
