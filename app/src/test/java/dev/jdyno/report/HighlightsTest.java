package dev.jdyno.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Anatomy;
import dev.jdyno.measure.Bottleneck;
import dev.jdyno.measure.Cause;
import dev.jdyno.measure.Census;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HighlightsTest {
    /// Threads wait for memory only at the highest load, which gives less than the one before.
    private static RunResult stallsBeyondTheBest(Bottleneck named) {
        RunResult r = ResultFixture.e1();
        List<Round> rounds =
                r.rounds().stream()
                        .map(x ->
                                x.withAnatomy(
                                        new Anatomy(
                                                Map.of(
                                                        Cause.GC,
                                                        x.equals(r.rounds().getLast()) ? 4.0 : 0.1),
                                                List.of(),
                                                10)))
                        .toList();
        return new RunResult(
                r.jdyno(),
                r.machine(),
                r.target(),
                rounds,
                r.census(),
                Optional.empty(),
                r.demands(),
                new Verdict(named, "", 0.85, "", List.of(), List.of()),
                r.whatIf(),
                r.prescriptions(),
                r.validity(),
                false);
    }

    @Test
    void stallsAreShownInTheRoundThatHasThem() {
        RunResult stalls = stallsBeyondTheBest(Bottleneck.GC_STALL);
        RunResult other = stallsBeyondTheBest(Bottleneck.CPU);

        assertThat(Highlights.anatomyRound(stalls)).contains(stalls.rounds().getLast());
        assertThat(Highlights.anatomyRound(other).orElseThrow().qps())
                .isEqualTo(other.rounds().stream().mapToDouble(Round::qps).max().orElseThrow());
    }

    @Test
    void aPlaceWithANameIsShownBeforeTheSumOfTheSmallOnes() {
        var part = new Highlights.Part(Cause.CPU.key(), "CPU", 3);
        var elsewhere = new Anatomy.Spot(Cause.CPU, Census.ELSEWHERE, 2);
        var named = new Anatomy.Spot(Cause.CPU, "com.acme.Page.get", 1);

        assertThat(Highlights.where(new Anatomy(Map.of(), List.of(elsewhere, named), 0), part))
                .contains("33 %: com.acme.Page.get");
        assertThat(Highlights.where(new Anatomy(Map.of(), List.of(elsewhere), 0), part))
                .contains("67 %: " + Census.ELSEWHERE);
        assertThat(
                        Highlights.where(
                                new Anatomy(Map.of(), List.of(named), 0),
                                new Highlights.Part(Cause.CPU.key(), "CPU", 1)))
                .contains("com.acme.Page.get");
    }
}
