package dev.jdyno.heapmodel.forecast;

import dev.jdyno.measure.gc.ShenandoahCycle;
import java.util.Optional;
import java.util.OptionalDouble;

/// A run of Shenandoah again on a heap of another size. The program allocates at the rate it had;
/// Shenandoah's own rules say when a cycle begins; how long it takes is that of the cycle that
/// began nearest to the same place in the run. What it leaves is the same, too, or, where cycles
/// copy, what {@link ShenandoahRegions} tell. Pacing keeps threads from using up what is free while
/// it runs.
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
    private final Optional<ShenandoahRegions> regions;
    private double nowS;
    private double position;
    private double free;
    private double since;
    private long cycles;
    private double keptBytes;

    /// What a replay came to.
    ///
    /// @param cycles until the program had allocated what it had
    /// @param keptBytes in use after a cycle, in the mean, of what was there when it began
    record Result(long cycles, double keptBytes) {}

    private ShenandoahReplay(ShenandoahHistory seen, double heap, OptionalDouble freshShare) {
        this.seen = seen;
        this.heap = heap;
        longer = Math.pow(heap / seen.heapBytes(), LENGTH_EXPONENT);
        trigger = new ShenandoahTrigger(heap);
        free = ShenandoahTrigger.room(heap);
        regions =
                freshShare.isPresent()
                        ? Optional.of(
                                new ShenandoahRegions(
                                        heap, freshShare.getAsDouble(), seen.atOnceShare()))
                        : Optional.empty();
    }

    /// @param freshShare of the allocation that is not dead at once ({@link ShenandoahRegions});
    ///   when absent, a cycle leaves as much garbage as the one it is like
    /// @return empty when the heap is too small to tell
    static Optional<Result> of(ShenandoahHistory seen, double heap, OptionalDouble freshShare) {
        var replay = new ShenandoahReplay(seen, heap, freshShare);
        long most = (long) MOST_PER_SEEN * seen.size();
        while (replay.position < seen.allocated()) {
            replay.step();
            if (replay.cycles > most) {
                return Optional.empty();
            }
        }
        return Optional.of(
                new Result(replay.cycles, replay.keptBytes / Math.max(1, replay.cycles)));
    }

    private void step() {
        int near = seen.nearest(position);
        if (trigger.fires(free, since, nowS)) {
            collect(near);
            return;
        }
        double bytes = Math.min(free, seen.rate(near) * LOOK_S);
        free -= bytes;
        allocate(bytes, seen.cycle(near).liveBytes());
        nowS += LOOK_S;
    }

    private void collect(int near) {
        ShenandoahCycle like = seen.cycle(near);
        double rate = seen.rate(near);
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
        double found = room - free;
        double kept =
                regions.map(r -> r.collect(like.liveBytes())).orElseGet(() -> kept(near, found));
        keptBytes += kept;
        free = Math.max(LEAST_ROOM * heap, room - kept - bytes);
        allocate(bytes, like.liveBytes());
        nowS += Math.max(LOOK_S, seconds);
        trigger.ends(seconds, free);
    }

    /// What the cycle in the log left, but no more garbage than one here could leave.
    private double kept(int near, double found) {
        double live = seen.cycle(near).liveBytes();
        double leftMost = LEFT_MOST * Math.max(0, found - live);
        return Math.min(seen.keptBytes(near), Math.max(live + leftMost, 0));
    }

    private void allocate(double bytes, double liveBytes) {
        regions.ifPresent(r -> r.allocate(bytes, liveBytes));
        position += bytes;
        since += bytes;
    }
}
