package dev.jdyno.heapmodel.forecast;

import dev.jdyno.heapmodel.simulation.Collector;
import dev.jdyno.heapmodel.simulation.G1Heap;
import dev.jdyno.heapmodel.simulation.GcCosts;
import dev.jdyno.heapmodel.simulation.HeapExhausted;
import dev.jdyno.heapmodel.simulation.HeapFlags;
import dev.jdyno.heapmodel.simulation.HeapTally;
import dev.jdyno.heapmodel.simulation.ParallelHeap;
import dev.jdyno.heapmodel.simulation.SerialHeap;
import dev.jdyno.heapmodel.simulation.SimulatedHeap;
import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.measure.text.Bytes;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/// Forecasts by simulation. The {@link Lifetimes} of the run are replayed on its own heap and on
/// the other one, and the run's figures are scaled by the ratio. Errors of the simulator that are
/// equal at both sizes cancel out. For Serial and Parallel with promotion, {@link LifetimeSearch}
/// finds lifetimes with which the simulated heap reproduces the run. For G1 with promotion, {@link
/// LifetimeFit} finds those that fit its single collections and with which the simulated heap
/// collects as often.
public final class ReplayForecast {
    /// Maximum number of collections in a replay. The ratio of two sizes changes very little after
    /// that.
    private static final double COLLECTIONS_MAX = 300;

    /// Maximum share of a pause that counts as its fixed part, however short the pause is.
    private static final double FIXED_SHARE_MAX = 0.9;

    /// Exponent with which the pause grows with the interval between collections, if only in-flight
    /// objects survive. Their number does not depend on the interval, but slightly more of them are
    /// live.
    private static final double IN_FLIGHT_EXPONENT = 0.2;

    /// Weight of the simulated count for G1, in logarithms; the first-order count has the remaining
    /// weight. The simulated G1 has no pause goal and only a few figures of the lifetimes.
    private static final double REGIONS_WEIGHT = 0.75;

    /// Factor that reduces a predicted change for G1 that is larger than the ratio of the heap
    /// sizes. On a logarithmic scale, the excess over that ratio is multiplied by this factor.
    /// Values from 0.6 to 0.9 are about equally good.
    private static final double EXCESS_KEPT = 0.8;

    /// Exponent with which full collections that the simulator does not explain become rarer as
    /// free space grows.
    private static final double FULL_EXPONENT = 4;

    /// Cost of a dead byte of the old generation in a full collection, relative to a live byte:
    /// compaction scans both. Serial's value is from logs of 160 to 540 MiB, Parallel's from 200
    /// and 480 MiB.
    private static final double DEAD_WALK_SERIAL = 0.35;

    private static final double DEAD_WALK_PARALLEL = 0.125;

    /// Factors of the heap's size for replays that are averaged. A single replay jumps if a
    /// collection comes slightly earlier.
    private static final double[] AROUND = {0.94, 0.97, 1, 1.03, 1.06};

    /// Index of the factor 1 in these factors.
    private static final int ITSELF = 2;

    /// Factor by which the bytes built at the start are reduced, and their minimum as a share of an
    /// Eden. They are reduced while the replay has full collections and the run had none.
    private static final double LESS = 0.7;

    private static final double MIN_BUILT = 0.1;

    private static final int OLDEST_RELEASE = 8;
    private static final int NEWEST_RELEASE = 25;

    private final HeapObservation seen;

    /// Eden ÷ survivor of the run; empty for the JVM's default.
    private final OptionalInt survivorRatio;

    private final HeapObservation.Copying copying;
    private final Collector collector;
    private final Lifetimes lifetimes;
    private final double inFlightLife;
    private final double allocateBytes;
    private final HeapTally here;
    private final List<Optional<HeapTally>> aroundHere;

    private ReplayForecast(
            HeapObservation seen,
            HeapObservation.Copying copying,
            Collector collector,
            OptionalInt survivorRatio)
            throws HeapExhausted {
        this.seen = seen;
        this.survivorRatio = survivorRatio;
        this.copying = copying;
        this.collector = collector;
        Lifetimes estimated = Lifetimes.of(seen, copying);
        inFlightLife = estimated.inFlightLifeBytes(copying.edenBytes());
        allocateBytes = Math.min(seen.allocatedBytes(), COLLECTIONS_MAX * copying.edenBytes());
        LifetimeSearch.Replay onThisHeap =
                lives -> replay(lives, seen.heapBytes(), seen.youngBytes(), survivorRatio);
        if (estimated.isSteady() && seen.kind().isFixed()) {
            estimated = LifetimeSearch.from(estimated, seen, copying, allocateBytes, onThisHeap);
        } else if (estimated.isSteady() && !copying.collections().isEmpty()) {
            estimated = LifetimeFit.searched(seen, copying, allocateBytes, onThisHeap);
        }
        HeapTally tally = onThisHeap.of(estimated);
        // promoted garbage that no old collection freed was counted as live
        while (seen.fullGcs() == 0
                && tally.fullGcs() > 0
                && estimated.builtBytes() > MIN_BUILT * copying.edenBytes()) {
            estimated = estimated.withBuilt(LESS * estimated.builtBytes());
            tally = onThisHeap.of(estimated);
        }
        lifetimes = estimated;
        here = tally;
        aroundHere = around(seen.heapBytes(), seen.youngBytes(), survivorRatio);
    }

    /// Makes the forecast. Empty if the log shows too little, or if the simulator does not support
    /// the collector.
    public static Optional<ReplayForecast> of(HeapObservation seen) {
        return of(seen, OptionalInt.empty());
    }

    /// @param survivorRatio ratio with which the JVM was started; empty for the default
    public static Optional<ReplayForecast> of(HeapObservation seen, OptionalInt survivorRatio) {
        if (seen.copying().isEmpty() || seen.youngGcs() == 0 || seen.allocatedBytes() <= 0) {
            return Optional.empty();
        }
        Optional<Collector> collector =
                switch (seen.kind()) {
                    case SERIAL -> Optional.of(Collector.SERIAL);
                    case PARALLEL -> Optional.of(Collector.PARALLEL);
                    case REGIONS -> Optional.of(Collector.G1);
                    case SWEPT, ZGC, SHENANDOAH -> Optional.empty();
                };
        if (collector.isEmpty()) {
            return Optional.empty();
        }
        try {
            var forecast =
                    new ReplayForecast(seen, seen.copying().get(), collector.get(), survivorRatio);
            return forecast.here.youngGcs() == 0 ? Optional.empty() : Optional.of(forecast);
        } catch (HeapExhausted e) {
            return Optional.empty();
        }
    }

    private HeapTally replay(
            Lifetimes lives, double heapBytes, Optional<Double> youngBytes, OptionalInt ratio)
            throws HeapExhausted {
        HeapFlags flags =
                HeapFlags.of(collector, new Bytes((long) heapBytes)).withJdk(release(seen));
        if (youngBytes.isPresent() && seen.kind().isFixed()) {
            flags = flags.withYoung(new Bytes(Math.round(youngBytes.get())));
        }
        if (ratio.isPresent()) {
            flags = flags.withSurvivorRatio(ratio.getAsInt());
        }
        GcCosts costs = GcCosts.of(collector);
        SimulatedHeap heap =
                switch (collector) {
                    case SERIAL -> new SerialHeap(flags, costs);
                    case PARALLEL -> new ParallelHeap(flags, costs, true);
                    case G1 -> new G1Heap(flags, costs);
                };
        return LifetimeReplay.run(
                heap,
                lives,
                inFlightLife,
                copying.edenBytes(),
                allocateBytes,
                seen.runningS() / seen.allocatedBytes());
    }

    /// The release for the model. If the log does not show it, the newest one that the model
    /// supports.
    private static int release(HeapObservation seen) {
        return Math.max(OLDEST_RELEASE, seen.jdk().orElse(NEWEST_RELEASE));
    }

    /// The forecast for a heap; empty if the live set does not fit.
    public Optional<HeapForecast> at(Bytes heap) {
        return at(heap, seen.youngBytes().map(y -> y / seen.heapBytes() * heap.value()));
    }

    /// Live bytes that a young collection finds after this much allocation.
    public double alive(double edenBytes) {
        return lifetimes.alive(edenBytes);
    }

    /// @param youngBytes size of a fixed young generation
    public Optional<HeapForecast> at(Bytes heap, Optional<Double> youngBytes) {
        return at(heap, youngBytes, survivorRatio);
    }

    /// @param ratio Eden ÷ survivor; empty for the JVM's default
    public Optional<HeapForecast> at(Bytes heap, Optional<Double> youngBytes, OptionalInt ratio) {
        List<Optional<HeapTally>> aroundThere = around((double) heap.value(), youngBytes, ratio);
        if (aroundThere.get(ITSELF).isEmpty()) {
            return Optional.empty();
        }
        HeapTally there = aroundThere.get(ITSELF).get();
        double young = seen.youngGcs() * ratio(aroundThere, t -> (double) t.youngGcs());
        double youngMs = youngMs(young, ratio(aroundThere, HeapTally::movedBytes));
        if (collector == Collector.G1) {
            young =
                    Math.pow(young, REGIONS_WEIGHT)
                            * Math.pow(FirstOrderForecast.youngGcs(seen, heap), 1 - REGIONS_WEIGHT);
            double smaller = seen.heapBytes() / heap.value();
            young = tempered((double) seen.youngGcs(), young, smaller);
            youngMs = tempered(seen.youngPauseMs(), youngMs, smaller);
        }
        double full = full(heap, there);
        double fullMs = full * fullMeanMs(there, heap, youngBytes);
        return Optional.of(
                HeapForecast.of(
                        seen,
                        heap,
                        young,
                        full,
                        (double) seen.cycles(),
                        youngMs + seen.cyclePauseMs(),
                        fullMs));
    }

    /// Reduces a change that is larger than the heap's own ratio. The excess depends on the room
    /// that the live set leaves, which one log shows only roughly. The larger a predicted excess
    /// is, the more of it is due to this error.
    ///
    /// @param smaller heap of the run ÷ requested heap
    static double tempered(double here, double there, double smaller) {
        double size = Math.log(smaller);
        if (here <= 0 || there <= 0 || size == 0) {
            return there;
        }
        double steepness = Math.log(there / here) / size;
        return steepness <= 1 ? there : here * Math.exp(size * (1 + (steepness - 1) * EXCESS_KEPT));
    }

    /// Replays on heaps of nearly this size. A replay is empty if the live set does not fit.
    private List<Optional<HeapTally>> around(
            double heapBytes, Optional<Double> youngBytes, OptionalInt ratio) {
        return DoubleStream.of(AROUND)
                .mapToObj(x -> tally(x * heapBytes, youngBytes.map(y -> x * y), ratio))
                .toList();
    }

    private Optional<HeapTally> tally(
            double heapBytes, Optional<Double> youngBytes, OptionalInt ratio) {
        try {
            return Optional.of(replay(lifetimes, heapBytes, youngBytes, ratio));
        } catch (HeapExhausted e) {
            return Optional.empty();
        }
    }

    /// Ratio of a figure to that on the run's own heap, as a geometric mean.
    private double ratio(
            List<Optional<HeapTally>> aroundThere, ToDoubleFunction<HeapTally> something) {
        return Math.exp(
                IntStream.range(0, AROUND.length)
                        .filter(i ->
                                aroundHere.get(i).isPresent() && aroundThere.get(i).isPresent())
                        .mapToDouble(i ->
                                Math.log(
                                        atLeastOne(something, aroundThere.get(i))
                                                / atLeastOne(something, aroundHere.get(i))))
                        .average()
                        .orElse(0));
    }

    private static double atLeastOne(
            ToDoubleFunction<HeapTally> something, Optional<HeapTally> tally) {
        return Math.max(1, something.applyAsDouble(tally.orElseThrow()));
    }

    /// Time of the young collections (F14): a fixed part for each collection, and a part
    /// proportional to the copied bytes. The additional time of a start that builds the live set
    /// stays the same.
    private double youngMs(double young, double copiedRatio) {
        double once =
                lifetimes.isSteady()
                        ? 0
                        : Math.max(0, seen.youngPauseMs() - seen.youngGcs() * copying.pauseMs());
        double mean = (seen.youngPauseMs() - once) / seen.youngGcs();
        if (!lifetimes.isSteady()) {
            return once + young * mean * Math.pow(seen.youngGcs() / young, IN_FLIGHT_EXPONENT);
        }
        double fixed = Math.min(GcCosts.of(collector).minorFixed() * 1000, mean * FIXED_SHARE_MAX);
        return young * fixed + (mean - fixed) * seen.youngGcs() * copiedRatio;
    }

    /// Work of a full collection in live bytes: the live set, plus the old generation weighted as
    /// dead bytes.
    private double fullWork(double heapBytes, Optional<Double> youngBytes) {
        double old = heapBytes - youngBytes.orElse(heapBytes * YOUNG_SHARE);
        double walk =
                switch (collector) {
                    case SERIAL -> DEAD_WALK_SERIAL;
                    case PARALLEL -> DEAD_WALK_PARALLEL;
                    case G1 -> 0;
                };
        return Math.max(1, seen.liveBytes() + walk * old);
    }

    /// Young generation's share of the heap with `NewRatio` 2.
    private static final double YOUNG_SHARE = 1 / 3.0;

    private double full(Bytes heap, HeapTally there) {
        if (seen.fullGcs() == 0) {
            return Math.max(0, there.fullGcs() - here.fullGcs());
        }
        if (here.fullGcs() > 0) {
            return (double) seen.fullGcs() * there.fullGcs() / here.fullGcs();
        }
        return seen.fullGcs() * Math.pow(seen.heapBytes() / heap.value(), FULL_EXPONENT);
    }

    private double fullMeanMs(HeapTally there, Bytes heap, Optional<Double> youngBytes) {
        if (seen.fullGcs() > 0) {
            return seen.fullPauseMs()
                    / seen.fullGcs()
                    * fullWork((double) heap.value(), youngBytes)
                    / fullWork(seen.heapBytes(), seen.youngBytes());
        }
        double speed = seen.youngPauseMs() / (here.youngSeconds() * 1000);
        return there.fullGcs() == 0 ? 0 : there.fullSeconds() * 1000 / there.fullGcs() * speed;
    }
}
