package dev.jdyno.diagnose.edge;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.CONCURRENCY;
import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NetworkRuleTest {
    /// Service and client are pinned to one core each. Two computing processes share the client's
    /// core.
    @Test
    void clientWithoutCoreIsTheLimitInsteadOfNetwork() {
        var evidence =
                plateau()
                        .rounds(r ->
                                r.cores(0.4).others(1.3).left(1.9).clientLoop(27).clientWaits(66))
                        .sign(Sign.UNSENT_SOCKETS, 18);
        var shortOfCpu =
                plateau()
                        .rounds(r -> r.cores(1.9).clientLoop(27).clientWaits(66))
                        .busy(Cause.CPU, "com.acme.Page.get", 8);

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.CLIENT);
        assertThat(evidence.verdict().confidence()).isGreaterThan(0.8);
        assertThat(shortOfCpu.verdict().bottleneck()).isEqualTo(Bottleneck.CPU);
    }

    @Test
    void reportsSizeOfUnreadResponses() {
        var network = plateau().sign(Sign.UNSENT_SOCKETS, 19.3).verdict();

        assertThat(network.evidence())
                .extracting(e -> e.says().text())
                .anyMatch(says -> says.startsWith("an answer has 1000 B: together "));
    }

    /// Dumps found Undertow's threads in flush calls, but the kernel's send queues were empty.
    @Test
    void writingThreadsProveNoSlowClientIfSendQueueIsEmpty() {
        var writing = plateau().busy(Cause.NETWORK, "Undertow waits for its client", 17);

        assertThat(new NetworkRule().evaluate(writing.build())).isInstanceOf(Finding.Limits.class);
        assertThat(new NetworkRule().evaluate(writing.sign(Sign.UNSENT_SOCKETS, 0.2).build()))
                .isInstanceOf(Finding.Cleared.class);
    }

    /// Ten threads write to slow clients of other loads. The requests of this load wait for a
    /// thread.
    @Test
    void slowForeignClientsHoldThreadsOfService() {
        var network =
                plateau()
                        .rounds(r -> r.cores(0.2))
                        .busy(Cause.NETWORK, "Tomcat waits for its client", 10)
                        .pool(new ThreadSamples.Pool("http-nio-exec", 10, 10, 0, 0, true))
                        .unread(30)
                        .sign(Sign.UNSENT_SOCKETS, 9.9)
                        .verdict();

        assertThat(network.bottleneck()).isEqualTo(Bottleneck.NETWORK);
        assertThat(network.runnersUp())
                .anyMatch(r ->
                        r.bottleneck() == Bottleneck.THREAD_POOL
                                && r.from().equals(Optional.of(Bottleneck.NETWORK)));
    }

    /// On a link of 84 Mbit/s, 7 images of 75 KB take 45 ms, and 14 take 98 ms.
    @Test
    void saturatedLinkIsNoDelayedAcknowledgement() {
        var inPieces = plateau().delay(44).sign(Sign.UNSENT_SOCKETS, 38).verdict();
        // at a quarter of the load, the wait is already as long as one step
        var full =
                plateau().gaveMore(CONCURRENCY / 4 * 1000 / 44.0).sign(Sign.UNSENT_SOCKETS, 19.3);

        assertThat(inPieces.where()).isEqualTo("answers written in pieces");
        assertThat(full.build().rounds().getFirst().rtMs().p50()).isBetween(40.0, 50.0);
        assertThat(full.verdict().where()).isEqualTo("clients");
    }
}
