package dev.jdyno.diagnose.edge;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Bottleneck;
import org.junit.jupiter.api.Test;

/// A proxy, or the pool of another client, between the load and the service.
class ClientRuleTest {
    private static final String PROXY = "127.0.0.1:9443";
    private static final String DEPOT = "127.0.0.1:9000";

    /// Five connections for 20 requests. The service's calls to its depot take the same time as at
    /// a lower load.
    private static EvidenceFixture behind(double connections, double busy) {
        return plateau()
                .rounds(r -> r.cores(0.2))
                .sign(Sign.FRONT_CONNECTIONS, connections, PROXY)
                .sign(Sign.REQUESTS_INSIDE, busy)
                .busy(Cause.DOWNSTREAM, DEPOT, busy)
                .relaxed(Cause.DOWNSTREAM, DEPOT, busy / 2);
    }

    @Test
    void frontServerThatHoldsRequestsIsTheLimit() {
        var verdict = behind(5, 4.9).verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.CLIENT);
        assertThat(verdict.where()).isEqualTo("connections from " + PROXY);
        assertThat(verdict.says()).contains("only 4.9 reach the service, over 5 connections");
        assertThat(verdict.confidence()).isBetween(0.8, 0.9);
    }

    @Test
    void proxyWithConnectionPerRequestIsNoLimit() {
        assertThat(behind(20, 19.5).verdict().bottleneck()).isNotEqualTo(Bottleneck.CLIENT);
    }

    /// The hypervisor took a tenth of the machine, but the client needed only a hundredth of a
    /// core.
    @Test
    void delayedClientWithSpareTimeIsNotTheLimit() {
        var evidence =
                plateau()
                        .rounds(r -> r.cores(0.2).clientLoop(1).clientHeldUp(2.3, "steal: 12 %"))
                        .busy(Cause.DOWNSTREAM, DEPOT, 19)
                        .relaxed(Cause.DOWNSTREAM, DEPOT, 8);

        assertThat(evidence.verdict().bottleneck()).isNotEqualTo(Bottleneck.CLIENT);
        assertThat(new ClientRule().evaluate(evidence.build())).isInstanceOf(Finding.Cleared.class);
        assertThat(evidence.validity().ok()).isFalse();
        assertThat(evidence.validity().warnings())
                .anySatisfy(w ->
                        assertThat(w.says())
                                .isEqualTo("the machine delayed the load generator: steal: 12 %"));
    }

    /// With a quota of a fifth of a core, the client works or is throttled most of the time.
    @Test
    void mostlyDelayedClientIsTheLimit() {
        var verdict =
                plateau()
                        .rounds(r -> r.cores(0.2).clientLoop(41).clientHeldUp(30, "hiccups: quota"))
                        .verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.CLIENT);
        assertThat(verdict.confidence()).isGreaterThanOrEqualTo(0.9);
    }

    @Test
    void sharedOrIdleConnectionsAreNoLimit() {
        assertThat(new ClientRule().evaluate(behind(2, 19).build()))
                .as("HTTP/2 to the service")
                .isInstanceOf(Finding.Cleared.class);
        assertThat(new ClientRule().evaluate(behind(8, 1).build()))
                .as("the proxy itself has no time")
                .isInstanceOf(Finding.Cleared.class);
    }

    @Test
    void saturatedServiceIsItsOwnLimit() {
        var evidence = behind(5, 4.9).rounds(r -> r.cores(1.9)).busy(Cause.RUN_QUEUE, "run", 6);

        assertThat(new ClientRule().evaluate(evidence.build())).isInstanceOf(Finding.Cleared.class);
    }
}
