package dev.jdyno.gclog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.sums.Analysis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Runs a JVM that logs and records, and compares its log with its MBeans and its flight recording.
@Tag("full") // runs a JVM of each collector under load
class JvmLogTest {
    @TempDir private static Path dir;

    private static final Map<String, Run> RUNS = new ConcurrentHashMap<>();

    /// @param pauses of the log, by the number of the collection
    private record Run(
            String output, Analysis analysis, Map<Long, GcEvent.Pause> pauses, Path recording) {}

    private static Run run(String collector) {
        return RUNS.computeIfAbsent(collector, JvmLogTest::launch);
    }

    private static Run launch(String collector) {
        try {
            Path source = Files.writeString(dir.resolve("Allocating.java"), PROGRAM);
            Path log = dir.resolve(collector + ".log");
            Path recording = dir.resolve(collector + ".jfr");
            Process jvm =
                    new ProcessBuilder(
                                    Path.of(System.getProperty("java.home"), "bin", "java")
                                            .toString(),
                                    "-Xmx48m",
                                    "-XX:+Use" + collector + "GC",
                                    "-Xlog:gc*,gc+age=trace,safepoint:file=" + log,
                                    "-XX:StartFlightRecording:filename=" + recording,
                                    source.toString())
                            .redirectErrorStream(true)
                            .start();
            String output = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(jvm.waitFor()).as(output).isZero();
            Map<Long, GcEvent.Pause> pauses = new TreeMap<>();
            Analysis a =
                    GcLog.read(
                            List.of(log),
                            new GcLog.Options(
                                    0,
                                    e -> {
                                        if (e instanceof GcEvent.Pause p) {
                                            pauses.put(p.id().orElseThrow(), p);
                                        }
                                    }));
            return new Run(output, a, pauses, recording);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static List<RecordedEvent> recorded(Run run, String name) throws IOException {
        return RecordingFile.readAllEvents(run.recording).stream()
                .filter(e -> e.getEventType().getName().equals("jdk." + name))
                .toList();
    }

    /// A program that allocates, then prints the count and time of each collector and the heap's
    /// maximum.
    private static final String PROGRAM =
            """
            import java.lang.management.ManagementFactory;
            import java.util.Random;
            public class Allocating {
                static volatile Object sink;
                public static void main(String[] a) {
                    byte[][] live = new byte[400][];
                    Random r = new Random(7);
                    for (int i = 0; i < 150_000; i++) {
                        byte[] b = new byte[4096];
                        sink = b;
                        if (i % 10 == 0) live[r.nextInt(live.length)] = new byte[16384];
                    }
                    System.gc();
                    long alive = 0;
                    for (var p : ManagementFactory.getMemoryPoolMXBeans()) {
                        if (p.getType() == java.lang.management.MemoryType.HEAP) {
                            alive += p.getCollectionUsage() == null ? 0 : p.getCollectionUsage().getUsed();
                        }
                    }
                    System.out.println("alive=" + alive + "/0");
                    java.lang.ref.Reference.reachabilityFence(live);
                    for (var c : ManagementFactory.getGarbageCollectorMXBeans()) {
                        System.out.println(c.getName() + "=" + c.getCollectionCount() + "/" + c.getCollectionTime());
                    }
                    System.out.println("max=" + Runtime.getRuntime().maxMemory() + "/0");
                }
            }
            """;

    @ParameterizedTest
    @CsvSource({
        "Serial, Copy, MarkSweepCompact",
        "Parallel, PS Scavenge, PS MarkSweep",
        "G1, G1 Young Generation, G1 Old Generation",
    })
    void countsPausesAndHeapMatchMBeans(String collector, String young, String old) {
        Run run = run(collector);
        String output = run.output();
        Map<String, long[]> beans = new TreeMap<>();
        for (String line : output.lines().filter(l -> l.matches(".*=\\d+/\\d+")).toList()) {
            String[] parts = line.split("[=/]");
            beans.put(parts[0], new long[] {Long.parseLong(parts[1]), Long.parseLong(parts[2])});
        }

        Analysis a = run.analysis();

        long[] youngBean = Objects.requireNonNull(beans.get(young), output);
        long[] oldBean = Objects.requireNonNull(beans.get(old), output);
        assertThat(a.count("young") + a.count("mixed")).isEqualTo(youngBean[0]);
        assertThat(a.count("full")).isEqualTo(oldBean[0]);
        long beanMs = youngBean[1] + oldBean[1];
        // the MBeans count whole milliseconds for each collection and measure slightly more than
        // the pause
        assertThat(a.pauses().total())
                .isCloseTo((double) beanMs, within(2.0 * a.pauses().count() + 0.2 * beanMs));
        assertThat(a.heap().highestBytes()).isLessThanOrEqualTo(48L << 20);
        // G1's log counts whole regions of 1 MiB, the MBeans count bytes
        long aliveBean = Objects.requireNonNull(beans.get("alive"), output)[0];
        // The last floor is the heap after System.gc(). liveBytes is the median of the last few
        // floors.
        assertThat((double) a.heap().floors().getLast().bytes())
                .isCloseTo((double) aliveBean, within(2.0 * (1 << 20)));
        assertThat(a.heap().liveBytes()).isPresent();
        assertThat(a.collector().key()).isEqualTo(collector);
        assertThat(a.lines().unread()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Serial", "Parallel", "G1"})
    void pausesAndOccupancyMatchFlightRecorder(String collector) throws IOException {
        Run run = run(collector);

        List<RecordedEvent> collections = recorded(run, "GarbageCollection");

        assertThat(collections).hasSizeGreaterThan(3);
        List<String> far = new ArrayList<>();
        int near = 0;
        for (RecordedEvent e : collections) {
            GcEvent.Pause p = run.pauses().get((long) e.getInt("gcId"));
            if (p == null || e.getString("name").equals("G1Old")) {
                // a concurrent cycle: the log has its pauses as separate events
                continue;
            }
            double ms = e.getDuration("sumOfPauses").toNanos() / 1e6;
            if (Math.abs(p.ms() - ms) <= 0.5 + 0.1 * ms) {
                near++;
            } else {
                far.add("collection " + p.id() + ": " + p.ms() + " in the log, recorded " + ms);
            }
        }
        // Log and recording take separate time stamps. On a busy machine, the VM thread may wait
        // between them.
        assertThat(far).as("beside %d that agree", near).hasSizeLessThanOrEqualTo(1 + near / 10);
        assertThat(near).isGreaterThan(3);
        int compared = 0;
        for (RecordedEvent e : recorded(run, "GCHeapSummary")) {
            GcEvent.Pause p = run.pauses().get((long) e.getInt("gcId"));
            if (p != null && p.kind().collects() && p.heap().isPresent()) {
                GcEvent.Occupancy heap = p.heap().get();
                boolean before = e.getString("when").startsWith("Before");
                // the log rounds down to whole MiB
                assertThat((double) (before ? heap.beforeBytes() : heap.afterBytes()))
                        .isCloseTo((double) e.getLong("heapUsed"), within(2.0 * (1 << 20)));
                compared++;
            }
        }
        assertThat(compared).isGreaterThan(6);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Serial", "G1"})
    void agesMatchFlightRecorder(String collector) throws IOException {
        Run run = run(collector);

        int compared = 0;
        for (RecordedEvent e : recorded(run, "TenuringDistribution")) {
            GcEvent.Pause p = run.pauses().get((long) e.getInt("gcId"));
            if (p != null && p.tenuring().isPresent()) {
                List<Long> ages = p.tenuring().get().bytesByAge();
                int age = e.getInt("age");
                assertThat(age <= ages.size() ? ages.get(age - 1) : 0L)
                        .as("collection %s, age %d", p.id(), age)
                        .isEqualTo(e.getLong("size"));
                compared++;
            }
        }
        assertThat(compared).isGreaterThan(15);
    }

    /// The recording has the threshold that the collection used. Serial and Parallel log the
    /// threshold for the next collection, G1 logs the used one.
    @ParameterizedTest
    @CsvSource({"Serial, 1", "Parallel, 1", "G1, 0"})
    void thresholdsMatchFlightRecorder(String collector, int later) throws IOException {
        Run run = run(collector);

        int compared = 0;
        for (RecordedEvent e : recorded(run, "YoungGarbageCollection")) {
            GcEvent.Pause p = run.pauses().get((long) e.getInt("gcId") - later);
            if (p != null && p.tenuring().isPresent()) {
                assertThat(p.tenuring().get().threshold())
                        .as("collection " + p.id())
                        .isEqualTo(e.getInt("tenuringThreshold"));
                compared++;
            }
        }
        assertThat(compared).isGreaterThan(3);
    }
}
