package dev.jdyno.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Outcome;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.tune.Tuned.Fate;
import dev.jdyno.tune.Tuned.Tried;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeapDivisionTest {
    private static final long MIB = 1 << 20;

    private static HeapDivision heap(String collector, String... flags) {
        return HeapDivision.of(
                        new TargetFacts(
                                Optional.of(1L),
                                Optional.empty(),
                                Optional.of("25"),
                                Optional.of(collector),
                                Optional.of(512 * MIB),
                                Optional.empty(),
                                List.of(flags),
                                2,
                                false,
                                List.of(),
                                List.of()))
                .orElseThrow();
    }

    private static List<Change.Launch> changes(String... arguments) {
        return Stream.of(arguments).map(Change::jvmArgument).toList();
    }

    @ParameterizedTest
    @CsvSource({
        // a third of 1500 MB, limited to 60 % of 512 MB
        "Parallel, -Xmx1500m, -Xmn307m",
        "Parallel, -Xmx700m, -Xmn233m",
        "Serial, -XX:MaxHeapSize=700m, -Xmn233m",
        "G1, -Xmx1500m, ",
        "Parallel, -Xmx600m, ",
        "Parallel, -Xmx256m, ",
        "ZGC, -Xmx1500m, ",
        "Shenandoah, -Xmx1500m, "
    })
    void youngGenerationOfLargerHeapIsASeparateChange(String collector, String heap, String young) {
        assertThat(
                        heap(collector)
                                .youngPart(changes(heap))
                                .map(c -> ((Change.JvmFlag) c).argument()))
                .isEqualTo(Optional.ofNullable(young));
    }

    @Test
    void aRatioOfTheUsersIsKept() {
        assertThat(heap("Parallel", "-XX:NewRatio=4").youngPart(changes("-Xmx1g")))
                .contains(Change.jvmArgument("-Xmn204m"));
    }

    @Test
    void addsNoSecondYoungGenerationFlag() {
        assertThat(heap("Parallel", "-Xmn64m").youngPart(changes("-Xmx1500m"))).isEmpty();
        assertThat(heap("Parallel").youngPart(changes("-Xmx1500m", "-Xmn800m"))).isEmpty();
    }

    private static Tried seen(double gain, String... arguments) {
        var look =
                new Measured(
                        Outcome.INCONCLUSIVE,
                        Metric.QPS,
                        Optional.of(gain),
                        Optional.of(new Interval(gain / 2, gain * 2)),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        1,
                        false,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
        return new Tried(
                new Candidate("c", "c", changes(arguments), Optional.empty(), false),
                Fate.NOT_COMPARED,
                Optional.of(look),
                Optional.empty(),
                "");
    }

    @Test
    void triesChangesOfSameHeapSizeBeforeLargerHeap() {
        Tried heap = seen(1.57, "-Xmx1500m");
        Tried young = seen(1.27, "-Xmn307m");
        Tried survivor = seen(1.6, "-Xmn364m", "-XX:SurvivorRatio=2");

        assertThat(Tries.inOrder(List.of(heap, young, survivor)))
                .containsExactly(survivor, young, heap);
    }
}
