package dev.jdyno.judge;

import static dev.jdyno.measure.RoundFixture.round;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.diagnose.DisturbedNotes;
import dev.jdyno.diagnose.Recommendations;
import dev.jdyno.diagnose.evidence.Doubt;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.measure.Disturbance;
import dev.jdyno.measure.Machine;
import dev.jdyno.measure.Neighbour;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.SameCores;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Validity.Warning;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// A service with 10 ms of CPU and 80 ms of waiting a request on two cores. Other processes
/// disturbed some of its rounds.
final class DisturbedVerdictTest {
    private static final double CLIENT = 0.05;
    private static final double KNEE = (2 - CLIENT) / 0.010 * 0.090;

    private static Round at(int n, double others) {
        double qps = Math.min(n / 0.090, (2 - others - CLIENT) / 0.010);
        return round(n, qps).cores(qps * 0.010).client(CLIENT).others(others).build();
    }

    private static Round beside(int n, boolean kept) {
        return at(n, 1).disturbed(
                        Optional.of(
                                new Disturbance(
                                        1,
                                        0,
                                        0,
                                        5,
                                        List.of(new Neighbour("burn", 77, 0.98)),
                                        kept)));
    }

    private static RunResult judged(List<Round> rounds, List<Round> leftOut) {
        return Judge.rankingBy(Recommendations.Aim.QPS)
                .result(
                        new RunResult.About("test", "test", Instant.EPOCH, 1, "test"),
                        recording(rounds, List.of()).leavingOut(leftOut));
    }

    private static Recording recording(List<Round> rounds, List<ThreadSamples> windows) {
        var target =
                new TargetFacts(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        2,
                        false,
                        List.of(),
                        List.of());
        return new Recording(
                new Machine(2, 1L << 30, "test", 0),
                target,
                Optional.of(5.0),
                rounds,
                windows,
                List.of(),
                false);
    }

    private static List<Round> quiet(int... loads) {
        List<Round> rounds = new ArrayList<>();
        for (int n : loads) {
            rounds.add(at(n, 0));
        }
        return rounds;
    }

    /// True if the verdict claims that throughput falls at higher load.
    private static boolean falls(RunResult result) {
        return result.verdict().evidence().stream().anyMatch(Figure.THROUGHPUT_LEFT::isOf);
    }

    private static Optional<Warning> said(RunResult result) {
        return result.validity().warnings().stream()
                .filter(w -> w.id().equals(DisturbedNotes.ID))
                .findFirst();
    }

    @Test
    void omittedRoundsChangeOnlyTheNote() {
        RunResult alone = judged(quiet(1, 4, 9, 18, 36, 72), List.of());
        RunResult with = judged(quiet(1, 4, 9, 18, 36, 72), List.of(beside(72, false)));

        assertThat(with.knee()).isEqualTo(alone.knee());
        assertThat(with.verdict()).isEqualTo(alone.verdict());
        assertThat(said(alone)).isEmpty();
        assertThat(said(with)).isPresent();
        assertThat(with.validity().ok()).isTrue();
        assertThat(with.recording().leftOut()).hasSize(1);
    }

    @Test
    void aKeptRoundMovesNeitherKneeNorFalls() {
        List<Round> rounds = quiet(1, 4, 9, 18, 36);
        rounds.add(beside(72, true));

        RunResult result = judged(rounds, List.of());

        assertThat(result.knee().orElseThrow().concurrency()).isEqualTo(KNEE, within(0.1 * KNEE));
        assertThat(result.verdict().bottleneck()).isEqualTo(Bottleneck.CPU);
        assertThat(falls(result)).isFalse();
        assertThat(result.verdict().confidence()).isLessThanOrEqualTo(Doubt.MAX_CONFIDENCE);
        assertThat(result.validity().ok()).isTrue();
        // the result shows the figures as measured
        assertThat(result.rounds().getLast().qps()).isEqualTo(rounds.getLast().qps());
    }

    /// The case that adjustment solves: the only saturated round had a neighbour.
    @Test
    void unadjustedRoundsGiveWrongVerdict() {
        List<Round> rounds = quiet(1, 4, 9, 18, 36);
        rounds.add(at(72, 1));

        assertThat(falls(judged(rounds, List.of()))).isTrue();
    }

    @Test
    void predictionAndKneeAgreeForDisturbedSaturatedRounds() {
        List<Round> rounds = quiet(1, 4, 9);
        rounds.add(beside(18, true));
        rounds.add(beside(36, true));
        rounds.add(beside(72, true));
        rounds.add(at(80, 0));

        var knee = judged(rounds, List.of()).knee().orElseThrow();

        assertThat(knee.concurrency()).isEqualTo(KNEE, within(0.1 * KNEE));
        assertThat(knee.predicted().orElseThrow().concurrency())
                .isEqualTo(knee.concurrency(), within(0.1 * KNEE));
    }

    @Test
    void aResultOfMostlyDisturbedRoundsIsNotValid() {
        List<Round> rounds = quiet(1, 9);
        for (int n : new int[] {18, 36, 72}) {
            rounds.add(beside(n, true));
        }

        RunResult result = judged(rounds, List.of());

        assertThat(said(result).orElseThrow().spoils()).isTrue();
        assertThat(result.validity().ok()).isFalse();
    }

    /// A connection pool limits throughput. A neighbour made the CPU look saturated in one round.
    @Test
    void keptRoundWithOtherLimitDoesNotNameCpu() {
        List<Round> rounds = new ArrayList<>();
        for (int n : new int[] {1, 4, 8, 30, 60}) {
            double qps = Math.min(n / 0.090, 100);
            rounds.add(round(n, qps).cores(qps * 0.010).client(CLIENT).build());
        }
        Round odd = round(15, 90).cores(0.93).client(CLIENT).others(1).build();
        rounds.add(odd.disturbed(beside(15, true).disturbance()));

        RunResult result = judged(rounds, List.of());

        assertThat(result.verdict().bottleneck()).isNotEqualTo(Bottleneck.CPU);
        // the figures of the disturbed round are nearer to those of the other rounds
        assertThat(SameCores.isScaled(rounds.getLast(), rounds)).isTrue();
        assertThat(DisturbedNotes.ofKept(rounds)).isPresent();
        assertThat(result.verdict().says().text())
                .endsWith(DisturbedNotes.ofKept(rounds).orElseThrow());
    }

    @Test
    void breakdownUsesCoresOfAdjustedRound() {
        List<Round> rounds = quiet(1, 4, 9, 18, 36);
        rounds.add(beside(72, true));
        Round beside = rounds.getLast();
        ThreadSamples window = window(72, beside.qps());

        Round same = Judge.comparable(recording(rounds, List.of(window))).rounds().getLast();

        assertThat(same.rtMs().mean()).isLessThan(0.6 * beside.rtMs().mean());
        double parts = same.anatomy().orElseThrow().sumMs();
        assertThat(parts).isPositive().isLessThanOrEqualTo(Breakdown.mostMs(same.rtMs().mean()));
    }

    /// Every request in flight has a running thread.
    private static ThreadSamples window(int concurrency, double qps) {
        Place page = PlaceText.place(Cause.LOCK, "Shop.lock");
        var busy = new ThreadSamples.Busy(Cause.LOCK, page, concurrency);
        return new ThreadSamples(concurrency, qps, 20, 1, List.of(), List.of(busy), 0, 0);
    }
}
