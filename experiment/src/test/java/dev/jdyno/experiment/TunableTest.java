package dev.jdyno.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.experiment.Tunable.Found;
import dev.jdyno.measure.verdict.Change;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which result of a tuning agrees with a published experiment, checked without a measurement.
class TunableTest {
    private static final Found NOTHING_FOUND =
            new Found(List.of(), Optional.empty(), Optional.empty(), Optional.empty());

    private static Tunable of(String id) {
        return (Tunable) Published.find(id).orElseThrow();
    }

    private static Found found(String... arguments) {
        return new Found(
                Stream.of(arguments)
                        .map(a ->
                                a.startsWith("--max-threads ")
                                        ? new Change.ProgramArgument(
                                                "--max-threads {}",
                                                a.substring("--max-threads ".length()))
                                        : Change.jvmArgument(a))
                        .toList(),
                Optional.of(1.5),
                Optional.empty(),
                Optional.empty());
    }

    @ParameterizedTest
    @CsvSource({
        "E11, --max-threads 16, true",
        "E11, --max-threads 40, true",
        "E11, -XX:SurvivorRatio=1, false",
        "E9, -Xmn307m, true",
        "E9, -Xmx1500m, false",
        "E21, -XX:SurvivorRatio=2, true",
        "E21, -Xmx1g, false",
        "E21, -Xmn500m, true"
    })
    void passesIfResultHasPublishedChange(String id, String change, boolean holds) {
        assertThat(of(id).judged(found(change)).holds()).isEqualTo(holds);
    }

    @Test
    void largerHeapDoesNotSolveTooManyThreads() {
        assertThat(of("E11").judged(found("--max-threads 16", "-Xmx1g")).holds()).isFalse();
        assertThat(of("E11").keepsHeap()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"E9", "E11", "E21"})
    void tuningWithoutAChangeFails(String id) {
        assertThat(of(id).judged(NOTHING_FOUND).holds()).isFalse();
    }

    /// 3 requests per CPU second for one before are no 2.5 times the throughput.
    @ParameterizedTest
    @CsvSource({"3.5, 1.4, true", "1.4, 3.0, false"})
    void throughputIsJudgedIfTheCpuDecided(double throughput, double cpuGain, boolean holds) {
        var found =
                new Found(
                        List.of(), Optional.of(throughput), Optional.empty(), Optional.of(cpuGain));

        Comparison result = of("E10").result(found);

        assertThat(result.holds()).isEqualTo(holds);
        assertThat(result.rows())
                .filteredOn(r -> r.judged().isEmpty() && r.published().isEmpty())
                .extracting(Comparison.Row::measured)
                .containsExactly(cpuGain);
    }

    @Test
    void throughputThatDecidedHasNoSecondRow() {
        assertThat(of("E10").result(found("-Xmn307m")))
                .isEqualTo(of("E10").judged(found("-Xmn307m")));
    }

    /// The survivor space is a tenth, or a quarter, of `-Xmn357m`.
    @Test
    void aSurvivorSpaceIsAPartOfTheYoungGeneration() {
        assertThat(SurvivorSize.survivorMb(List.of())).isCloseTo(35.7, within(1e-9));
        assertThat(SurvivorSize.survivorMb(found("-XX:SurvivorRatio=2").changes()))
                .isCloseTo(357 / 4.0, within(1e-9));
    }
}
