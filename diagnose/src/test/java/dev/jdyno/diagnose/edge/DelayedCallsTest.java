package dev.jdyno.diagnose.edge;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.Patient;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.Verdict;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Calls behind a full pool wait for delayed acknowledgements. Because of the pool, response times
/// show no steps of 40 ms.
class DelayedCallsTest {
    /// At 100 requests a second, `threads` are in calls, 10 ms for each. Calls take the same time
    /// at a quarter of the load.
    private static EvidenceFixture calls(double threads) {
        return calls(threads, threads / 2);
    }

    /// @param atFew threads in calls at a quarter of the load, with 50 requests a second
    private static EvidenceFixture calls(double threads, double atFew) {
        return plateau()
                .rounds(r -> r.cores(0.2))
                .pool(
                        new ThreadSamples.Pool(
                                "exec",
                                threads,
                                threads,
                                0,
                                0,
                                true,
                                false,
                                0.1,
                                Map.of(Cause.DOWNSTREAM, threads)))
                .relaxed(Cause.DOWNSTREAM, "127.0.0.1:9000", atFew)
                .busy(Cause.DOWNSTREAM, "127.0.0.1:9000", threads)
                .sign(Sign.DELAYED_ACKS_PER_S, 300);
    }

    /// Calls of 42, 80 and 116 ms have one, two and three steps.
    @ParameterizedTest
    @CsvSource({"4.2, 4", "8, 8", "11.6, 11"})
    void dataHeldBackInEachCallIsTheLimitInsteadOfThePool(double threads, double held) {
        EvidenceFixture evidence = calls(threads).sign(Sign.HELD_BACK_SOCKETS, held);

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.NETWORK);
        assertThat(evidence.verdict().where()).isEqualTo("127.0.0.1:9000");
    }

    @ParameterizedTest
    @CsvSource({"8, 0", "6, 6"})
    void slowServiceIsNoDelayedAcknowledgement(double threads, double held) {
        assertThat(
                        new NetworkRule()
                                .evaluate(
                                        calls(threads).sign(Sign.HELD_BACK_SOCKETS, held).build()))
                .isInstanceOf(Finding.Cleared.class);
    }

    /// The peer may write its answers in pieces. The steps are named, but do not lead to a verdict.
    @Test
    void recommendsNoDelayForCallTimesInSteps() {
        var patient = new Patient();
        patient.where = "exec";
        patient.evidence = calls(8).sign(Sign.HELD_BACK_SOCKETS, 0);

        assertThat(patient.recommendations(Bottleneck.THREAD_POOL))
                .extracting(Recommendation::id)
                .contains("no-delay")
                .satisfies(ids -> assertThat(ids.getFirst()).isNotEqualTo("no-delay"));
        patient.evidence = calls(6).sign(Sign.HELD_BACK_SOCKETS, 0);
        assertThat(patient.recommendations(Bottleneck.THREAD_POOL))
                .extracting(Recommendation::id)
                .doesNotContain("no-delay");
    }

    /// The peer writes its answers in pieces, so its end of the connection delays data.
    @Test
    void answersInPiecesLimitAndNotThePool() {
        var patient = new Patient();
        patient.evidence =
                calls(8).sign(Sign.HELD_BACK_SOCKETS, 0).sign(Sign.PEER_HELD_BACK_SOCKETS, 7.5);

        Verdict verdict = patient.verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.NETWORK);
        assertThat(verdict.where()).isEqualTo("127.0.0.1:9000");
        patient.where = verdict.where();
        patient.lines = verdict.evidence();
        assertThat(patient.recommendations(Bottleneck.NETWORK).getFirst())
                .satisfies(r -> {
                    assertThat(r.id()).isEqualTo("no-delay");
                    assertThat(r.changes()).containsExactly(new Change.Outside());
                });
    }

    /// 40 ms of delayed data, and 10 to 35 ms of work at the peer.
    @ParameterizedTest
    @CsvSource({"5, 4", "6.5, 4", "7.5, 4"})
    void workOfPeerHidesNoStep(double threads, double held) {
        EvidenceFixture evidence =
                calls(threads)
                        .sign(Sign.DELAYED_ACKS_PER_S, 100)
                        .sign(Sign.HELD_BACK_SOCKETS, held);

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.NETWORK);
    }

    /// Each of the 50 requests a second has four steps.
    @Test
    void delayedStepsNeedManyDelayedAcknowledgements() {
        EvidenceFixture evidence =
                calls(8.2, 8.2).gaveAfterwards(50).sign(Sign.HELD_BACK_SOCKETS, 7.8);

        assertThat(evidence.sign(Sign.DELAYED_ACKS_PER_S, 200).verdict().bottleneck())
                .isEqualTo(Bottleneck.NETWORK);
        assertThat(evidence.sign(Sign.DELAYED_ACKS_PER_S, 50).verdict().bottleneck())
                .isEqualTo(Bottleneck.THREAD_POOL);
    }

    /// Three cases without steps. The peer reads late: all 6.5 calls have unread data for 65 ms. Or
    /// no acknowledgement was late. Or the time grew with the load.
    @ParameterizedTest
    @CsvSource({"6.5, 3.25, 100, 6.5", "6.5, 3.25, 10, 4", "6.5, 2, 100, 4"})
    void heldBackDataWithoutStepsIsNoDelayedAcknowledgement(
            double threads, double atFew, double acknowledged, double held) {
        assertThat(
                        new NetworkRule()
                                .evaluate(
                                        calls(threads, atFew)
                                                .sign(Sign.DELAYED_ACKS_PER_S, acknowledged)
                                                .sign(Sign.HELD_BACK_SOCKETS, held)
                                                .build()))
                .isInstanceOf(Finding.Cleared.class);
    }

    /// Two fifths of each call are a step. That is too little for the verdict, but an edit has a
    /// gain.
    @Test
    void aSmallerPartOfTheCallsGainsBeforeALargerPool() {
        var patient = new Patient();
        patient.where = "exec";
        patient.evidence =
                calls(10).sign(Sign.DELAYED_ACKS_PER_S, 100).sign(Sign.HELD_BACK_SOCKETS, 4);

        assertThat(patient.verdict().bottleneck()).isEqualTo(Bottleneck.THREAD_POOL);
        assertThat(patient.recommendations(Bottleneck.THREAD_POOL))
                .extracting(Recommendation::id)
                .startsWith("no-delay", "threads");
    }
}
