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
import dev.jdyno.measure.verdict.Recommendation;
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
                .relaxed(Cause.DOWNSTREAM, "127.0.0.1:9000", threads / 2)
                .busy(Cause.DOWNSTREAM, "127.0.0.1:9000", threads)
                .sign(Sign.DELAYED_ACKS_PER_S, 300);
    }

    /// 42 ms, 80 ms and 116 ms a call: one, two and three steps.
    @ParameterizedTest
    @CsvSource({"4.2, 4", "8, 8", "11.6, 11"})
    void dataThatTheKernelHoldsBackInEachCallLimitsAndNotThePool(double threads, double held) {
        EvidenceFixture evidence = calls(threads).sign(Sign.HELD_BACK_SOCKETS, held);

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.NETWORK);
        assertThat(evidence.verdict().where()).isEqualTo("127.0.0.1:9000");
    }

    @ParameterizedTest
    @CsvSource({"8, 0", "6, 6"})
    void aServiceThatTakesAsLongByItselfIsNotDelayed(double threads, double held) {
        assertThat(
                        new NetworkRule()
                                .evaluate(
                                        calls(threads).sign(Sign.HELD_BACK_SOCKETS, held).build()))
                .isInstanceOf(Finding.Cleared.class);
    }

    /// The other side may write its answers in pieces: the steps are named, and lead to nothing.
    @Test
    void theStepsAreNamedWhereTheKernelShowsNoSide() {
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
}
