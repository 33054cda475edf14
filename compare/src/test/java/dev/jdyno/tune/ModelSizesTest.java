package dev.jdyno.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.measure.gc.HeapObservation.Copying;
import dev.jdyno.measure.gc.HeapObservation.Kind;
import dev.jdyno.measure.verdict.Change;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A few heap sizes, each with the prediction of the heap model.
class ModelSizesTest {
    private static final double MIB = 1 << 20;
    private static final double MUCH_MEMORY = 64_000 * MIB;

    /// A cache on 200 MiB, whose entries outlive the survivor spaces: 29 full collections.
    private static HeapObservation promoting(Kind kind) {
        return new HeapObservation(
                kind,
                OptionalInt.of(25),
                200 * MIB,
                Optional.of(66.7 * MIB),
                49 * MIB,
                false,
                90 * MIB,
                6,
                5_300 * MIB,
                2_200 * MIB,
                103,
                29,
                0,
                1802,
                1886,
                0,
                Optional.of(new Copying(52 * MIB, 6.5 * MIB, 21 * MIB, 2_800 * MIB, 17, List.of())),
                List.of(),
                List.of());
    }

    private static List<String> arguments(List<ModelSizes.Sized> sizes) {
        return sizes.stream()
                .map(s ->
                        String.join(
                                " ",
                                s.changes().stream()
                                        .map(c -> ((Change.JvmFlag) c).argument())
                                        .toList()))
                .toList();
    }

    @Test
    void predictsAFewSizesOfEachPart() {
        List<ModelSizes.Sized> sizes =
                new ModelSizes(promoting(Kind.SERIAL), List.of()).best(MUCH_MEMORY);

        assertThat(sizes.stream().filter(s -> s.id().startsWith("young-"))).hasSizeBetween(1, 2);
        assertThat(sizes.stream().filter(s -> s.id().startsWith("survivors-"))).hasSize(1);
        assertThat(sizes.stream().filter(s -> s.id().startsWith("heap-"))).hasSize(1);
        assertThat(arguments(sizes)).contains("-Xmx400m -Xms400m");
        assertThat(sizes).allMatch(s -> s.pauses() > 0);
        assertThat(sizes.stream().filter(s -> s.id().startsWith("heap-")))
                .as("twice the heap has fewer pauses")
                .allMatch(s -> s.pauses() < 1);
    }

    /// 49 MiB of 200 MiB are live. The old generation must hold them, so the young generation is at
    /// most 60 % of the heap.
    @Test
    void youngGenerationLeavesOldSpaceForLiveSet() {
        assertThat(arguments(new ModelSizes(promoting(Kind.PARALLEL), List.of()).best(MUCH_MEMORY)))
                .filteredOn(a -> a.startsWith("-Xmn"))
                .isNotEmpty()
                .allMatch(a -> Integer.parseInt(a.replaceAll("\\D", "")) <= 120);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 6})
    void omitsCurrentRatio(int ratio) {
        assertThat(
                        arguments(
                                new ModelSizes(
                                                promoting(Kind.SERIAL),
                                                List.of("-XX:SurvivorRatio=" + ratio))
                                        .best(MUCH_MEMORY)))
                .doesNotContain("-XX:SurvivorRatio=" + ratio);
    }

    @Test
    void heapsFitIntoMemory() {
        assertThat(new ModelSizes(promoting(Kind.SERIAL), List.of()).best(500 * MIB))
                .noneMatch(s -> s.id().startsWith("heap-"));
    }

    /// Pauses take half of the time, and half of them disappear: the throughput ratio is 2 / 1.5.
    @Test
    void shorterPausesRaiseThroughput() {
        assertThat(new ModelSizes.Sized("", "", List.of(), 0.5).qpsRatio(0.5))
                .isCloseTo(4 / 3.0, within(1e-9));
        assertThat(new ModelSizes.Sized("", "", List.of(), 1).qpsRatio(0.3))
                .isCloseTo(1, within(1e-9));
    }
}
