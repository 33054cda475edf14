package dev.jdyno.heapmodel.forecast;

import dev.jdyno.measure.gc.ShenandoahCycle;
import java.util.Optional;
import java.util.OptionalDouble;

/// Replays a run of Shenandoah on a heap of another size. The program allocates at the rate of the
/// run. Shenandoah's own rules decide when a cycle begins. Its length is that of the cycle that
/// began nearest to the same position in the run. The bytes it leaves are also the same or, if
/// cycles copy, follow from {@link ShenandoahRegions}. Pacing prevents threads from using all free
/// memory during a cycle.
final class ShenandoahReplay {
    /// Interval at which Shenandoah decides whether to begin a cycle
    /// (`ShenandoahControlIntervalMin`).
    private static final double CYCLE_CHECK_S = 1e-3;

    /// Share of the free memory that pacing lets threads use during a cycle. A tenth is untaxed.
    /// Nine tenths, with a surcharge of a tenth, are for all of the cycle's work
    /// (`shenandoahPacer.cpp`), which is not complete when it ends.
    private static final double PACED_SHARE = 0.8;

    /// Threads were paced in a cycle if they used more than this share of the free memory.
    private static final double PACED_FROM = 0.5;

    /// Minimum allocation rate during a cycle without pacing, as a share of the rate between
    /// cycles.
    private static final double MIN_CONCURRENT_RATE = 0.5;

    /// Exponent of the heap's size for the length of a cycle: on a larger heap it evacuates and
    /// updates more. Cycles that free enough at once end after marking and take the same time on
    /// any heap.
    private static final double LENGTH_EXPONENT = 0.4;

    /// Maximum share of the garbage that a cycle leaves. If the share of garbage in regions without
    /// live objects is below `ShenandoahImmediateThreshold`, other regions are evacuated, too.
    private static final double MAX_LEFT = 0.3;

    /// Minimum free share of a heap, however full it is.
    private static final double MIN_FREE = 0.02;

    /// Maximum number of replayed cycles per cycle of the run. More mean that the heap is too
    /// small.
    private static final int MAX_PER_SEEN = 50;

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

    /// The result of a replay.
    ///
    /// @param cycles number of cycles until the program had allocated the same number of bytes as
    ///   in the run
    /// @param keptBytes mean of the bytes in use after a cycle that were in use when it began
    record Result(long cycles, double keptBytes) {}

    private ShenandoahReplay(ShenandoahHistory seen, double heap, OptionalDouble freshShare) {
        this.seen = seen;
        this.heap = heap;
        longer = Math.pow(heap / seen.heapBytes(), LENGTH_EXPONENT);
        trigger = new ShenandoahTrigger(heap);
        free = ShenandoahTrigger.usableBytes(heap);
        regions =
                freshShare.isPresent()
                        ? Optional.of(
                                new ShenandoahRegions(
                                        heap, freshShare.getAsDouble(), seen.atOnceShare()))
                        : Optional.empty();
    }

    /// @param freshShare share of the allocation that is not dead at once ({@link
    ///   ShenandoahRegions}); if absent, a cycle leaves the same amount of garbage as the
    ///   corresponding one of the run
    /// @return empty if the heap is too small for a replay
    static Optional<Result> of(ShenandoahHistory seen, double heap, OptionalDouble freshShare) {
        var replay = new ShenandoahReplay(seen, heap, freshShare);
        long max = (long) MAX_PER_SEEN * seen.size();
        while (replay.position < seen.allocated()) {
            replay.step();
            if (replay.cycles > max) {
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
        double bytes = Math.min(free, seen.rate(near) * CYCLE_CHECK_S);
        free -= bytes;
        allocate(bytes, seen.cycle(near).liveBytes());
        nowS += CYCLE_CHECK_S;
    }

    private void collect(int near) {
        ShenandoahCycle like = seen.cycle(near);
        double rate = seen.rate(near);
        cycles++;
        trigger.begins(nowS);
        since = 0;
        double seconds = like.seconds() * (like.freedBytes() > 0 ? longer : 1);
        double allocationRate = like.allocated() / Math.max(CYCLE_CHECK_S, like.seconds());
        if (like.allocated() > PACED_FROM * like.freeBytes()) {
            allocationRate = Math.max(allocationRate, MIN_CONCURRENT_RATE * rate);
        }
        double max = Math.max(PACED_SHARE, like.allocated() / Math.max(1, like.freeBytes()));
        double bytes = Math.min(allocationRate * seconds, Math.min(1, max) * free);
        double usable = ShenandoahTrigger.usableBytes(heap);
        double found = usable - free;
        double kept =
                regions.map(r -> r.collect(like.liveBytes())).orElseGet(() -> kept(near, found));
        keptBytes += kept;
        free = Math.max(MIN_FREE * heap, usable - kept - bytes);
        allocate(bytes, like.liveBytes());
        nowS += Math.max(CYCLE_CHECK_S, seconds);
        trigger.ends(seconds, free);
    }

    /// Bytes that the cycle in the log left, with at most the garbage that this cycle could leave.
    private double kept(int near, double found) {
        double live = seen.cycle(near).liveBytes();
        double maxLeft = MAX_LEFT * Math.max(0, found - live);
        return Math.min(seen.keptBytes(near), Math.max(live + maxLeft, 0));
    }

    private void allocate(double bytes, double liveBytes) {
        regions.ifPresent(r -> r.allocate(bytes, liveBytes));
        position += bytes;
        since += bytes;
    }
}
