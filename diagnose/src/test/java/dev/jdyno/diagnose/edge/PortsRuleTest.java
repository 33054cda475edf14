package dev.jdyno.diagnose.edge;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.Doubt;
import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Bottleneck;
import org.junit.jupiter.api.Test;

/// Local ports of a service that opens a connection to its downstream for each request.
class PortsRuleTest {
    /// 38 of 39 busy threads sleep, before a retry or until they may continue.
    private static EvidenceFixture sleeping(double opened, double allowed) {
        return plateau()
                .busy(Cause.SLEEP, "sleep in com.acme.Call.once", 38)
                .busy(Cause.DOWNSTREAM, "connect to unknown peer", 1)
                .sign(Sign.PORTS_SHARE, 1.0, "127.0.0.1:9000")
                .sign(Sign.ACTIVE_OPENS_PER_S, opened)
                .sign(Sign.PORTS_PER_S, allowed);
    }

    @Test
    void sleepUntilPortIsFreeIsNoRateLimit() {
        var verdict = sleeping(320, 301).verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.PORTS);
        assertThat(verdict.where()).isEqualTo("127.0.0.1:9000");
        assertThat(verdict.confidence()).isGreaterThanOrEqualTo(0.85);
        assertThat(verdict.runnersUp().getFirst().from()).contains(Bottleneck.PORTS);
    }

    @Test
    void reusedPortsAreNoLimit() {
        var verdict = sleeping(1000, 28_232).verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.RATE_LIMIT);
        assertThat(new PortsRule().evaluate(sleeping(1000, 28_232).build()))
                .isInstanceOf(Finding.Cleared.class);
    }

    @Test
    void failedConnectsProveMissingPorts() {
        var evidence =
                sleeping(1000, 28_232).rounds(r -> r.errors("connect-no-port", 30)).verdict();

        assertThat(evidence.bottleneck()).isEqualTo(Bottleneck.PORTS);
    }

    /// Without a target, held ports and the state of their connections are unknown.
    @Test
    void reportsOnlyClientCountsWithoutTarget() {
        var evidence =
                plateau().notLookedInto().rounds(r -> r.errors("connect-no-port", 100)).build();

        assertThat(new PortsRule().evaluate(evidence))
                .isInstanceOfSatisfying(
                        Finding.Limits.class,
                        l -> {
                            assertThat(l.says())
                                    .matches(
                                            "The ephemeral ports run out: [1-9][.\\d]* % of the requests"
                                                    + " found no free one\\. Keep connections alive, or pool"
                                                    + " them\\.");
                            assertThat(l.evidence())
                                    .singleElement()
                                    .satisfies(e -> assertThat(e.id()).isEqualTo("no-port"));
                        });
    }

    @Test
    void reportsNumberOfConnectionsInTimeWait() {
        var held = sleeping(320, 301);

        assertThat(((Finding.Limits) new PortsRule().evaluate(held.build())).says())
                .doesNotContain("TIME_WAIT");
        assertThat(
                        ((Finding.Limits)
                                        new PortsRule()
                                                .evaluate(
                                                        held.sign(Sign.TIME_WAIT_SOCKETS, 27_900)
                                                                .build()))
                                .says())
                .contains(", and 27900 sockets are in TIME_WAIT. Keep");
    }

    /// 200 ports are all in TIME_WAIT since the warm-up. No connection is opened any more, and each
    /// request is answered with 502 at once, which takes all the CPU.
    @Test
    void namesPortsIfEveryCallFails() {
        var used =
                plateau()
                        .busy(Cause.CPU, "com.acme.Page.get", 3)
                        .sign(Sign.PORTS_SHARE, 0.99, "127.0.0.1:9000")
                        .sign(Sign.ACTIVE_OPENS_PER_S, 0)
                        .sign(Sign.PORTS_PER_S, 3.3);

        assertThat(new PortsRule().evaluate(used.build())).isInstanceOf(Finding.Cleared.class);
        assertThat(used.rounds(r -> r.cores(1.9).errors("status-502", 1_000_000)).verdict())
                .satisfies(v -> {
                    assertThat(v.bottleneck()).isEqualTo(Bottleneck.PORTS);
                    assertThat(v.confidence()).isLessThanOrEqualTo(Doubt.MAX_CONFIDENCE);
                });
    }

    /// The service has its own network namespace that jdyno may not enter, so the number of ports
    /// is unknown.
    @Test
    void connectionPerRequestAndSleepLowerConfidenceWithoutPortCounts() {
        var opening =
                plateau()
                        .busy(Cause.SLEEP, "sleep in com.acme.Call.once", 38)
                        .busy(Cause.DOWNSTREAM, "connect to unknown peer", 1);

        var kept = opening.verdict();
        var each = opening.sign(Sign.ACTIVE_OPENS_PER_S, 95).verdict();

        assertThat(kept.confidence()).isGreaterThan(0.9);
        assertThat(each.bottleneck()).isEqualTo(Bottleneck.RATE_LIMIT);
        assertThat(each.confidence()).isLessThanOrEqualTo(0.85);
        assertThat(each.says()).contains("ports is not ruled out");
    }
}
