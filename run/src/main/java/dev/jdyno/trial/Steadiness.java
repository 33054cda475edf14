package dev.jdyno.trial;

import dev.jdyno.measure.Slice;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.observe.threads.CompilerLook;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/// Whether a warm-up may end: response time and CPU per request have stopped falling, and the JIT
/// compilers have compiled most of what requests run. While they have not, figures can stay alike
/// for minutes and yet improve by a multiple later. A first run's figures do not count (the
/// method's rule 4).
///
/// @param slices of the load since it began, or since the last rest, a second each
/// @param looks at the compilers, for each slice; empty where they are not seen
/// @param lastRest throughput after ÷ before the rest that this load follows; empty where it
///   follows none, and while it is too short to say
record Steadiness(List<Slice> slices, List<CompilerLook> looks, Optional<Double> lastRest) {
    /// Slices compared with as many before them.
    static final int WINDOW = 3;

    /// Largest relative change between the two windows that counts as steady.
    static final double TOLERANCE = 0.05;

    /// Throughput that a rest must bring for another one: less is within the noise of a few
    /// seconds.
    static final double REST_PAYS = 0.03;

    /// Seconds of load with starved compilers after which a rest is worth it although figures still
    /// move: they move slowly then.
    static final int LONG_BURST = 10;

    /// Seconds for which the last few methods are waited for while figures stay alike: a service
    /// that compiles something for ever is as warm as it gets.
    static final int PATIENCE = 20;

    /// Share of the cores in use from which CPU per request tells throughput: below, only the
    /// response time does.
    private static final double CPU_COUNTS_FROM = 0.5;

    /// Seconds of work in the queue, at the pace of the last seconds, that the compilers are not
    /// waited for.
    private static final double DRAINS_WITHIN_S = 10;

    /// What the load goes on with.
    enum Step {
        /// Go on: it still gets faster, or the compilers get on with their work.
        LOAD,
        /// Send nothing for some seconds: the compilers lack cores.
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
            // whatever they still compile: they had the cores, and it brought nothing
            return Step.WARM;
        }
        if (demand.isStarved(DRAINS_WITHIN_S) && (flat || slices.size() >= LONG_BURST)) {
            return Step.REST;
        }
        boolean forEver = slices.size() >= PATIENCE && !demand.mostlyHasWork() && !demand.isBusy();
        return flat && forEver ? Step.WARM : Step.LOAD;
    }

    boolean reached() {
        return next() == Step.WARM;
    }

    /// What the compilers had to do in the last seconds.
    CompilerDemand demand() {
        return CompilerDemand.of(lastOf(looks, WINDOW), usedCores(WINDOW));
    }

    /// Mean throughput of the last seconds.
    double qps() {
        return mean(lastOf(slices, WINDOW), s -> Optional.of(s.qps())).orElse(0.0);
    }

    /// What still changed when a warm-up had to end; a short one is compared by halves.
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
        double most = byRt ? rt : cpu;
        if (Math.abs(most) > TOLERANCE) {
            return Optional.of(
                    warning(
                            String.format(
                                    Locale.ROOT,
                                    "give a longer --warmup than %s: %s still %s by %.0f %% in its last %d s, so"
                                            + " throughput of the first rounds may be off",
                                    Durations.format(atMost),
                                    byRt ? "response time" : "CPU per request",
                                    most < 0 ? "fell" : "rose",
                                    Math.abs(most) * 100,
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

    /// Of the last slices against as many before them, as a share of the larger; 0 where it was not
    /// seen at all: nothing to wait for.
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
