package dev.jdyno.trial;

import dev.jdyno.measure.Slice;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Whether a warm-up may end: response time and CPU per request have stopped falling. A first run's
/// figures do not count (the method's rule 4).
final class Steadiness {
    /// Slices compared with as many before them.
    static final int WINDOW = 3;

    /// Largest relative change between the two windows that counts as steady.
    static final double TOLERANCE = 0.05;

    private Steadiness() {}

    static boolean reached(List<Slice> slices) {
        if (slices.size() < 2 * WINDOW) {
            return false;
        }
        return steady(slices, s -> Optional.of(s.rtMeanMs()))
                && steady(
                        slices,
                        s -> s.processCores().filter(_ -> s.qps() > 0).map(c -> c / s.qps()));
    }

    private static boolean steady(List<Slice> slices, Function<Slice, Optional<Double>> figure) {
        int n = slices.size();
        Optional<Double> now = mean(slices.subList(n - WINDOW, n), figure);
        Optional<Double> before = mean(slices.subList(n - 2 * WINDOW, n - WINDOW), figure);
        if (now.isEmpty() || before.isEmpty()) {
            // not seen at all: nothing to wait for
            return true;
        }
        return Math.abs(now.get() - before.get()) <= TOLERANCE * Math.max(now.get(), before.get());
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
