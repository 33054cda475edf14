package dev.jdyno.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.Intervention.LargerPool;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.management.ObjectName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(300)
class PoolSizesTest {
    private static final long DEAD = Integer.MAX_VALUE;

    @TempDir Path dir;

    static List<Path> jdks() {
        return Victims.jdks();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aPoolIsEnlargedAndGetsItsSizeBack(Path jdk) throws Exception {
        try (Target target = Victims.launch(jdk, dir, "jmx-pool")) {
            String first;
            try (var larger = PoolSizes.enlarge(target, LargerPool.Kind.THREADS, 2)) {
                first = larger.says();
                try (var evenLarger = PoolSizes.enlarge(target, LargerPool.Kind.THREADS, 2)) {
                    assertThat(evenLarger.says()).startsWith("maxThreads 12 -> 24");
                }
            }

            assertThat(first).isEqualTo("maxThreads 6 -> 12 of Victim:type=ThreadPool,name=http");
            try (var again = PoolSizes.enlarge(target, LargerPool.Kind.THREADS, 2)) {
                assertThat(again.says()).isEqualTo(first);
            }
        }
    }

    @Test
    void leavesServiceWithoutPoolUnchanged() throws Exception {
        try (Target target = Victims.launch(jdks().getFirst(), dir, "sleep")) {
            assertThatThrownBy(
                            () -> PoolSizes.enlarge(target, LargerPool.Kind.CONNECTIONS, 2).close())
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("no pool of connections");
        }
    }

    @Test
    void restoresPoolSizeAfterKilledRun() throws Exception {
        try (Target target = Victims.launch(jdks().getFirst(), dir, "jmx-pool")) {
            assertThat(noteOf(target)).isEmpty();
            PoolSizes killed = PoolSizes.enlarge(target, LargerPool.Kind.THREADS, 2);
            // the state after SIGKILL: a note of a process that no longer exists
            Path noted = noteOf(target).orElseThrow().resolve("pool-0001");
            Path left = Left.by(DEAD, "pools", Left.mark(target));
            Files.copy(noted, left.resolve("pool-0001"));
            try {
                List<String> restored = PoolSizes.restoreLeft(target);

                assertThat(restored)
                        .containsExactly("maxThreads 6 of Victim:type=ThreadPool,name=http");
                assertThat(left).doesNotExist();
                assertThat(PoolSizes.restoreLeft(target)).isEmpty();
                try (var again = PoolSizes.enlarge(target, LargerPool.Kind.THREADS, 2)) {
                    assertThat(again.says()).startsWith("maxThreads 6 -> 12");
                }
            } finally {
                killed.close();
            }
            assertThat(noteOf(target)).isEmpty();
        }
    }

    @Test
    void ignoresNoteOfEarlierJvmWithSamePid() throws Exception {
        try (Target target = Victims.launch(jdks().getFirst(), dir, "jmx-pool")) {
            Path left = Left.by(DEAD, "pools", target.pid() + "t17");
            Files.writeString(
                    left.resolve("pool-0001"), "4 maxThreads Victim:type=ThreadPool,name=http");

            assertThat(PoolSizes.restoreLeft(target)).isEmpty();

            LeftFolders.remove(ProcFs.SYSTEM, target.pid());
            assertThat(left).doesNotExist();
            try (var larger = PoolSizes.enlarge(target, LargerPool.Kind.THREADS, 2)) {
                assertThat(larger.says()).startsWith("maxThreads 6 -> 12");
            }
        }
    }

    @Tag("full") // waits for the limit of a target that does not answer
    @Test
    void stoppedTargetKeepsNoteForNextRun() throws Exception {
        try (Target target = Victims.launch(jdks().getFirst(), dir, "jmx-pool")) {
            PoolSizes larger = PoolSizes.enlarge(target, LargerPool.Kind.THREADS, 2);
            Victims.stop(target);
            try {
                assertThatThrownBy(larger::close)
                        .isInstanceOfSatisfying(
                                UserError.class,
                                e ->
                                        assertThat(e.toString() + e.why())
                                                .contains("no answer over JMX within"));
                assertThat(noteOf(target)).isPresent();
            } finally {
                ProcessSignals.send("CONT", target.pid());
                assertThat(PoolSizes.restoreLeft(target)).as("its jdyno lives").isEmpty();
                Path note = noteOf(target).orElseThrow();
                Files.delete(note.resolve("pool-0001"));
                Files.delete(note);
            }
        }
    }

    @Test
    void restoresPoolSizeDespiteInterrupt() throws Exception {
        try (Target target = Victims.launch(jdks().getFirst(), dir, "jmx-pool")) {
            PoolSizes larger = PoolSizes.enlarge(target, LargerPool.Kind.THREADS, 2);
            Thread.currentThread().interrupt();
            larger.close();

            assertThat(Thread.interrupted()).isTrue();
            try (var again = PoolSizes.enlarge(target, LargerPool.Kind.THREADS, 2)) {
                assertThat(again.says()).startsWith("maxThreads 6 -> 12");
            }
        }
    }

    @Test
    void connectionsBeyondTheRestoredSizeAreClosed() throws Exception {
        try (Target target = HikariVictim.launch(dir, 5)) {
            try (var larger = PoolSizes.enlarge(target, LargerPool.Kind.CONNECTIONS, 2)) {
                assertThat(larger.says())
                        .isEqualTo(
                                "MaximumPoolSize 5 -> 10 of com.zaxxer.hikari:type=PoolConfig"
                                        + " (orders)");
                awaitConnections(target, 10);
            }

            assertThat(connections(target)).isLessThanOrEqualTo(HikariVictim.SIZE);
            // the pool opens new connections in their place, and not more than that
            awaitConnections(target, HikariVictim.SIZE);
            assertThat(connections(target)).isEqualTo(HikariVictim.SIZE);
        }
    }

    @Tag("full") // waits until a pool has not shrunk
    @Test
    void poolThatKeepsConnectionsIsNotRestored() throws Exception {
        // connections are held for longer than the limit
        try (Target target = HikariVictim.launch(dir, 60_000)) {
            PoolSizes larger = PoolSizes.enlarge(target, LargerPool.Kind.CONNECTIONS, 2);
            awaitConnections(target, 10);

            assertThatThrownBy(larger::close)
                    .isInstanceOfSatisfying(
                            UserError.class,
                            e -> {
                                assertThat(e.what())
                                        .isEqualTo(
                                                "a pool of the target still holds more than its"
                                                        + " size");
                                assertThat(e.why())
                                        .startsWith("10 instead of 5 in com.zaxxer.hikari");
                                assertThat(e.fix())
                                        .startsWith(
                                                "call softEvictConnections of"
                                                        + " com.zaxxer.hikari:type=Pool (orders)");
                            });
            assertThat(noteOf(target)).isEmpty();
        }
    }

    /// Both containers keep a busy thread, whatever the size of the pool. Two of Jetty's threads
    /// accept and select, also in a pool of twice the size.
    @Tag("full") // three containers under load
    @ParameterizedTest
    @CsvSource({
        "jetty, maxThreads, org.eclipse.jetty.util.thread:type=queuedthreadpool*, 7, 12",
        "undertow, MaximumPoolSize, jboss.threads:type=thread-pool*, 5, 10",
        "undertow, CorePoolSize, jboss.threads:type=thread-pool*, 5, 10"
    })
    void poolCountsAsRestoredOnceItsSizeIsRestored(
            String container, String attribute, String bean, int size, int twice) throws Exception {
        try (Target target = ContainerVictim.launch(dir, container, 5, 600_000)) {
            PoolSizes larger = PoolSizes.enlarge(target, LargerPool.Kind.THREADS, 2);
            // the pool adds threads when tasks arrive
            List<Socket> asked = ContainerVictim.ask(dir, 40);
            assertThat(larger.says()).contains(attribute + " " + size + " -> " + twice);
            try (JmxSession jmx = JmxSession.to(LocalConnector.address(target).orElseThrow())) {
                String counts = container.equals("jetty") ? "threads" : "PoolSize";
                while (number(jmx, bean, counts) < twice) {
                    target.requireAlive();
                    // sleeps: interval between two requests to a JVM
                    TimeUnit.MILLISECONDS.sleep(20);
                }

                larger.close();

                assertThat(number(jmx, bean, attribute)).isEqualTo(size);
                assertThat(number(jmx, bean, counts)).isEqualTo(twice);
                assertThat(larger.kept().orElseThrow())
                        .startsWith("5 threads above the maximum leave as they idle, in ")
                        .doesNotContain("; ");
                assertThat(noteOf(target)).isEmpty();
            } finally {
                for (Socket socket : asked) {
                    socket.close();
                }
            }
        }
    }

    @Test
    void poolThatDidNotGrowNeedsNoRestore() throws Exception {
        try (Target target = ContainerVictim.launch(dir, "jetty", 5, 600_000)) {
            PoolSizes larger = PoolSizes.enlarge(target, LargerPool.Kind.THREADS, 2);
            larger.close();

            assertThat(larger.kept()).isEmpty();
        }
    }

    private static int number(JmxSession jmx, String pattern, String attribute) throws Exception {
        return jmx.ask(beans -> {
            var all = beans.queryNames(new ObjectName(pattern.replace("*", ",*")), null);
            return (Integer) beans.getAttribute(all.iterator().next(), attribute);
        });
    }

    private static int connections(Target target) throws Exception {
        try (JmxSession jmx = JmxSession.to(LocalConnector.address(target).orElseThrow())) {
            return jmx.ask(beans ->
                    (Integer)
                            beans.getAttribute(
                                    new ObjectName("com.zaxxer.hikari:type=Pool (orders)"),
                                    "TotalConnections"));
        }
    }

    private static void awaitConnections(Target target, int wanted) throws Exception {
        while (connections(target) < wanted) {
            target.requireAlive();
            // sleeps: interval between two requests to a JVM
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /// The note about a target, in the target's `/tmp`.
    private static Optional<Path> noteOf(Target target) throws IOException {
        try (var files =
                Files.newDirectoryStream(
                        Path.of("/tmp"), "jdyno-*-pools-" + Left.mark(target) + "-*")) {
            var all = files.iterator();
            return all.hasNext() ? Optional.of(all.next()) : Optional.empty();
        }
    }
}
