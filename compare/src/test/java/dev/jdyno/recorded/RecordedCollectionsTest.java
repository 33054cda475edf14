package dev.jdyno.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.Recommendations;
import dev.jdyno.judge.Judge;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.observe.stacks.Frames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A single requested collection, in a service that is slow for another reason.
class RecordedCollectionsTest {
    private static final String LOCK =
            """
               java.lang.Thread.State: BLOCKED (on object monitor)
            	at com.acme.Ledger.post(Ledger.java:12)
            	- waiting to lock <0x000000068e0b1c40> (a com.acme.Ledger)
            """;
    private static final String POOL =
            """
               java.lang.Thread.State: TIMED_WAITING (parking)
            	at jdk.internal.misc.Unsafe.park(java.base@25.0.3/Native Method)
            	at com.zaxxer.hikari.util.ConcurrentBag.borrow(ConcurrentBag.java:151)
            	at com.zaxxer.hikari.pool.HikariPool.getConnection(HikariPool.java:162)
            """;
    private static final String WORK =
            """
               java.lang.Thread.State: RUNNABLE
            	at com.acme.Ledger.post(Ledger.java:14)
            	- locked <0x000000068e0b1c40> (a com.acme.Ledger)
            """;

    @TempDir private Path dir;

    private static String thread(int number, String top) {
        return String.format(
                Locale.ROOT,
                """
                "http-nio-8080-exec-%1$d" #%1$d [%1$d] daemon prio=5 os_prio=0 tid=0x00007faf2802a910 nid=%1$d waiting  [0x00007faf2f3fe000]
                %2$s	at com.acme.Orders.doGet(Orders.java:30)
                	at org.apache.tomcat.util.net.SocketProcessorBase.run(SocketProcessorBase.java:49)
                	at org.apache.tomcat.util.threads.ThreadPoolExecutor.runWorker(ThreadPoolExecutor.java:1189)
                	at java.lang.Thread.run(java.base@25.0.3/Thread.java:1474)

                """,
                number,
                top);
    }

    /// Twelve dumps within two minutes.
    ///
    /// @param waiting stack of nine of ten threads; the tenth thread works
    private Path dumps(String waiting) throws IOException {
        var text = new StringBuilder();
        for (int i = 0; i < 12; i++) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "2026-11-29 17:%02d:%02d%nFull thread dump OpenJDK 64-Bit Server VM"
                                    + " (25.0.3+9-LTS mixed mode, sharing):%n%n",
                            30 + i / 6,
                            i % 6 * 10));
            IntStream.rangeClosed(1, 9).forEach(t -> text.append(thread(t, waiting)));
            text.append(thread(99, WORK)).append("JNI global refs: 31, weak refs: 0\n\n");
        }
        return Files.writeString(dir.resolve("dumps.txt"), text);
    }

    private static String event(double second, String what, double ms) {
        return String.format(
                Locale.ROOT,
                "[2026-11-29T17:30:%06.3f+0000][%.3fs][info][gc] GC(%d) %s %.3fms%n",
                10 + second,
                110 + second,
                (int) (10 * second),
                what,
                ms);
    }

    /// A log with a young collection at its begin and its end, and one requested collection between
    /// them.
    private Path log(double seconds, String cause) throws IOException {
        String young = "Pause Young (Normal) (G1 Evacuation Pause) 104M->4M(256M)";
        return Files.writeString(
                dir.resolve("gc.log"),
                event(0, young, 2)
                        + event(
                                seconds / 2,
                                "Pause Full (" + cause + ") 50M->4M(256M)",
                                450 * seconds)
                        + event(seconds, young, 2));
    }

    private static FilesDiagnosis.Seen read(Path... files) {
        return FilesDiagnosis.read(List.of(files), Frames.builtIn());
    }

    private static Bottleneck judged(FilesDiagnosis.Seen seen) {
        return Judge.rankingBy(Recommendations.Aim.QPS)
                .ofFiles(seen.recording(), seen.inFlight())
                .verdict()
                .bottleneck();
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 4, 20})
    void lockPrecedesSingleRequestedCollection(double seconds) throws IOException {
        FilesDiagnosis.Seen seen = read(dumps(LOCK), log(seconds, "System.gc()"));

        assertThat(judged(seen)).isEqualTo(Bottleneck.LOCK);
        assertThat(seen.recording().target().missing())
                .anyMatch(m -> m.contains(seconds < Alignment.RATE_S ? "gc.log" : "System.gc()"));
        assertThat(seen.recording().target().collector()).contains("G1");
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 4, 20})
    void poolPrecedesCollectionOfHeapDump(double seconds) throws IOException {
        FilesDiagnosis.Seen seen = read(dumps(POOL), log(seconds, "Heap Dump Initiated GC"));

        assertThat(judged(seen)).isEqualTo(Bottleneck.CONNECTION_POOL);
    }

    @Test
    void aCollectionRequestedEverySecondLeads() throws IOException {
        var log = new StringBuilder();
        for (int s = 0; s < 40; s++) {
            log.append(event(s, "Pause Full (System.gc()) 50M->4M(256M)", 400));
        }

        FilesDiagnosis.Seen seen = read(dumps(WORK), Files.writeString(dir.resolve("gc.log"), log));

        GcActivity gc = seen.recording().rounds().getFirst().gc().orElseThrow();
        assertThat(gc.full().count()).isEqualTo(39);
        assertThat(judged(seen)).isEqualTo(Bottleneck.GC_EXPLICIT);
    }

    /// Every collection of Parallel has the same cause as a late collection of Shenandoah.
    @Test
    void aCollectionOfParallelIsNotLate() throws IOException {
        var log =
                new StringBuilder(
                        "[2026-11-29T17:30:09.000+0000][109.000s][info][gc] Using Parallel\n");
        for (int s = 0; s < 40; s++) {
            log.append(event(s, "Pause Full (Allocation Failure) 120M->110M(120M)", 700));
        }

        FilesDiagnosis.Seen seen = read(dumps(WORK), Files.writeString(dir.resolve("gc.log"), log));

        assertThat(seen.recording().target().collector()).contains("Parallel");
        assertThat(judged(seen)).isIn(Bottleneck.GC_LIVE_SET, Bottleneck.GC_PROMOTION);
    }

    @Test
    void shortLogWithoutTimesGetsNoVerdict() throws IOException {
        Path dumps = dumps(LOCK);
        Path undated =
                Files.writeString(
                        dir.resolve("undated.txt"),
                        Files.readString(dumps).replaceAll("(?m)^2026-.*$", "a line"));
        Path log = log(1, "System.gc()");
        Files.writeString(log, Files.readString(log).replaceAll("\\[2026-[^]]*]", ""));

        FilesDiagnosis.Seen seen = read(undated, log);

        assertThat(judged(seen)).isEqualTo(Bottleneck.LOCK);
        assertThat(seen.recording().rounds().getFirst().gc()).isEmpty();
    }
}
