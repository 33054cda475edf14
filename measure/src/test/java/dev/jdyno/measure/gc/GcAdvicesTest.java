package dev.jdyno.measure.gc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GcAdvicesTest {
    private static final double MIB = 1 << 20;

    private static GcSetting setting(
            Collector collector, double heapMib, double liveMib, String... flags) {
        return new GcSetting(
                collector,
                OptionalInt.of(25),
                OptionalInt.of(4),
                Optional.of(8192 * MIB),
                Optional.of(heapMib * MIB),
                Optional.of(heapMib * MIB),
                liveMib > 0 ? Optional.of(liveMib * MIB) : Optional.empty(),
                Optional.empty(),
                OptionalLong.empty(),
                OptionalInt.empty(),
                GcSetting.flags(List.of(flags)));
    }

    @Test
    void flagsAreReadByName() {
        assertThat(
                        GcSetting.flags(
                                List.of(
                                        "-Xmx1g",
                                        "-XX:+UseG1GC",
                                        "-XX:-UseAdaptiveSizePolicy",
                                        "-XX:SurvivorRatio=2",
                                        "-Da=b")))
                .isEqualTo(
                        Map.of(
                                "UseG1GC", "true",
                                "UseAdaptiveSizePolicy", "false",
                                "SurvivorRatio", "2"));
        assertThat(GcSetting.size(Map.of("G1HeapRegionSize", "8m"), "G1HeapRegionSize"))
                .hasValue(8 << 20);
        assertThat(GcSetting.size(Map.of("G1HeapRegionSize", "huge"), "G1HeapRegionSize"))
                .isEmpty();
        assertThat(GcSetting.number(Map.of("ConcGCThreads", "99999999999"), "ConcGCThreads"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"G1, G1", "Serial, SERIAL", "Z, ZGC", "ZGC, ZGC", "'', UNKNOWN", "my own, UNKNOWN"})
    void collectorsAreKnownByName(String name, Collector collector) {
        assertThat(Collector.named(name)).isEqualTo(collector);
    }

    @ParameterizedTest
    @CsvSource({
        // half as many collections need twice the free space, not twice the heap
        "256, 56, -Xmx456m",
        // almost no free space
        "100, 96, -Xmx192m",
        "256, 0, -Xmx512m",
    })
    void freeSpaceExcludesLiveSet(double heap, double live, String change) {
        GcAdvice advice = GcAdvices.halfAsManyCollections(setting(Collector.SERIAL, heap, live));

        assertThat(advice.change()).isEqualTo(change);
        assertThat(advice.heapBytes()).isPresent();
    }

    @ParameterizedTest
    @CsvSource({"128, 96, -Xmx288m", "512, 60, -Xmx964m", "256, 0, -Xmx512m"})
    void largeHeapIsNeverSmallerThanCurrentHeap(double heap, double live, String change) {
        assertThat(GcAdvices.largeHeap(setting(Collector.PARALLEL, heap, live)).change())
                .isEqualTo(change);
    }

    /// A heap of 256 MiB that may grow to 4 GiB.
    @Test
    void growableHeapStartsLargerWithSameLimit() {
        GcSetting g = setting(Collector.G1, 256, 50);
        var mayGrow =
                new GcSetting(
                        g.collector(),
                        g.jdk(),
                        g.cpus(),
                        g.memoryBytes(),
                        g.heapBytes(),
                        Optional.of(4096 * MIB),
                        g.liveBytes(),
                        g.youngBytes(),
                        g.regionBytes(),
                        g.concurrentThreads(),
                        g.flags());

        assertThat(GcAdvices.young(mayGrow, 300 * MIB, "F9").change()).startsWith("-Xms");
        assertThat(GcAdvices.halfAsManyCollections(mayGrow).change()).startsWith("-Xms");
    }

    @Test
    void noYoungSizeIsAdvisedForG1() {
        GcAdvice advice = GcAdvices.young(setting(Collector.G1, 256, 40), 100 * MIB, "F9");

        assertThat(advice.change()).isEqualTo("-Xmx472m");
    }

    @ParameterizedTest
    @CsvSource({
        "100, 40, -Xmn100m",
        // old keeps 1.5 times the live size
        "220, 40, -Xmn220m -Xmx284m",
    })
    void youngGenerationLeavesSpaceForOld(double young, double live, String change) {
        assertThat(
                        GcAdvices.young(setting(Collector.SERIAL, 256, live), young * MIB, "F9")
                                .change())
                .isEqualTo(change);
    }

    @ParameterizedTest
    @CsvSource({"PARALLEL, 3", "SERIAL, 2"})
    void disablesSurvivorResizingOnlyForParallel(Collector collector, int changes) {
        assertThat(
                        GcAdvices.survivors(
                                        setting(collector, 256, 40), 15 * MIB, 30 * MIB, 0, "", "")
                                .changes())
                .hasSize(changes);
        assertThat(
                        GcAdvices.survivors(
                                        setting(
                                                Collector.PARALLEL,
                                                256,
                                                40,
                                                "-XX:-UseAdaptiveSizePolicy"),
                                        15 * MIB,
                                        30 * MIB,
                                        0,
                                        "",
                                        "")
                                .change())
                .isEqualTo("-XX:SurvivorRatio=2 -Xmn60m");
    }

    @Test
    void avoidsRegionsTooLargeForHeap() {
        assertThat(GcAdvices.regions(setting(Collector.G1, 32, 0))).isEmpty();
        assertThat(GcAdvices.regions(setting(Collector.G1, 65_536, 0)))
                .as("the largest regions already")
                .isEmpty();
        assertThat(GcAdvices.regions(setting(Collector.G1, 256, 0)).orElseThrow().change())
                .isEqualTo("-XX:G1HeapRegionSize=8m");
    }

    @ParameterizedTest
    @CsvSource({"0.8, 1", "30, 15", "600, 50"})
    void advisesTimeoutThatNamesLateThread(double ms, int delay) {
        assertThat(GcAdvices.nameLateThread(ms).change())
                .endsWith("-XX:SafepointTimeoutDelay=" + delay);
    }

    @ParameterizedTest
    @CsvSource({
        "G1, -XX:+UseG1GC, ''",
        "G1, -XX:-UseCountedLoopSafepoints, remove -XX:-UseCountedLoopSafepoints",
        "SERIAL, -XX:+UseSerialGC, -XX:+UseCountedLoopSafepoints",
        "SERIAL, -XX:+UseCountedLoopSafepoints, ''",
        "UNKNOWN, -XX:+UseSerialGC, ''",
    })
    void advisesLoopPollsIfMissing(Collector collector, String flag, String change) {
        assertThat(
                        GcAdvices.loopPolls(setting(collector, 256, 0, flag))
                                .map(GcAdvice::change)
                                .orElse(""))
                .isEqualTo(change);
    }
}
