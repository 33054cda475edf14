package dev.jdyno.trial;

import dev.jdyno.measure.Slice;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.observe.threads.CompilerSample;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/// Decides whether a warm-up may end: response time and CPU per request have stopped falling, and
/// the JIT compilers have compiled most of what requests run. Before that, figures can stay the
/// same for minutes and later improve several times over. Figures from before that time do not
/// count.
///
/// @param slices of one second each, since the load began or since the last rest
/// @param looks samples of the compilers, one for each slice; empty if the compilers are not
///   visible
/// @param lastRest throughput after ÷ before the rest that precedes this load; empty without such a
///   rest, and while the load is too short to judge
record Steadiness(List<Slice> slices, List<CompilerSample> looks, Optional<Double> lastRest) {
    /// Number of the last slices whose mean is compared with the mean of the same number of slices
    /// before them.
    static final int WINDOW = 3;

    /// Largest relative change between the two windows that counts as steady.
    static final double TOLERANCE = 0.05;

    /// Minimum gain in throughput, as a share, for which another rest is worth it. Less is within
    /// the noise of a few seconds.
    static final double REST_PAYS = 0.03;

    /// Seconds of load with starved compilers after which a rest is worth it, even if figures still
    /// change. They change slowly then.
    static final int LONG_BURST = 10;

    /// Seconds after which steady figures suffice although a few methods are still in the queue. A
    /// service whose compilers never finish does not get warmer.
    static final int PATIENCE = 20;

    /// Share of the machine's cores in use from which the warning judges CPU per request, too.
    /// Below it, only the response time counts.
    private static final double CPU_COUNTS_FROM = 0.5;

    /// Maximum time that the compilers need for their queue, at the pace of the last seconds,
    /// without a rest.
    private static final double DRAINS_WITHIN_S = 10;

    /// The next step of the warm-up.
    enum Step {
        /// Go on: the service still gets faster, or the compilers make progress.
        LOAD,
        /// Send nothing for some seconds, because the compilers lack cores.
        REST,
        WARM
    }

    Steadiness {
        slices = List.copyOf(slices);
        looks = List.copyOf(looks);
    }

    Step next() {
        if (slices.size() < 2 * WINDOW) {
            return Step.LOAD;
        }
        boolean flat =
                isSteady(s -> Optional.of(s.rtMeanMs())) && isSteady(Steadiness::cpuPerRequest);
        CompilerDemand demand = demand();
        if (flat && demand.isQuiet()) {
            return Step.WARM;
        }
        if (flat && lastRest.filter(r -> r <= 1 + REST_PAYS).isPresent() && !demand.isBusy()) {
            // the compilers had the cores and throughput did not grow, so their remaining work does
            // not matter
            return Step.WARM;
        }
        if (demand.isStarved(DRAINS_WITHIN_S) && (flat || slices.size() >= LONG_BURST)) {
            return Step.REST;
        }
        boolean forEver = slices.size() >= PATIENCE && !demand.hasWorkMostly() && !demand.isBusy();
        return flat && forEver ? Step.WARM : Step.LOAD;
    }

    boolean reached() {
        return next() == Step.WARM;
    }

    /// Work of the compilers in the last seconds.
    CompilerDemand demand() {
        return CompilerDemand.of(lastOf(looks, WINDOW), usedCores(WINDOW));
    }

    /// Mean throughput of the last seconds.
    double qps() {
        return mean(lastOf(slices, WINDOW), s -> Optional.of(s.qps())).orElse(0.0);
    }

    /// Warns about the figures that still changed when the warm-up had to end. In a short warm-up,
    /// its two halves are compared.
    ///
    /// @param cores of the machine
    Optional<Warning> missed(Duration atMost, int cores) {
        int window = Math.min(WINDOW, slices.size() / 2);
        if (window == 0) {
            return Optional.empty();
        }
        double rt = change(window, s -> Optional.of(s.rtMeanMs()));
        double used = usedCores(window).orElse(0.0);
        double cpu = used < CPU_COUNTS_FROM * cores ? 0 : change(window, Steadiness::cpuPerRequest);
        boolean byRt = Math.abs(rt) >= Math.abs(cpu);
        double max = byRt ? rt : cpu;
        if (Math.abs(max) > TOLERANCE) {
            return Optional.of(
                    warning(
                            String.format(
                                    Locale.ROOT,
                                    "give a longer --warmup than %s: %s still %s by %.0f %% in its last %d s, so"
                                            + " throughput of the first rounds may be off",
                                    Durations.format(atMost),
                                    byRt ? "response time" : "CPU per request",
                                    max < 0 ? "fell" : "rose",
                                    Math.abs(max) * 100,
                                    window)));
        }
        return demand().says()
                .map(says ->
                        warning(
                                "give a longer --warmup than "
                                        + Durations.format(atMost)
                                        + ": "
                                        + says
                                        + ", so it may still get faster"));
    }

    private static Warning warning(String says) {
        return new Warning("warmup", says, false);
    }

    private Optional<Double> usedCores(int window) {
        return Means.of(
                lastOf(slices, window).stream().flatMap(s -> s.processCores().stream()).toList());
    }

    private static Optional<Double> cpuPerRequest(Slice slice) {
        return slice.processCores().filter(_ -> slice.qps() > 0).map(c -> c / slice.qps());
    }

    private boolean isSteady(Function<Slice, Optional<Double>> figure) {
        return Math.abs(change(WINDOW, figure)) <= TOLERANCE;
    }

    /// Change from the slices before the last ones to the last ones (the same number of each), as a
    /// share of the larger mean; 0 if the figure was not measured, because then there is nothing to
    /// wait for.
    private double change(int window, Function<Slice, Optional<Double>> figure) {
        List<Slice> both = lastOf(slices, 2 * window);
        Optional<Double> now = mean(both.subList(window, 2 * window), figure);
        Optional<Double> before = mean(both.subList(0, window), figure);
        if (now.isEmpty() || before.isEmpty() || Math.max(now.get(), before.get()) == 0) {
            return 0;
        }
        return (now.get() - before.get()) / Math.max(now.get(), before.get());
    }

    private static <T> List<T> lastOf(List<T> all, int many) {
        return all.subList(Math.max(0, all.size() - many), all.size());
    }

    private static Optional<Double> mean(
            List<Slice> slices, Function<Slice, Optional<Double>> figure) {
        return Means.of(slices.stream().map(figure).flatMap(Optional::stream).toList());
    }
}
