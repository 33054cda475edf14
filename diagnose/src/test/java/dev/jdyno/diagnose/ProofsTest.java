package dev.jdyno.diagnose;

import static dev.jdyno.measure.RoundFixture.round;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Attempt;
import dev.jdyno.measure.Challenge;
import dev.jdyno.measure.Intervention;
import dev.jdyno.measure.Proof;
import dev.jdyno.measure.Proof.Answer;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProofsTest {
    private static final Verdict CPU =
            new Verdict(Bottleneck.CPU, "", 0.9, Sentence.of(""), List.of(), List.of());

    private static final Challenge FEWER =
            new Challenge(
                    new Intervention.FewerCores(1),
                    20,
                    Challenge.Figure.QPS,
                    0.5,
                    new Interval(0.4, 0.75),
                    "");

    private static Attempt made(double before, double changed, double after) {
        return new Attempt.Made(
                FEWER,
                "CPU 0 of 0-1",
                round(20, before).build(),
                round(20, changed).build(),
                round(20, after).build());
    }

    @ParameterizedTest(name = "{0} {1} {2} {3}")
    @CsvSource({
        "100, 52, 100, AGREED",
        "100, 98, 100, NOT_AGREED",
        "100, 20, 100, NOT_AGREED",
        "100, 76, 110, AGREED",
        // 77 is outside of the range with the mean of the plain rounds, and inside with the second
        // one
        "100, 77, 103, UNCLEAR",
        // the service changed between the plain rounds
        "100, 50, 60, UNCLEAR",
        "0, 0, 0, UNCLEAR"
    })
    void ratioAndDriftOfPlainRoundsDecide(
            double before, double changed, double after, Answer answer) {
        Proof proof = Proofs.of(CPU, List.of(made(before, changed, after)), List.of());

        assertThat(proof.answer()).isEqualTo(answer);
    }

    /// 52 would be out of range with the mean of 100 and a second plain round.
    @Test
    void usesRoundBeforeExperimentIfNoRoundFollows() {
        Proof proof =
                Proofs.of(
                        CPU,
                        List.of(
                                new Attempt.Made(
                                        FEWER,
                                        "maxThreads 5 -> 10",
                                        round(20, 100).build(),
                                        round(20, 52).build(),
                                        Optional.empty(),
                                        Optional.of("5 threads above the maximum"))),
                        List.of());

        assertThat(proof.answer()).isEqualTo(Answer.AGREED);
        assertThat(proof.tried().getFirst().ratio()).isEqualTo(0.52);
        assertThat(proof.tried().getFirst().after()).isEmpty();
        assertThat(proof.says())
                .endsWith(
                        "agrees from 0.40 to 0.75), beside the round before it alone, for 5 threads"
                                + " above the maximum");
    }

    @Test
    void singleContraryExperimentRefutes() {
        Proof proof =
                Proofs.of(CPU, List.of(made(100, 52, 100), made(100, 98, 100)), List.of("reason"));

        assertThat(proof.answer()).isEqualTo(Answer.NOT_AGREED);
        assertThat(proof.says())
                .isEqualTo(
                        "cpu not confirmed: CPU 0 of 0-1: qps × 0.52 (predicted × 0.50, agrees from 0.40"
                                + " to 0.75); CPU 0 of 0-1: qps × 0.98 (predicted × 0.50, agrees from 0.40 to"
                                + " 0.75), disagrees");
        assertThat(proof.notTried()).containsExactly("reason");
    }

    @Test
    void explainsMissingExperiments() {
        Proof proof =
                Proofs.of(
                        CPU, List.of(new Attempt.NotMade(FEWER, "taskset is missing")), List.of());

        assertThat(proof.answer()).isEqualTo(Answer.NOT_POSSIBLE);
        assertThat(proof.says()).isEqualTo("cpu not put to the test: 1 core: taskset is missing");
    }

    @Test
    void comparesResponseTimeIfPredicted() {
        var slower =
                new Challenge(
                        new Intervention.SlowerDownstream(java.time.Duration.ofMillis(100)),
                        5,
                        Challenge.Figure.RT,
                        2,
                        new Interval(1.5, 6),
                        "");
        // 5 in flight take 100 ms at 50/s and 200 ms at 25/s
        var attempt =
                new Attempt.Made(
                        slower,
                        "100 ms",
                        round(5, 50).build(),
                        round(5, 25).build(),
                        round(5, 50).build());

        Proof proof = Proofs.of(CPU, List.of(attempt), List.of());

        assertThat(proof.tried().getFirst().ratio()).isEqualTo(2);
        assertThat(proof.answer()).isEqualTo(Answer.AGREED);
    }
}
