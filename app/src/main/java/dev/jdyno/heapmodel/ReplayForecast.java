package dev.jdyno.heapmodel;

import dev.jdyno.measure.Bytes;
import dev.jdyno.measure.HeapObservation;
import java.util.Optional;

/// Forecasts by simulation: the {@link Lifetimes} read off the run are replayed on the heap that
/// was seen and on the other one, and what was seen is changed by the ratio of the two. So what the
/// simulator gets wrong at both sizes cancels out.
final class ReplayForecast {
    /// More collections than these are not replayed: the ratio of two sizes is settled by then.
    private static final double COLLECTIONS_MAX = 600;

    private final HeapObservation seen;
    private final HeapObservation.Copying copying;
    private final Collector collector;
    private final Lifetimes lifetimes;
    private final double inFlightLife;
    private final double allocateBytes;
    private final HeapTally here;

    private ReplayForecast(
            HeapObservation seen, HeapObservation.Copying copying, Collector collector)
            throws HeapExhausted {
        this.seen = seen;
        this.copying = copying;
        this.collector = collector;
        lifetimes = Lifetimes.of(seen, copying);
        inFlightLife = lifetimes.inFlightLifeBytes(copying.edenBytes());
        allocateBytes = Math.min(seen.allocatedBytes(), COLLECTIONS_MAX * copying.edenBytes());
        here = replay(seen.heapBytes());
    }

    /// Empty where the log tells too little, or where the simulator does not know the collector.
    static Optional<ReplayForecast> of(HeapObservation seen) {
        if (seen.copying().isEmpty() || seen.youngGcs() == 0 || seen.allocatedBytes() <= 0) {
            return Optional.empty();
        }
        Collector collector =
                switch (seen.kind()) {
                    case SERIAL -> Collector.SERIAL;
                    case PARALLEL -> Collector.PARALLEL;
                    case REGIONS -> Collector.G1;
                    case SWEPT, CYCLES, GENERATIONAL_CYCLES -> null;
                };
        if (collector == null) {
            return Optional.empty();
        }
        try {
            var forecast = new ReplayForecast(seen, seen.copying().get(), collector);
            return forecast.here.youngGcs() == 0 ? Optional.empty() : Optional.of(forecast);
        } catch (HeapExhausted e) {
            return Optional.empty();
        }
    }

    private HeapTally replay(double heapBytes) throws HeapExhausted {
        HeapFlags flags = flags(heapBytes);
        GcCosts costs = GcCosts.of(collector);
        SimulatedHeap heap =
                switch (collector) {
                    case SERIAL -> new SerialHeap(flags, costs);
                    case PARALLEL -> new ParallelHeap(flags, costs);
                    case G1 -> new G1Heap(flags, costs);
                };
        return LifetimeReplay.run(
                heap,
                lifetimes,
                inFlightLife,
                copying.edenBytes(),
                allocateBytes,
                seen.runningS() / seen.allocatedBytes());
    }

    private HeapFlags flags(double heapBytes) {
        HeapFlags flags = HeapFlags.of(collector, new Bytes((long) heapBytes));
        return seen.kind().isFixed() && seen.youngBytes().isPresent()
                ? flags.withYoung(
                        new Bytes((long) (seen.youngBytes().get() / seen.heapBytes() * heapBytes)))
                : flags;
    }

    /// Empty when the live set does not fit.
    Optional<HeapForecast> at(Bytes heap) {
        HeapTally there;
        try {
            there = replay(heap.value());
        } catch (HeapExhausted e) {
            return Optional.empty();
        }
        double young = seen.youngGcs() * ((double) there.youngGcs() / here.youngGcs());
        double youngMs = seen.youngPauseMs() * there.youngSeconds() / here.youngSeconds();
        double full = changed(seen.fullGcs(), here.fullGcs(), there.fullGcs());
        double fullMs = full * fullMeanMs(there);
        double cycleMs = seen.cycles() == 0 ? 0 : seen.cyclePauseMs();
        double pause = youngMs + fullMs + cycleMs;
        return Optional.of(
                new HeapForecast(
                        heap,
                        young,
                        full,
                        seen.cycles(),
                        pause,
                        pause / (seen.runningS() * 1000 + pause),
                        false));
    }

    /// A count that was seen, by the simulated ratio or, where one of the two is none, by the
    /// difference.
    private static double changed(double observed, double simulated, double other) {
        return simulated > 0 && observed > 0
                ? observed * other / simulated
                : Math.max(0, observed + other - simulated);
    }

    private double fullMeanMs(HeapTally there) {
        if (seen.fullGcs() > 0) {
            return seen.fullPauseMs() / seen.fullGcs();
        }
        double speed = seen.youngPauseMs() / (here.youngSeconds() * 1000);
        return there.fullGcs() == 0 ? 0 : there.fullSeconds() * 1000 / there.fullGcs() * speed;
    }
}
