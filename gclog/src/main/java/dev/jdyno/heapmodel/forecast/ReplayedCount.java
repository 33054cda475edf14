package dev.jdyno.heapmodel.forecast;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;

/// How many collections a run has on another heap, by replays of it there and on the heap seen.
final class ReplayedCount {
    /// Of the heap's size: a replay jumps where a collection begins a little earlier, so some on
    /// nearly the same heap are averaged.
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

    /// @param replay by heap bytes; empty when a heap is too small to tell
    /// @param seen collections of the run that is replayed
    /// @return empty when the heap seen is too small to tell
    static Optional<ReplayedCount> of(
            DoubleFunction<OptionalLong> replay, long seen, double heapSeen) {
        OptionalDouble replayed = around(replay, heapSeen);
        return replayed.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new ReplayedCount(replay, (double) seen, heapSeen, replayed.getAsDouble()));
    }

    /// What was seen is changed by the ratio of the two replays. What the rules get wrong on the
    /// heap seen says the less of another one the more the two differ: of the logarithm of that the
    /// smaller heap's part of the larger one is set right.
    ///
    /// @return collections on the other heap for each one seen; empty when it is too small to tell
    OptionalDouble ratio(double heap) {
        OptionalDouble there = around(replay, heap);
        if (there.isEmpty()) {
            return OptionalDouble.empty();
        }
        double alike = Math.min(heap, heapSeen) / Math.max(heap, heapSeen);
        return OptionalDouble.of(there.getAsDouble() / seen * Math.pow(seen / replayed, alike));
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
