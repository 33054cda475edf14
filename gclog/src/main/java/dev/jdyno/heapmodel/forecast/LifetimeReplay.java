package dev.jdyno.heapmodel.forecast;

import dev.jdyno.heapmodel.simulation.HeapExhausted;
import dev.jdyno.heapmodel.simulation.HeapTally;
import dev.jdyno.heapmodel.simulation.Life;
import dev.jdyno.heapmodel.simulation.SimulatedHeap;

/// Runs a program, described only by its {@link Lifetimes}, against a simulated heap. It allocates
/// in small slices. One part of each slice dies soon, one lives for a while, and one is garbage at
/// once.
final class LifetimeReplay {
    /// Number of slices per Eden, which is the resolution of lifetimes.
    private static final int SLICES = 48;

    private static final long OBJECT_BYTES = 64;

    /// Share of the allocation that builds the live set, until it is complete.
    private static final double BUILT_SHARE = 0.5;

    /// Step between the quantiles of successive lifetimes. Steps of the golden ratio spread any
    /// number of lifetimes evenly.
    private static final double GOLDEN = 0.618_033_988_749_895;

    private final SimulatedHeap heap;
    private final Lifetimes lifetimes;
    private final double inFlightLife;
    private final LifeEnds ends;
    private double allocated;
    private double built;
    private double spread;

    private LifetimeReplay(
            SimulatedHeap heap, Lifetimes lifetimes, double inFlightLife, LifeEnds ends) {
        this.heap = heap;
        this.lifetimes = lifetimes;
        this.inFlightLife = inFlightLife;
        this.ends = ends;
    }

    /// @param inFlightLife lifetime of in-flight objects in allocated bytes
    /// @param secondsPerByte running time of the application per allocated byte
    /// @return the activity of the heap
    /// @throws HeapExhausted if the live set does not fit
    static HeapTally run(
            SimulatedHeap heap,
            Lifetimes lifetimes,
            double inFlightLife,
            double edenBytes,
            double allocateBytes,
            double secondsPerByte)
            throws HeapExhausted {
        double slice = Math.max(OBJECT_BYTES * 16.0, edenBytes / SLICES);
        var ends = new LifeEnds(slice, allocateBytes);
        var replay = new LifetimeReplay(heap, lifetimes, inFlightLife, ends);
        double stopped = 0;
        while (replay.allocated < allocateBytes) {
            stopped += replay.step(slice, replay.allocated * secondsPerByte + stopped);
        }
        return heap.tally();
    }

    private double step(double slice, double now) throws HeapExhausted {
        double stopped = 0;
        double left = slice;
        if (built < lifetimes.builtBytes()) {
            double some = slice * BUILT_SHARE;
            stopped += allocate(Life.begin(), some, now);
            built += some;
            left -= some;
        }
        if (lifetimes.inFlightBytes() > 0) {
            double some = Math.min(left, slice * lifetimes.inFlightBytes() / inFlightLife);
            stopped += allocate(until(allocated + inFlightLife), some, now + stopped);
            left -= some;
        }
        if (lifetimes.churnShare() > 0) {
            double some = Math.min(left, slice * lifetimes.churnShare());
            spread = (spread + GOLDEN) % 1;
            double life = lifetimes.lifeBytes(spread);
            stopped += allocate(until(allocated + slice / 2 + life), some, now + stopped);
            left -= some;
        }
        stopped += allocate(Life.over(), left, now + stopped);
        allocated += slice;
        ends.reach(allocated);
        return stopped;
    }

    private Life until(double atBytes) {
        Life life = Life.begin();
        ends.add(life, atBytes);
        return life;
    }

    private double allocate(Life life, double bytes, double now) throws HeapExhausted {
        long count = Math.round(bytes / OBJECT_BYTES);
        return count <= 0 ? 0 : heap.allocate(life, OBJECT_BYTES, count, now);
    }
}
