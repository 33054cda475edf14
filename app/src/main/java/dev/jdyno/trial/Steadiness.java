package dev.jdyno.trial;

import dev.jdyno.measure.Slice;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.verdict.Validity.Warning;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/// Whether a warm-up may end: response time and CPU per request have stopped falling. A first run's
/// figures do not count (the method's rule 4).
final class Steadiness {
    /// Slices compared with as many before them.
    static final int WINDOW = 3;

    /// Largest relative change between the two windows that counts as steady.
    static final double TOLERANCE = 0.05;

    /// Share of the cores in use from which CPU per request tells throughput: below, only the
    /// response time does.
    private static final double CPU_COUNTS_FROM = 0.5;

    private Steadiness() {}

    static boolean reached(List<Slice> slices) {
        if (slices.size() < 2 * WINDOW) {
            return false;
        }
        return steady(slices, s -> Optional.of(s.rtMeanMs()))
                && steady(slices, Steadiness::cpuPerRequest);
    }

    /// What still changed when a warm-up had to end.
    ///
    /// @param slices of the whole warm-up, a second each; a short one is compared by halves
    /// @param cores of the machine
    static Optional<Warning> missed(List<Slice> slices, Duration atMost, int cores) {
        int window = Math.min(WINDOW, slices.size() / 2);
        if (window == 0) {
            return Optional.empty();
        }
        double rt = change(slices, window, s -> Optional.of(s.rtMeanMs()));
        double used =
                mean(slices.subList(slices.size() - window, slices.size()), Slice::processCores)
                        .orElse(0.0);
        double cpu =
                used < CPU_COUNTS_FROM * cores
                        ? 0
                        : change(slices, window, Steadiness::cpuPerRequest);
        if (Math.max(Math.abs(rt), Math.abs(cpu)) <= TOLERANCE) {
            return Optional.empty();
        }
        boolean byRt = Math.abs(rt) >= Math.abs(cpu);
        double most = byRt ? rt : cpu;
        return Optional.of(
                new Warning(
                        "warmup",
                        String.format(
                                Locale.ROOT,
                                "give a longer --warmup than %s: %s still %s by %.0f %% in its last %d s, so"
                                        + " throughput of the first rounds may be off",
                                Durations.format(atMost),
                                byRt ? "response time" : "CPU per request",
                                most < 0 ? "fell" : "rose",
                                Math.abs(most) * 100,
                                window),
                        false));
    }

    private static Optional<Double> cpuPerRequest(Slice slice) {
        return slice.processCores().filter(_ -> slice.qps() > 0).map(c -> c / slice.qps());
    }

    private static boolean steady(List<Slice> slices, Function<Slice, Optional<Double>> figure) {
        return Math.abs(change(slices, WINDOW, figure)) <= TOLERANCE;
    }

    /// Of the last slices against as many before them, as a share of the larger; 0 where it was not
    /// seen at all: nothing to wait for.
    private static double change(
            List<Slice> slices, int window, Function<Slice, Optional<Double>> figure) {
        int n = slices.size();
        Optional<Double> now = mean(slices.subList(n - window, n), figure);
        Optional<Double> before = mean(slices.subList(n - 2 * window, n - window), figure);
        if (now.isEmpty() || before.isEmpty() || Math.max(now.get(), before.get()) == 0) {
            return 0;
        }
        return (now.get() - before.get()) / Math.max(now.get(), before.get());
    }

    private static Optional<Double> mean(
            List<Slice> slices, Function<Slice, Optional<Double>> figure) {
        var seen = slices.stream().map(figure).flatMap(Optional::stream).toList();
        return seen.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        seen.stream().mapToDouble(Double::doubleValue).average().orElseThrow());
    }
}
