package dev.jdyno.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Anatomy;
import dev.jdyno.measure.Bottleneck;
import dev.jdyno.measure.Cause;
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
}
