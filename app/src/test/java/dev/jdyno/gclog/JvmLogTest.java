package dev.jdyno.gclog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Runs a JVM that logs, and compares the log with what the JVM's own beans say of the same run.
class JvmLogTest {
    @TempDir private Path dir;

    /// Allocates, then prints each collector's count and time, and the heap's maximum.
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
    void countsPausesAndHeapAreThoseOfTheJvmsBeans(String collector, String young, String old)
            throws IOException, InterruptedException {
        Path source = Files.writeString(dir.resolve("Allocating.java"), PROGRAM);
        Path log = dir.resolve("gc.log");
        Process jvm =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx48m",
                                "-XX:+Use" + collector + "GC",
                                "-Xlog:gc*,gc+age=trace,safepoint:file=" + log,
                                source.toString())
                        .redirectErrorStream(true)
                        .start();
        String output = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(jvm.waitFor()).as(output).isZero();
        Map<String, long[]> beans = new TreeMap<>();
        for (String line : output.lines().filter(l -> l.matches(".*=\\d+/\\d+")).toList()) {
            String[] parts = line.split("[=/]");
            beans.put(parts[0], new long[] {Long.parseLong(parts[1]), Long.parseLong(parts[2])});
        }

        Analysis a = GcLog.read(List.of(log), GcLog.Options.DEFAULT);

        long[] youngBean = Objects.requireNonNull(beans.get(young), output);
        long[] oldBean = Objects.requireNonNull(beans.get(old), output);
        assertThat(a.count("young") + a.count("mixed")).isEqualTo(youngBean[0]);
        assertThat(a.count("full")).isEqualTo(oldBean[0]);
        long beanMs = youngBean[1] + oldBean[1];
        // the beans count whole milliseconds a collection and measure a little more around it
        assertThat(a.pauses().total())
                .isCloseTo((double) beanMs, within(2.0 * a.pauses().count() + 0.2 * beanMs));
        assertThat(a.heap().highestBytes()).isLessThanOrEqualTo(48L << 20);
        // G1's log counts whole regions of 1 MiB, the beans bytes
        long aliveBean = Objects.requireNonNull(beans.get("alive"), output)[0];
        // the last floor is what System.gc() left; liveBytes is the median of the last few
        assertThat((double) a.heap().floors().getLast().bytes())
                .isCloseTo((double) aliveBean, within(2.0 * (1 << 20)));
        assertThat(a.heap().liveBytes()).isPresent();
        assertThat(a.collector().key()).isEqualTo(collector);
        assertThat(a.lines().unread()).isZero();
    }
}
