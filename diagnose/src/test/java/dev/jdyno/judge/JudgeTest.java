package dev.jdyno.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.Recommendations;
import dev.jdyno.measure.Machine;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RoundFixture;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.Standstill;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.CapacityNotes;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.measure.verdict.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JudgeTest {
    private final Judge judge = Judge.rankingBy(Recommendations.Aim.QPS);

    @Test
    void marksRoundsOfLeakingServiceAsIncomparable() {
        CapacityNotes notes =
                CapacityNotes.NONE.plus(List.of("throughput falls from concurrency 8 on"));

        assertThat(Judge.notes(Bottleneck.GC_LEAK, notes).others())
                .hasSize(2)
                .endsWith(notes.others().getFirst())
                .first()
                .asString()
                .contains("cannot be compared");
        assertThat(Judge.notes(Bottleneck.GC_LIVE_SET, notes)).isEqualTo(notes);
    }

    /// The service only waits at the tested loads, and twice the load was still to be tested.
    @Test
    void truncatedSearchLowersConfidence() {
        List<Round> rounds =
                List.of(
                        RoundFixture.round(1, 10).cores(0.1).build(),
                        RoundFixture.round(6, 60).cores(0.6).build());
        var cut = new Validity.Warning(Validity.SEARCH_CUT, "12 in flight was next", false);

        Verdict whole = Judge.verdict(recording(rounds, List.of()));
        Verdict partial = Judge.verdict(recording(rounds, List.of(cut)));

        assertThat(whole.bottleneck()).isEqualTo(Bottleneck.LOAD);
        assertThat(whole.confidence()).isGreaterThan(0.9);
        assertThat(partial.bottleneck()).isEqualTo(Bottleneck.LOAD);
        assertThat(partial.confidence()).isEqualTo(0.5);
        assertThat(partial.says()).endsWith("offer more. But 12 in flight was next.");
        assertThat(partial.runnersUp()).allMatch(r -> r.confidence() <= 0.5);
    }

    /// The rounds would name the bottleneck, but the service stopped responding in one of them.
    @Test
    void standstillIsNoBottleneckAndInvalidatesResult() {
        List<Round> rounds =
                List.of(
                        RoundFixture.round(1, 10).cores(0.1).build(),
                        RoundFixture.round(6, 60).cores(0.6).build());
        Recording ran = recording(rounds, List.of());
        Recording stood =
                ran.withTarget(
                        ran.target()
                                .with(
                                        List.of(
                                                new Standstill(
                                                        Standstill.By.SIGNAL,
                                                        12,
                                                        Optional.empty()))));
        var about = new RunResult.About("0", "", Instant.EPOCH, 1, "t");

        RunResult result = judge.result(about, stood);

        assertThat(Judge.verdict(ran).bottleneck()).isEqualTo(Bottleneck.LOAD);
        assertThat(result.verdict().bottleneck()).isEqualTo(Bottleneck.UNKNOWN);
        assertThat(result.verdict().says()).contains("second 12");
        assertThat(result.validity().ok()).isFalse();
        assertThat(result.validity().warnings())
                .anyMatch(w -> w.id().equals("stood-still") && w.spoils());
        assertThat(judge.challenges(stood).wanted()).isEmpty();
    }

    private static Recording recording(List<Round> rounds, List<Validity.Warning> warnings) {
        return new Recording(
                new Machine(2, 8L << 30, "6.1", 0),
                new TargetFacts(
                        Optional.of(1L),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        2,
                        true,
                        List.of(),
                        List.of()),
                Optional.of(1.0),
                rounds,
                List.of(),
                warnings,
                !warnings.isEmpty());
    }
}
