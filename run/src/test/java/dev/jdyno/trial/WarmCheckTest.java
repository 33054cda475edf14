package dev.jdyno.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.RoundFixture;
import dev.jdyno.measure.load.WarmUpFacts;
import dev.jdyno.measure.load.WarmUpFacts.After;
import dev.jdyno.measure.load.WarmUpFacts.Compilers;
import dev.jdyno.measure.load.WarmUpFacts.Rest;
import dev.jdyno.measure.statistics.Interval;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WarmCheckTest {
    private static WarmUpFacts warmUp(Optional<Integer> queued, Rest... rests) {
        return new WarmUpFacts(
                30,
                new Compilers(Optional.of(0.05), Optional.of(0.1), queued),
                queued,
                List.of(rests),
                Optional.empty(),
                List.of());
    }

    @Test
    void doesNotRepeatOrdinaryWarmUp() {
        assertThat(WarmCheck.isWanted(warmUp(Optional.of(0)))).isFalse();
        assertThat(WarmCheck.isWanted(warmUp(Optional.of(CompilerDemand.FEW)))).isFalse();
        assertThat(WarmCheck.isWanted(warmUp(Optional.empty()))).isFalse();
    }

    @Test
    void repeatsWarmUpThatRestedOrLeftMethodsQueued() {
        var rest = new Rest(12, 5, Optional.of(550), Optional.of(0), 55, Optional.of(160.0));

        assertThat(WarmCheck.isWanted(warmUp(Optional.of(0), rest))).isTrue();
        assertThat(WarmCheck.isWanted(warmUp(Optional.of(300)))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "136, 1.30, true",
        "104, 1.01, true",
        "104, 0.98, false", // within the scatter of both rounds
        "103, 1.02, false", // at most 3 %
        "91, 0.85, false",
    })
    void gainMustExceedScatterAndThreePercent(double after, double lo, boolean more) {
        var shown = new After(100, 5, 100, after, new Interval(lo, 2), Optional.of(0));

        assertThat(shown.hasMore()).isEqualTo(more);
        assertThat(WarmCheck.warning(shown).isPresent()).isEqualTo(more);
    }

    /// A neighbour uses 0.9 of two cores in one of the two rounds.
    @ParameterizedTest
    @CsvSource({
        "0.9, 0.0, 100, 180, false", // it ended: more cores, more throughput
        "0.0, 0.9, 100, 60, false", // it started: less throughput proves nothing
        "0.9, 0.9, 100, 136, true", // it stayed
        "0.0, 0.0, 100, 136, true",
        "0.0, 0.9, 100, 136, true", // more throughput with fewer cores
        "0.9, 0.0, 100, 100, true", // same throughput with more cores
    })
    void roundWithOtherNeighbourProvesNothing(
            double earlier, double later, double before, double after, boolean isShown) {
        WarmUpFacts facts = warmUp(Optional.of(300));
        WarmUpFacts shown =
                WarmCheck.with(
                        facts,
                        besideOthers(before, earlier),
                        5,
                        besideOthers(after, later),
                        Optional.of(0));

        assertThat(shown.after().isPresent()).isEqualTo(isShown);
        assertThat(shown.missing()).hasSize(isShown ? 0 : 1);
    }

    private static Round besideOthers(double qps, double others) {
        return RoundFixture.round(100, qps).cores(1.9 - others).client(0.1).others(others).build();
    }

    @Test
    void gainCoversAllRests() {
        var first = new Rest(12, 6, Optional.of(544), Optional.of(0), 65, Optional.of(133.0));
        var second = new Rest(32, 3, Optional.of(439), Optional.of(0), 133, Optional.of(260.0));
        WarmUpFacts facts = warmUp(Optional.of(0), first, second);

        assertThat(facts.restsRatio()).contains(4.0);
        assertThat(facts.restedSeconds()).isEqualTo(9);
    }
}
