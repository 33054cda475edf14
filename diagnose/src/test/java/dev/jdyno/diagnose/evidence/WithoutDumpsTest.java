package dev.jdyno.diagnose.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.ForeignLoadVerdict;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Machine;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.load.ClientSide;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Latency;
import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.SamplesVariant;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The target gave no thread dump, so only counters are judged.
class WithoutDumpsTest {
    private static final Machine MACHINE = new Machine(4, 1L << 33, "6.1", 0);

    private static Evidence counted(double cores, ThreadSamples threadSamples) {
        var round =
                new Round(
                        1,
                        Optional.empty(),
                        10,
                        0,
                        new Interval(0, 0),
                        0,
                        0,
                        Map.of(),
                        Optional.empty(),
                        Latency.NONE,
                        ClientSide.withRoom(0, 0),
                        Optional.of(CpuUse.ofWholeMachine(cores, 0, 0, 0, 4, cores * 25, 0, 0)),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of());
        var target =
                new TargetFacts(
                        Optional.of(1L),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        4,
                        true,
                        List.of(),
                        List.of());
        return Evidence.of(
                new Recording(
                        MACHINE,
                        target,
                        Optional.empty(),
                        List.of(round),
                        List.of(threadSamples),
                        List.of(),
                        false),
                Optional.empty());
    }

    private static ThreadSamples census(double listenQueue, Map<Sign, Double> signs) {
        return SamplesVariant.withSignals(
                new ThreadSamples(20, 0, 0, 0, List.of(), List.of(), 0, listenQueue),
                new Signals(signs));
    }

    @Test
    void namesFullAcceptQueueFromKernelCounters() {
        Verdict verdict =
                ForeignLoadVerdict.of(
                        counted(0.1, census(128, Map.of(Sign.LISTEN_OVERFLOWS_PER_S, 40.0))), 0);

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.ACCEPT_QUEUE);
    }

    @Test
    void reportsAcceptQueueWithoutFreeFileDescriptor() {
        Evidence evidence =
                counted(
                        0.1,
                        census(128, Map.of(Sign.LISTEN_OVERFLOWS_PER_S, 40.0, Sign.FD_SHARE, 1.0)));
        Verdict verdict = ForeignLoadVerdict.of(evidence, 0);

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.ACCEPT_QUEUE);
        assertThat(verdict.says()).contains("no file descriptor left").doesNotContain("backlog");
        assertThat(verdict.evidence())
                .anyMatch(e ->
                        e.says()
                                .text()
                                .equals("100 % of the service's file descriptors are in use"));
    }

    @Test
    void saturatedCoresAreNamedWithoutDumps() {
        Evidence evidence = counted(3.9, census(0, Map.of()));

        assertThat(evidence.saturated()).isEmpty();
        assertThat(ForeignLoadVerdict.of(evidence, 0).bottleneck()).isEqualTo(Bottleneck.CPU);
    }

    /// No request was observed, so it is unknown whether any resource is near its limit.
    @Test
    void idleCpuDoesNotExcludeOtherLimits() {
        Verdict verdict = ForeignLoadVerdict.of(counted(0.1, census(0, Map.of())), 0);

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.UNKNOWN);
        assertThat(verdict.says())
                .contains("No thread dump could be taken", "No counted resource reaches");
    }

    @Test
    void locatesRequestsByCallsThatTheKernelCounts() {
        ThreadSamples calling =
                SamplesVariant.withCalls(
                        census(0, Map.of(Sign.REQUESTS_INSIDE, 10.0)),
                        new Calls(PlaceText.peer("10.0.0.7:80"), 10, 9, 10));

        Verdict verdict = ForeignLoadVerdict.of(counted(0.1, calling), 10);

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.DOWNSTREAM);
        assertThat(verdict.where()).isEqualTo("10.0.0.7:80");
    }
}
