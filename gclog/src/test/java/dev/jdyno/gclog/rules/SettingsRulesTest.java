package dev.jdyno.gclog.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.GcLog;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Rules about flags, sizes and CPUs, each on a log that has its fault and on one slightly below
/// the limit.
class SettingsRulesTest {
    private static List<GcDiagnosis> found(String log) throws IOException {
        return Diagnoses.of(
                GcLog.read(
                        "test",
                        new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)),
                        GcLog.Options.DEFAULT),
                OptionalDouble.empty());
    }

    private static List<String> diagnose(String log) throws IOException {
        return found(log).stream().map(GcDiagnosis::id).toList();
    }

    private static String advice(String id, String log) throws IOException {
        return found(log).stream()
                .filter(d -> d.id().equals(id))
                .flatMap(d -> d.advice().stream())
                .collect(Collectors.joining(" | "));
    }

    private static String text(String format, Object... args) {
        return String.format(Locale.ROOT, format, args);
    }

    /// The head of a JDK 8 log with these flags, and young collections.
    private static String jdk8(String flags) {
        return "Java HotSpot(TM) 64-Bit Server VM (25.40-b25) for linux-amd64 JRE (1.8.0_40-b25),"
                + " built on Feb 10 2015\nCommandLine flags: "
                + flags
                + "\n"
                + IntStream.range(1, 20)
                        .mapToObj(i -> text("%d.000: [GC 900K->100K(1000K), 0.0010000 secs]%n", i))
                        .collect(Collectors.joining());
    }

    private static String heapFrom(int initialM) {
        return text(
                        "[0.001s][info][gc] Using G1%n[0.001s][info][gc,init] Heap Initial Capacity:"
                                + " %dM%n[0.001s][info][gc,init] Heap Max Capacity: 1024M%n",
                        initialM)
                + IntStream.range(1, 40)
                        .mapToObj(i ->
                                text(
                                        "[%d.000s][info][gc] GC(%d) Pause Young (Normal) (G1"
                                                + " Evacuation Pause) 60M->40M(%dM) 1.0ms%n",
                                        i, i, Math.max(initialM, Math.min(1024, 64 * i))))
                        .collect(Collectors.joining());
    }

    @Test
    void aHeapThatHadToGrowFromASmallStartIsNamed() throws IOException {
        assertThat(diagnose(heapFrom(64))).contains("initial-heap");
        assertThat(advice("initial-heap", heapFrom(64))).startsWith("-Xms1024m -Xmx1024m");
        assertThat(diagnose(heapFrom(1024))).doesNotContain("initial-heap");
    }

    @Test
    void ignoresGrowableHeapThatNeverGrew() throws IOException {
        String still = heapFrom(64).replaceAll("\\((\\d+)M\\) 1.0ms", "(64M) 1.0ms");

        assertThat(diagnose(still)).doesNotContain("initial-heap");
    }

    @Test
    void namesIgnoredFlagsAndReplacements() throws IOException {
        assertThat(advice("obsolete-flags", jdk8("-XX:MaxPermSize=268435456 -XX:+UseParallelGC")))
                .contains("remove -XX:MaxPermSize; instead: MaxMetaspaceSize");
        assertThat(diagnose(jdk8("-XX:+UseParallelGC"))).doesNotContain("obsolete-flags");
    }

    @Test
    void aFlagIsObsoleteOnlyFromItsReleaseOn() throws IOException {
        String head =
                "[0.001s][info][gc] Using Parallel\n[0.001s][info][gc,init] Version: %s\n"
                        + "[0.001s][info][arguments] jvm_args: -XX:+UseParallelOldGC -Xmx1g\n"
                        + "[1.000s][info][gc] GC(0) Pause Young (Allocation Failure) 60M->40M(99M)"
                        + " 1.0ms\n";

        assertThat(diagnose(text(head, "14.0.2+12"))).contains("obsolete-flags");
        assertThat(diagnose(text(head, "11.0.22+7"))).doesNotContain("obsolete-flags");
    }

    @Test
    void reportsWarningsOfJvm() throws IOException {
        String log =
                "OpenJDK 64-Bit Server VM warning: Ignoring option ZGenerational; support was removed"
                        + " in 24.0\n"
                        + "[0.001s][info][gc] Using The Z Garbage Collector\n"
                        + "[1.000s][info][gc] GC(0) Major Collection (Warmup)\n"
                        + "[1.100s][info][gc] GC(0) Major Collection (Warmup) 60M(6%)->40M(4%)\n";

        assertThat(advice("obsolete-flags", log)).contains("Ignoring option ZGenerational");
    }

    @Test
    void namesFlagsThatDisableCollectorHeuristics() throws IOException {
        assertThat(advice("flags", jdk8("-XX:+UseG1GC -XX:NewSize=104857600")))
                .contains("pause control");
        assertThat(advice("flags", jdk8("-XX:+UseG1GC -XX:MaxGCPauseMillis=5")))
                .contains("MaxGCPauseMillis=5");
        assertThat(advice("flags", jdk8("-XX:+UseParallelGC -XX:SurvivorRatio=8")))
                .contains("UseAdaptiveSizePolicy");
        assertThat(diagnose(jdk8("-XX:+UseG1GC -XX:MaxGCPauseMillis=100"))).doesNotContain("flags");
    }

    @Test
    void explainsInitiatingFractionWithoutOnlyFlag() throws IOException {
        String cms = "-XX:+UseConcMarkSweepGC -XX:CMSInitiatingOccupancyFraction=70";

        assertThat(advice("cms-trigger", jdk8(cms))).contains("UseCMSInitiatingOccupancyOnly");
        assertThat(diagnose(jdk8(cms + " -XX:+UseCMSInitiatingOccupancyOnly")))
                .doesNotContain("cms-trigger");
    }

    private static String working(double userS) {
        return "[0.001s][info][gc] Using Parallel\n[0.001s][info][gc,init] CPUs: 4 total, 4 available\n"
                + IntStream.range(1, 40)
                        .mapToObj(i ->
                                text(
                                        "[%1$d.000s][info][gc] GC(%1$d) Pause Young (Allocation"
                                                + " Failure) 60M->40M(99M) 200.0ms%n"
                                                + "[%1$d.000s][info][gc,cpu] GC(%1$d) User=%2$.2fs"
                                                + " Sys=0.00s Real=0.20s%n",
                                        i, userS))
                        .collect(Collectors.joining());
    }

    @Test
    void collectorsShareOfAllCpusIsReported() throws IOException {
        assertThat(diagnose(working(0.8))).contains("gc-cpu");
        assertThat(diagnose(working(0.2))).doesNotContain("gc-cpu");
    }

    private static String survivors(long bytes) {
        return IntStream.range(1, 30)
                .mapToObj(i ->
                        text(
                                "%1$d.000: [GC %1$d.000: [ParNew%nDesired survivor size 5000000 bytes,"
                                        + " new threshold 1 (max 6)%n- age 1: %2$d bytes, %2$d total%n:"
                                        + " 90000K->%3$dK(100000K), 0.1 secs] 100000K->60000K(400000K),"
                                        + " 0.1010000 secs]%n",
                                i, bytes, bytes >> 10))
                .collect(Collectors.joining());
    }

    @Test
    void aFullSurvivorSpaceIsAnOverflow() throws IOException {
        assertThat(diagnose(survivors(9_900_000))).contains("survivor-overflow");
        assertThat(diagnose(survivors(7_000_000))).doesNotContain("survivor-overflow");
    }
}
