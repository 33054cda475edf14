package dev.jdyno.trial;

import dev.jdyno.measure.Slice;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.verdict.Validity.Warning;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/// Whether a warm-up may end: response time and CPU per request have stopped falling, and the JIT
/// compilers have compiled most of what requests run. While they have not, figures can stay alike
/// for seconds and yet improve by a multiple later. A first run's figures do not count (the
/// method's rule 4).
///
/// @param slices of the warm-up so far, a second each
/// @param compilerCores that the JIT compilers used, for each slice; empty where they are not seen
record Steadiness(List<Slice> slices, List<Double> compilerCores) {
    /// Slices compared with as many before them.
    static final int WINDOW = 3;

    /// Largest relative change between the two windows that counts as steady.
    static final double TOLERANCE = 0.05;

    /// Share of the cores in use from which CPU per request tells throughput: below, only the
    /// response time does.
    private static final double CPU_COUNTS_FROM = 0.5;

    /// Share of the service's own CPU that the compilers may still take: requests get no more than
    /// that much faster when they have ended.
    private static final double COMPILERS_SHARE = 0.1;

    /// What the compilers may take where the service itself takes little, in cores: the cores are
    /// free then.
    private static final double COMPILERS_CORES = 0.1;

    Steadiness {
        slices = List.copyOf(slices);
        compilerCores = List.copyOf(compilerCores);
    }

    boolean reached() {
        return slices.size() >= 2 * WINDOW
                && isSteady(s -> Optional.of(s.rtMeanMs()))
                && isSteady(Steadiness::cpuPerRequest)
                && !areCompilersBusy();
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
        if (areCompilersBusy()) {
            return Optional.of(
                    warning(
                            String.format(
                                    Locale.ROOT,
                                    "give a longer --warmup than %s: the JIT compilers still used %.2g of the"
                                            + " %.2g cores that the service used, so it may still get faster",
                                    Durations.format(atMost),
                                    mean(lastOf(compilerCores, WINDOW)).orElse(0.0),
                                    usedCores(WINDOW).orElse(0.0))));
        }
        return Optional.empty();
    }

    private static Warning warning(String says) {
        return new Warning("warmup", says, false);
    }

    private boolean areCompilersBusy() {
        Optional<Double> used = usedCores(WINDOW);
        Optional<Double> compiling = mean(lastOf(compilerCores, WINDOW));
        return compiling.isPresent()
                && used.isPresent()
                && compiling.get() > Math.max(COMPILERS_CORES, COMPILERS_SHARE * used.get());
    }

    private Optional<Double> usedCores(int window) {
        return mean(
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
        return mean(slices.stream().map(figure).flatMap(Optional::stream).toList());
    }

    private static Optional<Double> mean(List<Double> seen) {
        return seen.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        seen.stream().mapToDouble(Double::doubleValue).average().orElseThrow());
    }
}
