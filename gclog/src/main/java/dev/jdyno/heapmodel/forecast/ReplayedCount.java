package dev.jdyno.heapmodel.forecast;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;

/// The number of collections of a run on another heap, from replays on that heap and on the run's
/// own.
final class ReplayedCount {
    /// Factors of the heap's size for replays that are averaged. A single replay jumps if a
    /// collection begins slightly earlier.
    private static final double[] AROUND = {0.96, 0.98, 1, 1.02, 1.04};

    private final DoubleFunction<OptionalLong> replay;
    private final double seen;
    private final double heapSeen;
    private final double replayed;

    private ReplayedCount(
            DoubleFunction<OptionalLong> replay, double seen, double heapSeen, double replayed) {
        this.replay = replay;
        this.seen = seen;
        this.heapSeen = heapSeen;
        this.replayed = replayed;
    }

    /// @param replay collections by heap bytes; empty if a heap is too small for a replay
    /// @param seen collections of the run that is replayed
    /// @return empty if the run's own heap is too small for a replay
    static Optional<ReplayedCount> of(
            DoubleFunction<OptionalLong> replay, long seen, double heapSeen) {
        OptionalDouble replayed = around(replay, heapSeen);
        return replayed.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new ReplayedCount(replay, (double) seen, heapSeen, replayed.getAsDouble()));
    }

    /// The run's count scales with the ratio of the two replays. The ratio is corrected by the
    /// error of the replay on the run's own heap. This error says less about another heap the more
    /// their sizes differ. Therefore only a part of its logarithm is used: smaller size ÷ larger
    /// size.
    ///
    /// @return collections on the other heap per collection of the run; empty if that heap is too
    ///   small
    OptionalDouble ratio(double heap) {
        OptionalDouble there = around(replay, heap);
        if (there.isEmpty()) {
            return OptionalDouble.empty();
        }
        double similarity = Math.min(heap, heapSeen) / Math.max(heap, heapSeen);
        return OptionalDouble.of(
                there.getAsDouble() / seen * Math.pow(seen / replayed, similarity));
    }

    /// The geometric mean of replays on nearly the same heap.
    private static OptionalDouble around(DoubleFunction<OptionalLong> replay, double heap) {
        double[] logs =
                DoubleStream.of(AROUND)
                        .mapToObj(x -> replay.apply(heap * x))
                        .flatMapToDouble(n ->
                                n.isPresent()
                                        ? DoubleStream.of(
                                                Math.log(Math.max(1, (double) n.getAsLong())))
                                        : DoubleStream.empty())
                        .toArray();
        return logs.length < AROUND.length
                ? OptionalDouble.empty()
                : OptionalDouble.of(Math.exp(DoubleStream.of(logs).average().orElseThrow()));
    }
}
