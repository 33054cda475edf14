package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static dev.jdyno.diagnose.wait.WaitingRulesTest.limits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Event loops that wait, or that are saturated.
class EventLoopRuleTest {
    static ThreadSamples.Pool loops(double size, double cores, Map<Cause, Double> doing) {
        double busy = doing.values().stream().mapToDouble(Double::doubleValue).sum();
        return new ThreadSamples.Pool(
                "EventLoop-1", size, busy, size - busy, 0, true, true, cores, doing);
    }

    @Test
    void blockedLoopThreadsAreTheBottleneckInsteadOfTheCall() {
        var evidence =
                plateau()
                        .pool(loops(2, 0.1, Map.of(Cause.DOWNSTREAM, 1.9)))
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:9000", 1.9);

        Finding finding = new EventLoopRule().evaluate(evidence.build());

        assertThat(limits(finding).where()).contains("EventLoop-1", "127.0.0.1:9000");
        assertThat(limits(finding).confidence()).isGreaterThan(0.9);
        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.EVENT_LOOP);
    }

    @Test
    void saturatedLoopIsTheBottleneckDespiteIdleCore() {
        Finding finding =
                new EventLoopRule()
                        .evaluate(
                                plateau()
                                        .rounds(r -> r.cores(1.0))
                                        .pool(loops(1, 0.97, Map.of(Cause.CPU, 0.97)))
                                        .busy(Cause.CPU, "com.acme.Handler.run", 0.97)
                                        .build());

        assertThat(limits(finding).where()).contains("com.acme.Handler.run");
    }

    /// Vert.x with one verticle: one of two loops has every connection, the other one has no
    /// connection.
    @Test
    void loopWithAllConnectionsIsTheBottleneckDespiteIdleLoops() {
        var one =
                new ThreadSamples.Pool(
                        "vert.x-eventloop-thread",
                        2,
                        1,
                        1,
                        1,
                        true,
                        true,
                        0.94,
                        Map.of(Cause.CPU, 1.0));
        var evidence =
                plateau()
                        .rounds(r -> r.cores(1.05))
                        .pool(one)
                        .busy(Cause.CPU, "freemarker.core.Expression.eval", 0.95);

        assertThat(new EventLoopRule().evaluate(evidence.build()))
                .as("nothing stands unread: the second one may take what comes")
                .isInstanceOf(Finding.Cleared.class);
        Finding finding = new EventLoopRule().evaluate(evidence.unread(18).build());
        assertThat(limits(finding).says()).contains("1 of the 2 threads");
        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.EVENT_LOOP);
    }

    /// ActiveJ on the thread `main`: no frame shows that it serves requests, and 22 of 40 requests
    /// are unread.
    @Test
    void unreadRequestsIdentifyLoopOfUnknownFramework() {
        var main =
                new ThreadSamples.Pool(
                        "main", 1, 1, 0, 0, false, true, 0.96, Map.of(Cause.CPU, 1.0));
        var evidence =
                plateau()
                        .rounds(r -> r.cores(1.04))
                        .pool(main)
                        .busy(Cause.CPU, "com.acme.Board.render", 0.98);

        assertThat(new EventLoopRule().evaluate(evidence.build()))
                .as("a loop of a client, as it seems")
                .isInstanceOf(Finding.NotApplicable.class);
        assertThat(evidence.unread(11).verdict().bottleneck()).isEqualTo(Bottleneck.EVENT_LOOP);
        assertThat(
                        new EventLoopRule()
                                .evaluate(
                                        evidence.pool(
                                                        new ThreadSamples.Pool(
                                                                "web", 9, 1, 8, 7, true))
                                                .build()))
                .as("others serve")
                .isInstanceOf(Finding.NotApplicable.class);
    }

    /// Microhttp: twelve dumps never found its thread in select, and 10.5 of 16 requests are
    /// unread.
    @Test
    void threadThatNeverSelectsIsBlockedLoopIfRequestsAreUnread() {
        var loop =
                new ThreadSamples.Pool(
                        "connection-event-loop",
                        1,
                        1,
                        0,
                        0,
                        false,
                        false,
                        0.99,
                        Map.of(Cause.CPU, 1.0));
        var evidence =
                plateau()
                        .rounds(r -> r.cores(1.0))
                        .pool(loop)
                        .busy(Cause.CPU, "com.acme.Signer.sign", 0.99);

        assertThat(new EventLoopRule().evaluate(evidence.build()))
                .as("whoever reads requests and hands them to one thread")
                .isInstanceOf(Finding.NotApplicable.class);
        assertThat(evidence.unread(10.5).verdict().bottleneck()).isEqualTo(Bottleneck.EVENT_LOOP);
        assertThat(evidence.verdict().where()).startsWith("connection-event-loop");
        assertThat(evidence.verdict().says())
                .contains("the one thread of connection-event-loop is");
    }

    /// Ten workers of an unknown server wait for a downstream while the JVM compiles.
    @Test
    void busyCompilerThreadIsNoEventLoop() {
        var compiler =
                new ThreadSamples.Pool(
                        "C2 CompilerThread0",
                        1,
                        1,
                        0,
                        0,
                        false,
                        false,
                        0.95,
                        Map.of(Cause.CPU, 1.0));
        var evidence =
                plateau()
                        .rounds(r -> r.cores(1.2))
                        .pool(compiler)
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:9000", 10)
                        .unread(5);

        assertThat(new EventLoopRule().evaluate(evidence.build()))
                .isInstanceOf(Finding.NotApplicable.class);
    }

    @Test
    void loopsThatUseUpAllCoresAreACpuProblem() {
        var evidence =
                plateau()
                        .rounds(r -> r.cores(1.93))
                        .pool(loops(2, 1.9, Map.of(Cause.CPU, 1.9)))
                        .busy(Cause.CPU, "com.acme.Handler.run", 1.9);

        assertThat(new EventLoopRule().evaluate(evidence.build()))
                .isInstanceOf(Finding.Cleared.class);
        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.CPU);
    }

    @Test
    void loopsThatWaitForTheirSocketsAreNoLimit() {
        Finding finding =
                new EventLoopRule()
                        .evaluate(plateau().pool(loops(2, 0.2, Map.of(Cause.CPU, 0.2))).build());

        assertThat(finding)
                .asInstanceOf(type(Finding.Cleared.class))
                .extracting(Finding.Cleared::whyNot)
                .asString()
                .contains("EventLoop-1");
    }

    private static EvidenceFixture behind(double hottest, String thread) {
        return plateau()
                .rounds(r -> r.cores(1.15))
                .pool(
                        new ThreadSamples.Pool(
                                "grpc-nio-worker-ELG-3",
                                4,
                                1,
                                3,
                                2,
                                false,
                                true,
                                hottest,
                                Map.of(Cause.CPU, 1.0)))
                .sign(Signals.Sign.HOTTEST_THREAD_CORES, hottest, thread);
    }

    /// A gRPC server in the same JVM has one saturated worker loop. Threads of the web server wait
    /// for its answers, at a port of their own process or at an address that looks like another
    /// service.
    @ParameterizedTest
    @CsvSource({
        "FUTURE, an answer of its own at 127.0.0.1:9090",
        "DOWNSTREAM, gRPC-client 127.0.0.1:9090",
        "DOWNSTREAM, 127.0.0.1:9090"
    })
    void aFullLoopBehindTheCallsIsTheBottleneck(Cause cause, String where) {
        var full = behind(0.99, "grpc-nio-worker").busy(cause, where, 18);
        var half = behind(0.6, "grpc-nio-worker").busy(cause, where, 18);
        var other = behind(0.99, "http-nio-8080-e").busy(cause, where, 18);

        assertThat(full.verdict().bottleneck()).isEqualTo(Bottleneck.EVENT_LOOP);
        assertThat(full.verdict().where()).startsWith("grpc-nio-worker-ELG-3");
        assertThat(half.verdict().bottleneck()).isNotEqualTo(Bottleneck.EVENT_LOOP);
        assertThat(other.verdict().bottleneck()).isNotEqualTo(Bottleneck.EVENT_LOOP);
    }
}
