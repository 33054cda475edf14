package dev.jdyno.diagnose.edge;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.measure.RoundFixture;
import dev.jdyno.measure.thread.Signals.Sign;
import org.junit.jupiter.api.Test;

/// The kernel counts dropped connections for all listeners of a network together.
class AcceptQueueRuleTest {
    private static EvidenceFixture drops(double listenQueue) {
        return plateau().sign(Sign.LISTEN_OVERFLOWS_PER_S, 1).listenQueue(listenQueue);
    }

    private static Finding finding(EvidenceFixture evidence) {
        return new AcceptQueueRule().evaluate(evidence.build());
    }

    @Test
    void ignoresDropsOfOtherServer() {
        assertThat(finding(drops(0)))
                .isInstanceOfSatisfying(
                        Finding.Cleared.class,
                        c ->
                                assertThat(c.whyNot())
                                        .startsWith(
                                                "1.0 connections/s are dropped in the service's network,"
                                                        + " where other processes listen, too")
                                        .contains("ss -ltn"));
    }

    @Test
    void attributesDropsToServiceWithQueuedConnections() {
        assertThat(finding(drops(2)))
                .isInstanceOfSatisfying(
                        Finding.Limits.class, l -> assertThat(l.confidence()).isEqualTo(0.95));
    }

    @Test
    void attributesDropsThatDelayClientToService() {
        assertThat(finding(drops(0).rounds(r -> r.errors("connect-timeout", 30))))
                .isInstanceOfSatisfying(
                        Finding.Limits.class,
                        l -> {
                            assertThat(l.confidence()).isEqualTo(0.7);
                            assertThat(l.evidence())
                                    .anyMatch(e ->
                                            e.says().text().endsWith("requests could not connect"));
                        });
        // 20 in flight at 100/s, each answered within 20 ms, so 18 of them wait for their
        // connection
        assertThat(finding(drops(0).rounds(r -> r.answeredAtOnce(20))))
                .isInstanceOf(Finding.Limits.class);
    }

    @Test
    void otherErrorsAreNoConnectProblem() {
        assertThat(finding(drops(0).rounds(r -> r.errors("status-500", 30))))
                .isInstanceOf(Finding.Cleared.class);
    }

    /// A service that is only observed has no client whose errors jdyno could count.
    @Test
    void watchedServiceMayDropConnections() {
        assertThat(
                        finding(
                                drops(0).rounds(RoundFixture::ofOthers)
                                        .relaxedRound(RoundFixture::ofOthers)))
                .isInstanceOfSatisfying(
                        Finding.Limits.class,
                        l -> {
                            assertThat(l.confidence())
                                    .isEqualTo(AcceptQueueRule.WATCHED_CONFIDENCE);
                            assertThat(l.says()).contains("or by another listener in its network");
                        });
    }
}
