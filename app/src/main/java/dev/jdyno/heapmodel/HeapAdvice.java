package dev.jdyno.heapmodel;

import dev.jdyno.measure.Bytes;
import dev.jdyno.measure.HeapObservation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// A heap size for a goal, by {@link HeapForecast}, and what each size would cost.
///
/// @param now the forecast at the size that was seen: the run itself
/// @param choices sizes from tight to roomy, `now` among them
/// @param chosen the smallest that meets the share of time and full-collects at most every ten
///   minutes; empty when none does
/// @param pauseMet whether the pauses seen meet the goal; a size changes how often they come,
///   hardly how long they take
public record HeapAdvice(
        HeapForecast now,
        List<HeapForecast> choices,
        Optional<HeapForecast> chosen,
        boolean pauseMet) {
    /// Sizes tried, in heaps seen: the range in which the forecast was checked.
    private static final double[] HEAPS = {0.5, 0.75, 1.25, 1.5, 2, 3, 4};

    /// Full collections more often than this are a fault (IBM's rule for failures).
    private static final double FULL_INTERVAL_MIN_S = 600;

    private static final long GRAIN = 1024 * 1024;

    public HeapAdvice {
        choices = List.copyOf(choices);
    }

    /// @param longestPauseMs as seen, full collections left out
    public static HeapAdvice of(HeapObservation seen, double longestPauseMs, HeapGoal goal) {
        var choices = new ArrayList<HeapForecast>();
        for (double factor : HEAPS) {
            long bytes = (long) Math.ceil(factor * seen.heapBytes() / GRAIN) * GRAIN;
            choices.add(HeapForecast.of(seen, new Bytes(bytes)));
        }
        double fullMax = seen.spanS() / FULL_INTERVAL_MIN_S;
        HeapForecast now = HeapForecast.of(seen, new Bytes((long) seen.heapBytes()));
        choices.add(now);
        choices.sort(Comparator.comparing(HeapForecast::heap));
        // pauses say nothing of a heap whose collector works beside the application: keep its size
        double least = seen.kind().isPauseless() ? seen.heapBytes() : seen.liveBytes();
        Optional<HeapForecast> chosen =
                choices.stream()
                        .filter(c -> !c.tooSmall())
                        .filter(c -> c.heap().value() >= least)
                        .filter(c -> c.pauseShare() <= goal.gcShare())
                        .filter(c -> c.fullGcs() <= Math.max(fullMax, 0.5))
                        .findFirst();
        return new HeapAdvice(
                now, choices, chosen, goal.pauseMs().map(p -> longestPauseMs <= p).orElse(true));
    }
}
