package dev.jdyno.gclog.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.GcLog;
import dev.jdyno.gclog.sums.Analysis;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Stops other than collections: what makes them long, and that all their figures agree.
class SafepointRulesTest {
    private static Analysis read(String log) throws IOException {
        return GcLog.read(
                "test",
                new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)),
                GcLog.Options.DEFAULT);
    }

    private static List<GcDiagnosis> found(String log) throws IOException {
        return Diagnoses.of(read(log), OptionalDouble.empty());
    }

    private static Optional<GcDiagnosis> diagnosis(String log, String id) throws IOException {
        return found(log).stream().filter(d -> d.id().equals(id)).findFirst();
    }

    private static String times(int n, IntFunction<String> line) {
        return IntStream.range(0, n).mapToObj(line).collect(Collectors.joining());
    }

    private static String text(String format, Object... args) {
        return String.format(Locale.ROOT, format, args);
    }

    private static String safepoint(double endS, String operation, double reachingMs, double atMs) {
        return text(
                "[%.3fs][info][safepoint] Safepoint \"%s\", Time since last: 9000000 ns, Reaching"
                        + " safepoint: %.0f ns, Cleanup: 1000 ns, At safepoint: %.0f ns, Total: %.0f"
                        + " ns%n",
                endS, operation, reachingMs * 1e6, atMs * 1e6, (reachingMs + atMs) * 1e6);
    }

    /// A young collection every `everyS` seconds, whose last thread reaches the safepoint after
    /// this number of ms.
    private static String late(int jdk, int n, double everyS, double reachingMs) {
        return text("[0.004s][info][gc] Using G1%n[0.004s][info][gc,init] Version: %d.0.1+9%n", jdk)
                + times(
                        n,
                        i -> {
                            double end = (i + 1) * everyS;
                            return text(
                                            "[%.3fs][info][gc] GC(%d) Pause Young (Normal) (G1"
                                                    + " Evacuation Pause) 14M->4M(64M) 2.000ms%n",
                                            end, i)
                                    + safepoint(end, "G1CollectForAllocation", reachingMs, 2.1);
                        });
    }

    /// A loop of half a second runs next to requests whose garbage is collected. Each collection
    /// waits for the loop.
    @Test
    void namesOnlyLateThread() throws IOException {
        List<GcDiagnosis> found = found(late(17, 200, 0.63, 592));

        assertThat(found.getFirst().id()).isEqualTo("time-to-safepoint");
        assertThat(found.getFirst().severity()).isEqualTo(Severity.CRITICAL);
        assertThat(found).noneMatch(d -> d.id().equals("other-safepoints"));
        assertThat(found).noneMatch(d -> d.id().equals("local-thrash"));
    }

    /// The share of the worst minute and that of the whole log count the same stops.
    @Test
    void theWorstMinuteIsNoLessThanTheWholeLog() throws IOException {
        Analysis a = read(late(17, 200, 0.63, 592));
        double whole = a.spanPct(a.stopped().allMs());

        assertThat(whole).isBetween(93.0, 95.0);
        assertThat(a.stopped().worst())
                .filteredOn(w -> w.seconds() >= 10)
                .hasSize(2)
                .allSatisfy(w -> assertThat(w.stoppedPct()).isBetween(whole - 1, 100.0));
    }

    @Test
    void reportsMinuteOfLateStopsInLongLog() throws IOException {
        String log =
                late(17, 60, 0.63, 592)
                        + times(
                                20,
                                i ->
                                        text(
                                                "[%d.000s][info][gc] GC(9) Pause Young (Normal) (G1"
                                                        + " Evacuation Pause) 14M->4M(64M) 2.000ms%n",
                                                100 + i * 100));

        assertThat(diagnosis(log, "local-thrash").orElseThrow().says())
                .contains("59 % of the time", "only 1.8 %");
    }

    /// 20 waits of 15 ms a second: no stop is long, but they take a third of the time.
    @Test
    void manyShortTimesToSafepointCountLikeFewLongTimes() throws IOException {
        assertThat(diagnosis(late(25, 400, 0.05, 15), "time-to-safepoint").orElseThrow().severity())
                .isEqualTo(Severity.CRITICAL);
        assertThat(diagnosis(late(25, 400, 0.05, 0.1), "time-to-safepoint")).isEmpty();
    }

    private static String other(int jdk, String operation) {
        return text("[0.004s][info][gc] Using G1%n[0.004s][info][gc,init] Version: %d.0.1+9%n", jdk)
                + times(100, i -> safepoint(1 + i, operation, 0.1, 300));
    }

    @ParameterizedTest
    @CsvSource({
        "17, RevokeBias, UseBiasedLocking",
        "11, BulkRevokeBias, UseBiasedLocking",
        "25, PrintThreads, thread dumps",
        "17, FindDeadlocks, thread dumps",
        "25, GC_HeapInspection, heap inspection",
        "17, ICBufferFull, deoptimisation",
        "17, RedefineClasses, redefines classes",
        "17, Cleanup, too few cores",
        "25, Unheard, what asks for these",
    })
    void adviceFitsObservedOperation(int jdk, String operation, String advice) throws IOException {
        List<String> given =
                diagnosis(other(jdk, operation), "other-safepoints").orElseThrow().advice();

        assertThat(given).singleElement().asString().contains(advice);
    }

    @ParameterizedTest
    @CsvSource({"18", "21", "25"})
    void advisesBiasedLockingFlagOnlyToJdksWithThatFlag(int jdk) throws IOException {
        assertThat(found(other(jdk, "RevokeBias")))
                .flatExtracting(GcDiagnosis::advice)
                .noneMatch(text -> text.contains("UseBiasedLocking"));
    }

    @ParameterizedTest
    @CsvSource({
        "G1, 17, false",
        "Serial, 17, true",
        "Parallel, 25, true",
        "G1, 9, true",
    })
    void advisesPollsForCountedLoopsWithoutPolls(String collector, int jdk, boolean advised)
            throws IOException {
        String log = late(jdk, 50, 0.63, 592).replace("Using G1", "Using " + collector);

        assertThat(advisesPolls(log)).isEqualTo(advised);
    }

    private static boolean advisesPolls(String log) throws IOException {
        return diagnosis(log, "time-to-safepoint").orElseThrow().advice().stream()
                .anyMatch(text -> text.contains("-XX:+UseCountedLoopSafepoints"));
    }

    /// A log from the folder of a run: logging was switched on long after the start of the JVM.
    @Test
    void aLogWithoutAHeadIsOfAJdkThatHasPollsByDefault() throws IOException {
        String log =
                late(17, 50, 0.63, 592)
                        .replaceFirst("(?m)^.*Version.*$", "")
                        .replaceFirst("(?m)^.*Using G1$", "");

        assertThat(advisesPolls(log)).isFalse();
    }
}
