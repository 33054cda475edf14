package dev.jdyno.heapmodel;

import dev.jdyno.measure.ShenandoahCycle;
import java.util.OptionalLong;

/// A run of Shenandoah again on a heap of another size. The program allocates at the rate it had;
/// Shenandoah's own rules say when a cycle begins; how long it takes and what it leaves is that of
/// the cycle that began nearest to the same place in the run. Pacing keeps threads from using up
/// what is free while it runs.
final class ShenandoahReplay {
    /// How often Shenandoah looks whether to begin (`ShenandoahControlIntervalMin`).
    private static final double LOOK_S = 1e-3;

    /// What of the free memory pacing lets threads take during a cycle: a tenth untaxed and, with a
    /// surcharge of a tenth, nine tenths for all of its work (`shenandoahPacer.cpp`), which is not
    /// done yet when it ends.
    private static final double PACED_SHARE = 0.8;

    /// A cycle of which threads took more than this share of what was free had them paced.
    private static final double PACED_FROM = 0.5;

    /// Not paced, threads allocate at this part of their rate beside a cycle at least.
    private static final double BESIDE = 0.5;

    /// A larger heap lets a cycle evacuate more and has more to update: of the heap's size. Cycles
    /// that free enough at once end after marking and take as long on any heap.
    private static final double LENGTH_EXPONENT = 0.4;

    /// `ShenandoahImmediateThreshold`: when less of the garbage than this is in regions without
    /// anything alive, others are emptied, too. So no more than the rest of it stays.
    private static final double LEFT_MOST = 0.3;

    /// However full, this share of a heap is left.
    private static final double LEAST_ROOM = 0.02;

    /// More cycles than so many for each one seen come of a heap that is too small.
    private static final int MOST_PER_SEEN = 50;

    private final ShenandoahHistory seen;
    private final double heap;
    private final double longer;
    private final ShenandoahTrigger trigger;
    private double nowS;
    private double position;
    private double free;
    private double since;
    private long cycles;

    private ShenandoahReplay(ShenandoahHistory seen, double heap) {
        this.seen = seen;
        this.heap = heap;
        longer = Math.pow(heap / seen.heapBytes(), LENGTH_EXPONENT);
        trigger = new ShenandoahTrigger(heap);
        free = ShenandoahTrigger.room(heap);
    }

    /// @return cycles until the program has allocated what it had; empty when the heap is too small
    ///   to tell
    static OptionalLong cycles(ShenandoahHistory seen, double heap) {
        var replay = new ShenandoahReplay(seen, heap);
        long most = (long) MOST_PER_SEEN * seen.size();
        while (replay.position < seen.allocated()) {
            replay.step();
            if (replay.cycles > most) {
                return OptionalLong.empty();
            }
        }
        return OptionalLong.of(replay.cycles);
    }

    private void step() {
        int near = seen.nearest(position);
        if (trigger.fires(free, since, nowS)) {
            collect(seen.cycle(near), seen.rate(near));
            return;
        }
        double bytes = Math.min(free, seen.rate(near) * LOOK_S);
        free -= bytes;
        allocate(bytes);
        nowS += LOOK_S;
    }

    private void collect(ShenandoahCycle like, double rate) {
        cycles++;
        trigger.begins(nowS);
        since = 0;
        double seconds = like.seconds() * (like.freedBytes() > 0 ? longer : 1);
        double beside = like.allocated() / Math.max(LOOK_S, like.seconds());
        if (like.allocated() > PACED_FROM * like.freeBytes()) {
            beside = Math.max(beside, BESIDE * rate);
        }
        double most = Math.max(PACED_SHARE, like.allocated() / Math.max(1, like.freeBytes()));
        double bytes = Math.min(beside * seconds, Math.min(1, most) * free);
        double room = ShenandoahTrigger.room(heap);
        double kept =
                ShenandoahTrigger.room(seen.heapBytes()) - like.freeAfterBytes() - like.allocated();
        double leftMost = LEFT_MOST * Math.max(0, room - free - like.liveBytes());
        kept = Math.min(kept, Math.max(like.liveBytes() + leftMost, 0));
        free = Math.max(LEAST_ROOM * heap, room - kept - bytes);
        allocate(bytes);
        nowS += Math.max(LOOK_S, seconds);
        trigger.ends(seconds, free);
    }

    private void allocate(double bytes) {
        position += bytes;
        since += bytes;
    }
}
