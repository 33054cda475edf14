package dev.jdyno.compare;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcActivity;
import java.util.Optional;
import java.util.Set;

/// A figure by which two variants are compared.
public enum Metric {
    /// Throughput at one concurrency above the knees of both variants.
    QPS("qps", "throughput", "requests/s", true, Load.SATURATED),
    /// The highest rate of an open model at which the goal holds.
    GOAL_RATE("rateUnderGoal", "rate under the goal", "requests/s", true, Load.UNDER_GOAL),
    /// Median response time at one rate below the knees of both variants.
    P50("p50", "response time p50", "ms", false, Load.FIXED_RATE),
    P99("p99", "response time p99", "ms", false, Load.FIXED_RATE),
    /// Median response time that a load tool reports, with so few users that queues are short. It
    /// counts from the actual send, so it is another figure than {@link #P50}.
    DRIVER_P50("driverP50", "response time p50 (load tool)", "ms", false, Load.FEW_USERS),
    DRIVER_P99("driverP99", "response time p99 (load tool)", "ms", false, Load.FEW_USERS),
    CPU("cpuMsPerRequest", "CPU per request", "ms", false, Load.SATURATED),
    ALLOCATION("allocBytesPerRequest", "allocation per request", "bytes", false, Load.SATURATED),
    /// Time in GC pauses, in which the collector stops the whole JVM.
    GC("gcMsPerS", "GC pauses", "ms/s", false, Load.SATURATED),
    ERRORS("errorShare", "failed requests", "share", false, Load.SATURATED);

    /// The kinds of load that both variants get.
    public enum Load {
        /// Enough requests in flight that throughput no longer grows.
        SATURATED,
        /// An open model at a rate that both variants handle easily.
        FIXED_RATE,
        /// An open model whose rate is searched: the highest rate at which a goal holds.
        UNDER_GOAL,
        /// A load tool of the user with so few users that queues are short.
        FEW_USERS;

        /// The loads of a comparison without a goal.
        public static final Set<Load> USUAL = Set.of(SATURATED, FIXED_RATE);

        /// The loads of a comparison whose load a tool of the user sends. A tool gets a number of
        /// users and no rate, so there is no fixed rate.
        public static final Set<Load> DRIVEN = Set.of(SATURATED, FEW_USERS);

        /// Returns the loads of a comparison without a goal.
        ///
        /// @param driven true if a load tool of the user sends
        public static Set<Load> of(boolean driven) {
            return driven ? DRIVEN : USUAL;
        }
    }

    /// Minimum number of requests: with fewer, none is beyond the 99th percentile.
    static final int MIN_FOR_P99 = 100;

    private final String key;
    private final String title;
    private final String unit;
    private final boolean higherIsBetter;
    private final Load load;

    Metric(String key, String title, String unit, boolean higherIsBetter, Load load) {
        this.key = key;
        this.title = title;
        this.unit = unit;
        this.higherIsBetter = higherIsBetter;
        this.load = load;
    }

    /// The figure's key in `compare --json`.
    public String key() {
        return key;
    }

    public String title() {
        return title;
    }

    public String unit() {
        return unit;
    }

    public boolean higherIsBetter() {
        return higherIsBetter;
    }

    /// Returns the load at which the figure is measured.
    public Load load() {
        return load;
    }

    /// Returns the figure of one block. Empty if it was not measured or is 0, because 0 gives no
    /// ratio.
    public Optional<Double> of(Round block) {
        Optional<Double> value =
                switch (this) {
                    case QPS -> Optional.of(block.qps());
                    case GOAL_RATE -> block.ratePerS();
                    case P50, DRIVER_P50 -> Optional.of(block.rtMs().p50());
                    case P99, DRIVER_P99 ->
                            Optional.of(block.rtMs().p99())
                                    .filter(_ -> block.requests() >= MIN_FOR_P99);
                    case CPU ->
                            block.cpu()
                                    .filter(_ -> block.qps() > 0)
                                    .map(c -> c.processCores() * 1000 / block.qps());
                    case ALLOCATION -> block.gc().flatMap(GcActivity::requestBytes);
                    case GC -> block.gc().map(g -> g.pauseShare() * 1000);
                    case ERRORS -> Optional.of(block.errorShare());
                };
        return value.filter(v -> v > 0 && Double.isFinite(v));
    }
}
