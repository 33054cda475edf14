package dev.jdyno.instance;

import dev.jdyno.instance.SizeTest.Figures;
import dev.jdyno.instance.SizeTest.Reason;
import dev.jdyno.instance.SizeTest.Why;
import dev.jdyno.measure.JvmMemory;
import dev.jdyno.measure.load.Goal;
import dev.jdyno.measure.service.Framework;
import dev.jdyno.measure.service.PoolDemand;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.verdict.GoalKnee.Misses;
import dev.jdyno.measure.verdict.GoalKnee.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Tests of sizes, and wishes.
public final class SizeFixture {
    static final SizeGrid GRID =
            SizeGrid.of(new SizeGrid.Range(100, 4000), new SizeGrid.Range(64, 4096));

    private SizeFixture() {}

    public static SizeWish wish(Optional<Price> price) {
        return wish(800, 1, price);
    }

    static SizeWish wish(double ratePerS, int replicas, Optional<Price> price) {
        return new SizeWish(
                ratePerS,
                replicas,
                0.2,
                List.of(Goal.responseTime("p99<100ms", 0.99, 100)),
                GRID,
                price,
                Duration.ofMinutes(40));
    }

    public static Figures figures(double missed, Optional<JvmMemory> memory) {
        return new Figures(
                990,
                42.5,
                4,
                1500,
                List.of(new Misses("p99<100ms", missed, missed / 2, 2 * missed, 0.01)),
                1.2,
                1.2,
                12.5,
                40,
                0.01,
                0,
                50e6,
                memory,
                false,
                0.02,
                true);
    }

    public static SizeTest test(InstanceSize size, Why why, Outcome outcome, Reason reason) {
        boolean ran = reason != Reason.OOM_KILLED && reason != Reason.NOT_STARTED;
        return new SizeTest(
                size,
                why,
                why == Why.FULL ? List.of() : List.of("-Xmx96m"),
                outcome,
                reason,
                ran
                        ? Optional.of(
                                figures(
                                        outcome == Outcome.GOOD ? 0.002 : 0.05,
                                        why == Why.FULL
                                                ? Optional.of(new JvmMemory(64 << 20, 100 << 20))
                                                : Optional.empty()))
                        : Optional.empty(),
                reason == Reason.OOM_KILLED ? 1 : 0,
                Optional.of(Bytes.mebi(200)),
                ran ? "" : "the target ended: its last words",
                100,
                Optional.empty());
    }

    /// The test with pools that were seen while so many requests per second ended.
    static SizeTest withPools(SizeTest test, double perS, PoolDemand... pools) {
        return withPools(test, perS, Optional.empty(), pools);
    }

    static SizeTest withPools(
            SizeTest test, double perS, Optional<Framework> framework, PoolDemand... pools) {
        return new SizeTest(
                test.size(),
                test.why(),
                test.flags(),
                test.outcome(),
                test.reason(),
                test.figures(),
                test.oomKills(),
                test.memoryPeak(),
                test.failure(),
                test.seconds(),
                Optional.of(new PoolDemand.Pools(perS, framework, List.of(pools))));
    }

    /// @param to upper end of the interval of the mean number in use
    public static PoolDemand pool(
            String name, String library, double size, double inUse, double to, double heldMs) {
        return new PoolDemand(
                name,
                library,
                Optional.of(size),
                inUse,
                new Interval(Math.max(0, 2 * inUse - to), to),
                Optional.empty(),
                Optional.of(heldMs).filter(ms -> ms > 0));
    }
}
