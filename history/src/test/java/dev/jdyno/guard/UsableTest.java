package dev.jdyno.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.compare.Metric;
import dev.jdyno.judge.ResultVariants;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcActivity;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class UsableTest {
    private final Round round = ResultVariants.round(8);

    /// The same round with this CPU use of other processes and this number of requests.
    private Round with(double otherCores, long requests) {
        CpuUse cpu = CpuUse.ofWholeMachine(1.5, 0.1, 0.1, otherCores, 2, 90, 0, 0);
        return new Round(
                round.concurrency(),
                round.ratePerS(),
                round.seconds(),
                round.qps(),
                round.qpsCi95(),
                requests,
                round.errors(),
                round.errorKinds(),
                round.bytesRead(),
                round.rtMs(),
                round.client(),
                Optional.of(cpu),
                round.threads(),
                round.gc(),
                round.anatomy(),
                round.slices());
    }

    private static Metric[] usable(Round block) {
        Predicate<Metric> usable = m -> Usable.is(m, block);
        return Arrays.stream(Metric.values()).filter(usable).toArray(Metric[]::new);
    }

    @Test
    void excludesCpuOfOtherProcesses() {
        double bytes = round.gc().flatMap(GcActivity::requestBytes).orElseThrow();
        long many = (long) (64 * 1024 * 1024 / bytes);
        assertThat(usable(with(0.05, many))).containsExactly(Metric.values());
        assertThat(usable(with(0.3, many)))
                .containsExactly(Metric.CPU, Metric.ALLOCATION, Metric.GC, Metric.ERRORS);
    }

    @Test
    void ignoresAllocationOfBlockThatAllocatedAlmostNothing() {
        double bytes = round.gc().flatMap(GcActivity::requestBytes).orElseThrow();
        long few = (long) (8 * 1024 * 1024 / bytes);
        assertThat(usable(with(0.05, few))).doesNotContain(Metric.ALLOCATION);
    }
}
