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

/// Calls that wait for delayed acknowledgements behind a full pool, so that no response time shows
/// the steps of 40 ms.
class DelayedCallsTest {
    /// At 100 requests a second so many threads are in calls for 10 ms each, and as long at a
    /// quarter of the load.
    private static EvidenceFixture calls(double threads) {
        return calls(threads, threads / 2);
    }

    /// @param atFew threads in calls at a quarter of the load, at 50 requests a second
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

    /// 42 ms, 80 ms and 116 ms a call: one, two and three steps.
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

    /// The other side may write its answers in pieces: the steps are named, and lead to nothing.
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

    /// The other side writes its answers in pieces: its end of the connection holds data back.
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

    /// 40 ms held back and 10 to 35 ms of work on the other side.
    @ParameterizedTest
    @CsvSource({"5, 4", "6.5, 4", "7.5, 4"})
    void workOfPeerHidesNoStep(double threads, double held) {
        EvidenceFixture evidence =
                calls(threads)
                        .sign(Sign.DELAYED_ACKS_PER_S, 100)
                        .sign(Sign.HELD_BACK_SOCKETS, held);

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.NETWORK);
    }

    /// Four steps for each of 50 requests a second.
    @Test
    void delayedStepsNeedManyDelayedAcknowledgements() {
        EvidenceFixture evidence =
                calls(8.2, 8.2).gaveAfterwards(50).sign(Sign.HELD_BACK_SOCKETS, 7.8);

        assertThat(evidence.sign(Sign.DELAYED_ACKS_PER_S, 200).verdict().bottleneck())
                .isEqualTo(Bottleneck.NETWORK);
        assertThat(evidence.sign(Sign.DELAYED_ACKS_PER_S, 50).verdict().bottleneck())
                .isEqualTo(Bottleneck.THREAD_POOL);
    }

    /// The peer reads late: 6.5 of 6.5 calls hold data back for 65 ms, which is no step; or no
    /// acknowledgement was late; or the time grew with the load.
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

    /// Two fifths of each call are a step: too little for a name, and an edit with a gain.
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
