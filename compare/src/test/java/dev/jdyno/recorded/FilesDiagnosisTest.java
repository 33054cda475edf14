package dev.jdyno.recorded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.diagnose.Recommendations;
import dev.jdyno.judge.Judge;
import dev.jdyno.measure.Eventually;
import dev.jdyno.measure.SourceFile;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Judged;
import dev.jdyno.observe.jfr.FlightJvm;
import dev.jdyno.observe.stacks.Frames;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilesDiagnosisTest {
    @TempDir private Path dir;

    private static String locked(int thread, int atS, int elapsedS) {
        return String.format(
                Locale.ROOT,
                """
                "http-nio-8080-exec-%1$d" #%1$d [%1$d] daemon prio=5 os_prio=0 cpu=%2$s0.00ms elapsed=%3$d.00s tid=0x00007faf2802a910 nid=%1$d waiting for monitor entry  [0x00007faf2f3fe000]
                   java.lang.Thread.State: BLOCKED (on object monitor)
                	at com.acme.Ledger.post(Ledger.java:12)
                	- waiting to lock <0x000000068e0b1c40> (a com.acme.Ledger)
                	at com.acme.Orders.doGet(Orders.java:30)
                	at org.apache.tomcat.util.net.SocketProcessorBase.run(SocketProcessorBase.java:49)
                	at org.apache.tomcat.util.threads.ThreadPoolExecutor.runWorker(ThreadPoolExecutor.java:1189)
                	at java.lang.Thread.run(java.base@25.0.3/Thread.java:1474)

                """,
                thread,
                atS,
                elapsedS);
    }

    private static String holder(int cpuS, int elapsedS) {
        return String.format(
                Locale.ROOT,
                """
                "http-nio-8080-exec-99" #99 [99] daemon prio=5 os_prio=0 cpu=%1$s00.00ms elapsed=%2$d.00s tid=0x00007faf2802a910 nid=99 runnable  [0x00007faf2f3fe000]
                   java.lang.Thread.State: RUNNABLE
                	at com.acme.Ledger.post(Ledger.java:14)
                	- locked <0x000000068e0b1c40> (a com.acme.Ledger)
                	at com.acme.Orders.doGet(Orders.java:30)
                	at org.apache.tomcat.util.net.SocketProcessorBase.run(SocketProcessorBase.java:49)
                	at org.apache.tomcat.util.threads.ThreadPoolExecutor.runWorker(ThreadPoolExecutor.java:1189)
                	at java.lang.Thread.run(java.base@25.0.3/Thread.java:1474)

                """,
                cpuS,
                elapsedS);
    }

    /// The i-th of several dumps, 10 s apart: nine threads wait for a lock, and one thread holds
    /// it.
    private static String dump(int i) {
        var text =
                new StringBuilder(
                        String.format(
                                Locale.ROOT,
                                "2026-11-29 17:%02d:%02d%n"
                                        + "Full thread dump OpenJDK 64-Bit Server VM (25.0.3+9-LTS"
                                        + " mixed mode, sharing):%n%n",
                                30 + i / 6,
                                i % 6 * 10));
        for (int t = 1; t <= 9; t++) {
            text.append(locked(t, i, 100 + 10 * i));
        }
        // the holder uses 1000 ms of CPU in each 10 s
        text.append(holder(i * 10, 100 + 10 * i));
        return text.append("JNI global refs: 31, weak refs: 0\n\n").toString();
    }

    private Path file(String name, String content) throws IOException {
        return Files.writeString(dir.resolve(name), content);
    }

    private Path dumps(int count) throws IOException {
        var all = new StringBuilder("17:29:59 INFO the log of a service\n");
        for (int i = 0; i < count; i++) {
            all.append(dump(i)).append("17:30:09 INFO a line between\n");
        }
        return file("service.log", all.toString());
    }

    private static FilesDiagnosis.Seen read(Path... files) {
        return FilesDiagnosis.read(List.of(files), Frames.builtIn());
    }

    private static Judged judged(FilesDiagnosis.Seen seen) {
        return Judge.rankingBy(Recommendations.Aim.QPS).ofFiles(seen.recording(), seen.inFlight());
    }

    @Test
    void theDumpsInALogNameTheLock() throws IOException {
        FilesDiagnosis.Seen seen = read(dumps(12));

        assertThat(seen.inFlight().orElseThrow()).isCloseTo(10, within(0.1));
        assertThat(seen.recording().census().getFirst().dumps()).isEqualTo(12);
        assertThat(seen.recording().census().getFirst().threads(Cause.LOCK)).isEqualTo(9);
        assertThat(judged(seen).verdict().bottleneck()).isEqualTo(Bottleneck.LOCK);
        assertThat(judged(seen).verdict().where()).contains("com.acme.Ledger");
        assertThat(seen.recording().target().jdkVersion()).contains("25.0.3+9-LTS");
        assertThat(seen.files())
                .extracting(SourceFile::kind)
                .containsExactly(SourceFile.Kind.THREAD_DUMPS);
    }

    @Test
    void fewDumpsLowerConfidence() throws IOException {
        double many = judged(read(dumps(12))).verdict().confidence();
        double few = judged(read(dumps(4))).verdict().confidence();
        double one = judged(read(dumps(1))).verdict().confidence();

        assertThat(few).isLessThan(many);
        assertThat(one).isLessThan(few);
    }

    @Test
    void dumpsOfAnotherJvmAreNotMixedIn() throws IOException {
        Path ours = dumps(12);
        // the same threads in dumps that were taken an hour later
        String other = dump(3).replaceAll("elapsed=(\\d+)", "elapsed=36$1");

        FilesDiagnosis.Seen seen = read(ours, file("other.txt", other));

        assertThat(seen.recording().census().getFirst().dumps()).isEqualTo(12);
        assertThat(seen.recording().target().missing()).anyMatch(m -> m.contains("other JVMs"));
    }

    @Test
    void dumpsThatPowerShellWroteAreRead() throws IOException {
        Path wide =
                Files.writeString(
                        dir.resolve("wide.txt"),
                        "\ufeff" + Files.readString(dumps(12)),
                        StandardCharsets.UTF_16LE);

        FilesDiagnosis.Seen seen = read(wide);

        assertThat(seen.recording().census().getFirst().dumps()).isEqualTo(12);
        assertThat(judged(seen).verdict().bottleneck()).isEqualTo(Bottleneck.LOCK);
    }

    @Test
    void namesMissingInformation() throws IOException {
        List<String> missing = read(dumps(12)).recording().target().missing();

        assertThat(missing)
                .anyMatch(m -> m.startsWith("CPU:"))
                .anyMatch(m -> m.startsWith("class loading:"))
                .anyMatch(m -> m.startsWith("collector:"))
                .anyMatch(m -> m.startsWith("requests:"))
                .anyMatch(m -> m.startsWith("sockets:"));
    }

    @Test
    void anAccessLogOfTheSameTimeGivesTheThroughput() throws IOException {
        Path dumps = dumps(12);
        var lines = new StringBuilder();
        // 50 requests a second, in another time zone than the dumps, because their host writes
        // local time
        for (int s = 0; s < 180; s++) {
            String at =
                    String.format(
                            Locale.ROOT, "29/Nov/2026:22:%02d:%02d +0300", 29 + s / 60, s % 60);
            lines.append(("127.0.0.1 - - [" + at + "] \"GET / HTTP/1.1\" 200 12\n").repeat(50));
        }

        FilesDiagnosis.Seen seen = read(dumps, file("access.log", lines.toString()));

        assertThat(seen.throughput().orElseThrow().perS()).isCloseTo(50, within(1.0));
        assertThat(seen.recording().target().missing())
                .anyMatch(m -> m.startsWith("time zone of the thread dumps"));
    }

    @Test
    void aGcLogOfAnotherTimeIsNotUsed() throws IOException {
        String gc =
                """
                [2026-11-28T10:00:00.000+0000][1.000s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 3.456ms
                [2026-11-28T10:00:10.000+0000][11.000s][info][gc] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 3.456ms
                """;

        // the dumps are a day apart, which no time zone explains
        FilesDiagnosis.Seen seen = read(dumps(12), file("gc.log", gc));

        assertThat(seen.recording().rounds().getFirst().gc()).isEmpty();
        assertThat(seen.files())
                .filteredOn(f -> f.kind() == SourceFile.Kind.GC_LOG)
                .extracting(SourceFile::used)
                .containsExactly(false);
    }

    @Test
    void diagnosesGcLogWithoutThreads() throws IOException {
        var gc = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            gc.append(
                    String.format(
                            Locale.ROOT,
                            "[%d.000s][info][gc] GC(%d) Pause Young (Normal) (G1 Evacuation Pause)"
                                    + " 104M->4M(256M) 50.000ms%n",
                            i + 1,
                            i));
        }

        FilesDiagnosis.Seen seen = read(file("gc.log", gc.toString()));

        var found = seen.recording().rounds().getFirst().gc().orElseThrow();
        assertThat(found.young().count()).isEqualTo(20);
        assertThat(found.pauseShare()).isCloseTo(20 * 0.05 / 19, within(0.005));
        assertThat(found.allocBytesPerS().orElseThrow())
                .isCloseTo(100 * 1048576.0, within(1048576.0));
        assertThat(seen.inFlight()).isEmpty();
        assertThat(seen.recording().census()).isEmpty();
        assertThat(judged(seen).verdict().bottleneck()).isNotEqualTo(Bottleneck.LOAD);
    }

    @Test
    void allMistakesAreReportedAtOnce() throws IOException {
        Path broken = dir.resolve("r.jfr");
        Files.write(broken, new byte[] {'F', 'L', 'R', 0, 1, 2, 3});
        Path other = file("notes.txt", "nothing of interest\n");
        Path link = Files.createSymbolicLink(dir.resolve("link.txt"), other);

        assertThatThrownBy(() -> read(broken, other, link, dir.resolve("none.txt")))
                .isInstanceOfSatisfying(
                        UserError.class,
                        e -> {
                            assertThat(e.kind()).isEqualTo(UserError.Kind.USAGE);
                            assertThat(e.why())
                                    .contains("r.jfr", "notes.txt", "link.txt", "none.txt");
                        });
    }

    @Test
    void namesBrokenFileAndDiagnosesTheOthers() throws IOException {
        Path broken = dir.resolve("r.jfr");
        Files.write(broken, new byte[] {'F', 'L', 'R', 0, 1, 2, 3});
        Files.createSymbolicLink(dir.resolve("link"), dumps(12));

        FilesDiagnosis.Seen seen = read(dir);

        assertThat(seen.recording().target().missing()).anyMatch(m -> m.contains("r.jfr"));
        assertThat(judged(seen).verdict().bottleneck()).isEqualTo(Bottleneck.LOCK);
    }

    @Test
    void readsCompressedTextAndRefusesBomb() throws IOException {
        Path packed = dir.resolve("dumps.gz");
        try (var out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            out.write(Files.readAllBytes(dumps(12)));
        }
        var zeros = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(zeros)) {
            out.write("no line end".repeat(1_000_000).getBytes(StandardCharsets.UTF_8));
        }
        Path bomb = Files.write(dir.resolve("bomb.gz"), zeros.toByteArray());

        FilesDiagnosis.Seen seen = read(packed, bomb);

        assertThat(judged(seen).verdict().bottleneck()).isEqualTo(Bottleneck.LOCK);
        assertThat(seen.files()).hasSize(1);
        assertThat(seen.recording().target().missing()).anyMatch(m -> m.contains("bomb.gz"));
    }

    @Test
    void aDumpAsJsonShowsVirtualThreads() throws IOException {
        var threads = new StringBuilder();
        for (int i = 0; i < 5; i++) {
            threads.append(
                    """
                    {"tid": %d, "time": "2026-11-29T17:30:00Z", "name": "", "virtual": true, "state": "WAITING",
                     "stack": ["java.base/java.util.concurrent.Semaphore.acquire(Semaphore.java:318)",
                               "com.acme.Limit.take(Limit.java:7)",
                               "java.base/java.lang.VirtualThread.run(VirtualThread.java:466)"]},
                    """
                            .formatted(100 + i));
        }
        Path json =
                file(
                        "threads.json",
                        """
                        {"threadDump": {"formatVersion": 2, "processId": 4711, "time": "2026-11-29T17:30:00Z",
                         "runtimeVersion": "25.0.3+9-LTS",
                         "threadContainers": [{"container": "<root>", "parent": null, "owner": null, "threads": [
                        %s
                         {"tid": 1, "name": "main", "state": "TIMED_WAITING", "stack": ["java.base/java.lang.Thread.sleep(Thread.java:540)"]}],
                         "threadCount": 6}]}}
                        """
                                .formatted(threads));

        FilesDiagnosis.Seen seen = read(json);

        assertThat(seen.recording().target().jdkVersion()).contains("25.0.3+9-LTS");
        assertThat(seen.recording().census().getFirst().pools())
                .filteredOn(p -> p.virtual())
                .extracting(p -> p.size())
                .containsExactly(5.0);
    }

    /// A recording of this JVM with its thread dumps, long enough to have a time in common with
    /// them. JFR writes each event at the beginning and at the end of a chunk.
    private Path recorded(String... events) throws IOException {
        Path file = dir.resolve("recording.jfr");
        try (var recording = new Recording()) {
            recording.enable("jdk.ThreadDump").with("period", "everyChunk");
            for (String event : events) {
                recording.enable(event).with("period", "everyChunk");
            }
            recording.start();
            Instant end = Instant.now().plusSeconds(3);
            for (int i = 0; i < 3; i++) {
                try (var another = new Recording()) {
                    another.start();
                }
            }
            Eventually.until("three seconds", () -> Instant.now().isAfter(end));
            recording.stop();
            recording.dump(file);
        }
        return file;
    }

    private static Optional<Double> classesLoadedPerS(FilesDiagnosis.Seen seen) {
        return seen.recording().census().getFirst().signals().of(Sign.CLASSES_LOADED_PER_S);
    }

    @Tag("full") // records for seconds
    @Test
    void aRecordingGivesTheLoadedClasses() throws IOException {
        Path file = recorded("jdk.ClassLoadingStatistics");
        FlightJvm jvm = FlightJvm.read(file);
        Optional<Double> recorded =
                jvm.classesLoadedPerS(jvm.first().orElseThrow(), jvm.last().orElseThrow());

        FilesDiagnosis.Seen seen = read(file);

        assertThat(recorded).isPresent();
        assertThat(classesLoadedPerS(seen)).isEqualTo(recorded);
        assertThat(seen.recording().target().missing()).noneMatch(m -> m.startsWith("class"));
    }

    /// Not measured is not the same as none.
    @Tag("full") // records for seconds
    @Test
    void aRecordingWithoutLoadedClassesLacksThem() throws IOException {
        FilesDiagnosis.Seen seen = read(recorded("jdk.JavaThreadStatistics"));

        assertThat(classesLoadedPerS(seen)).isEmpty();
        assertThat(seen.recording().target().missing())
                .filteredOn(m -> m.startsWith("class loading:"))
                .singleElement()
                .asString()
                .contains("jdk.ClassLoadingStatistics");
    }
}
