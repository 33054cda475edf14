package dev.jdyno.load.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.load.ClientSide;
import dev.jdyno.measure.load.ErrorKind;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/// Ten seconds of load, each case with one scarce resource of the client.
class SelfSuspicionTest {
    private static final ClientUse.Loop IDLE = new ClientUse.Loop(10, 2, 1.9, 0, 0.1, 0, 0);

    private static ClientSide judge(ClientUse use, long noPort, long sendErrorNanos) {
        Histogram sendError = LoopStats.histogram();
        sendError.recordValueWithCount(sendErrorNanos, 1000);
        Histogram none = LoopStats.histogram();
        Map<String, Long> errors =
                noPort == 0 ? Map.of() : Map.of(ErrorKind.CONNECT_NO_PORT.key(), noPort);
        return new LoadWindow(
                        0,
                        10_000_000_000L,
                        10_000_000_000L,
                        none,
                        none,
                        sendError,
                        none,
                        none,
                        1000,
                        errors,
                        List.of(),
                        Map.of(200, 1000L),
                        0,
                        0,
                        0,
                        0,
                        0,
                        Map.of(),
                        0,
                        Detours.NONE,
                        new LoadWindow.Connections(10, 0, 0),
                        use)
                .client();
    }

    private static ClientSide pool(long service, long min) {
        Histogram sendError = LoopStats.histogram();
        sendError.recordValueWithCount(1000, 400);
        Histogram replies = LoopStats.histogram();
        replies.recordValueWithCount(service, 1000);
        Histogram none = LoopStats.histogram();
        return new LoadWindow(
                        0,
                        10_000_000_000L,
                        10_000_000_000L,
                        replies,
                        replies,
                        sendError,
                        none,
                        none,
                        1000,
                        Map.of(),
                        List.of(),
                        Map.of(200, 1000L),
                        0,
                        0,
                        600,
                        90,
                        0,
                        Map.of(),
                        0,
                        Detours.NONE,
                        new LoadWindow.Connections(10, 0, min),
                        use(0, 0, IDLE))
                .client();
    }

    private static ClientUse use(double gcMs, long stealTicks, ClientUse.Loop... loops) {
        return new ClientUse(List.of(loops), 3, gcMs, stealTicks, 2000, 0);
    }

    @Test
    void clientWithSpareCapacityIsNotTheLimit() {
        ClientSide c = judge(use(20, 10, IDLE), 0, 20_000);

        assertThat(c.saturated()).isFalse();
        assertThat(c.why()).isEmpty();
        assertThat(c.busiestLoopPct()).isEqualTo(20);
        assertThat(c.cpuPct()).isEqualTo(30);
    }

    @Test
    void singleSaturatedLoopIsTheLimit() {
        ClientSide c = judge(use(0, 0, IDLE, new ClientUse.Loop(10, 9.5, 9.4, 0, 4, 0, 0)), 0, 0);

        assertThat(c.saturated()).isTrue();
        assertThat(c.busiestLoopPct()).isEqualTo(95);
        assertThat(c.why().orElseThrow()).contains("event loop busy 95 %", "4.100 ms");
    }

    @Test
    void distinguishesDescheduledLoopFromSaturatedLoop() {
        ClientSide c = judge(use(0, 0, new ClientUse.Loop(10, 9.5, 4, 0, 1, 0, 0)), 0, 0);

        assertThat(c.why().orElseThrow()).contains("other threads of this machine");
    }

    @Test
    void reportsLoopWithoutCoreAsNoLimit() {
        ClientSide c = judge(use(0, 0, IDLE, new ClientUse.Loop(10, 2, 1.9, 5, 0.1, 0, 0)), 0, 0);

        assertThat(c.coreWaitPct()).isEqualTo(50);
        assertThat(c.saturated()).as("a target that uses up the cores does that, too").isFalse();
    }

    @Test
    void arrivalsWaitingForConnectionOfFastServerBlameClientPool() {
        assertThat(pool(100_000_000, 95_000_000).why().orElseThrow())
                .startsWith("pool: 60 %")
                .contains("-c");
        assertThat(pool(100_000_000, 20_000_000).saturated())
                .as("replies take five times the fastest: they wait in the server")
                .isFalse();
    }

    @Test
    void namesStalledLoopAndBlamesMachine() {
        ClientSide c = judge(use(0, 0, new ClientUse.Loop(10, 2, 1.9, 0, 0.1, 0.4, 1)), 0, 0);

        assertThat(c.why())
                .hasValueSatisfying(
                        why -> assertThat(why).startsWith("hiccups: ").contains("400 ms"));
        assertThat(c.stalledPct()).isEqualTo(4);
        assertThat(c.saturated()).isTrue();
        assertThat(c.heldUp()).isTrue();
    }

    @Test
    void separatesClientLimitFromMachine() {
        ClientUse.Loop busyAndStopped = new ClientUse.Loop(10, 9.5, 9.4, 0, 0.1, 0.4, 1);

        assertThat(judge(use(0, 0, busyAndStopped), 0, 0).heldUp()).isFalse();
        assertThat(judge(use(300, 400, IDLE), 0, 0).heldUp()).isFalse();
        assertThat(judge(use(0, 0, IDLE), 0, 8_000_000).heldUp()).isFalse();
        assertThat(judge(use(0, 10, IDLE), 0, 0).heldUp()).isFalse();
        assertThat(judge(use(0, 400, IDLE), 0, 8_000_000).heldUp()).isTrue();
    }

    @Test
    void notesNamePortsScheduleGcAndSteal() {
        assertThat(judge(use(0, 0, IDLE), 50, 0).why().orElseThrow()).startsWith("ports: 50");
        assertThat(judge(use(0, 0, IDLE), 0, 8_000_000).why().orElseThrow())
                .startsWith("schedule: p99 of the sends left 8.0 ms");
        assertThat(judge(use(300, 0, IDLE), 0, 0).why().orElseThrow()).startsWith("own GC");
        assertThat(judge(use(0, 400, IDLE), 0, 0).why().orElseThrow()).startsWith("steal: ");
    }

    /// Stalls of 4 % of the time that delayed ten requests each.
    private static ClientSide stalled(long stalls, double seconds, long requests, long slow) {
        Histogram latency = LoopStats.histogram();
        latency.recordValueWithCount(10_000_000, requests - slow);
        latency.recordValueWithCount(200_000_000, slow);
        Histogram none = LoopStats.histogram();
        long nanos = (long) (seconds * 1e9);
        var loop = new ClientUse.Loop(seconds, 2, 1.9, 0, 0.1, 0.04 * seconds, stalls);
        return new LoadWindow(
                        0,
                        nanos,
                        nanos,
                        latency,
                        latency,
                        none,
                        none,
                        none,
                        requests,
                        Map.of(),
                        List.of(),
                        Map.of(200, requests),
                        0,
                        0,
                        0,
                        0,
                        0,
                        Map.of(),
                        0,
                        Detours.NONE,
                        new LoadWindow.Connections(10, 0, 0),
                        use(0, 0, loop))
                .client();
    }

    @Test
    void ignoresStallThatCannotAffectTail() {
        assertThat(stalled(4, 10, 10_000, 50).saturated())
                .as("40 of 10,000 requests were held up, 50 were slow")
                .isFalse();
        assertThat(stalled(4, 10, 10_000, 101).heldUp())
                .as("without those 40 the 99th percentile is a twentieth")
                .isTrue();
        assertThat(stalled(2000, 10, 10_000, 50).heldUp())
                .as("all requests may have been held up")
                .isTrue();
    }

    @Test
    void ignoresStartOfClient() {
        ClientSide c = stalled(400, 0.5, 100, 50);

        assertThat(c.saturated()).isFalse();
        assertThat(c.stalledPct()).isEqualTo(4);
    }
}
