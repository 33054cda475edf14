package dev.jdyno.diagnose.cpu;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.QPS;
import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Bottleneck;
import org.junit.jupiter.api.Test;

/// Threads of an object that each request creates. `SignalRulesTest` tests threads that requests
/// start themselves.
class ThreadChurnRuleTest {
    /// Each call creates an HTTP client: six threads a request. Thousands of them are still alive
    /// and must stop at each safepoint.
    private static EvidenceFixture clientForEachCall() {
        return plateau()
                .rounds(r -> r.cores(1.4))
                .sign(Sign.THREADS_STARTED_PER_S, 6 * QPS)
                .sign(Sign.SAFEPOINT_SHARE, 0.03)
                .sign(Sign.SAFEPOINT_SYNC_SHARE, 0.13)
                .sign(Sign.SAFEPOINTS_PER_S, 2.5)
                .busy(Cause.DOWNSTREAM, "10.0.0.7:80", 12.0)
                .busy(Cause.DOWNSTREAM, "10.0.0.8:80", 10.7)
                .busy(Cause.THREAD_START, "Thread.start in com.acme.Prices.ask", 7.7);
    }

    @Test
    void namesPerCallClientByItsThreads() {
        assertThat(clientForEachCall().verdict().bottleneck()).isEqualTo(Bottleneck.THREAD_CHURN);
    }

    @Test
    void reportsThreadStartsWithoutRequestCounts() {
        Finding finding =
                new ThreadChurnRule()
                        .evaluate(
                                plateau()
                                        .standsStill()
                                        .sign(Sign.THREADS_STARTED_PER_S, 12)
                                        .busy(Cause.DOWNSTREAM, "10.0.0.7:80", 19)
                                        .build());

        assertThat(((Finding.Cleared) finding).whyNot())
                .startsWith("12 threads started per second");
    }
}
