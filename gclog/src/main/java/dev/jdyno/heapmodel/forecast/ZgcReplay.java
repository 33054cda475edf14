package dev.jdyno.heapmodel.forecast;

import dev.jdyno.measure.gc.ZgcYoung;
import java.util.Optional;
import java.util.OptionalLong;

/// Replays a run of generational ZGC on a heap of another size. The program allocates at the rates
/// of the run during and between collections. ZGC's own rules decide when a collection begins. Its
/// length and survivors are those of the collection that began nearest to the same position in the
/// run. Threads stop when no memory is free.
final class ZgcReplay {
    /// Share of their allocation rate that threads keep while they reach safepoints and pages are
    /// selected. It was 0.2 to 0.5 in the logs of five programs of six.
    private static final double SELECTING_PACE = 0.3;

    /// Maximum share of the room for garbage in the old generation on a heap smaller than the
    /// run's, because old is collected more often there.
    private static final double OLD_GARBAGE_MAX = 0.5;

    /// Minimum share of a heap that is not old, however full it is.
    private static final double MIN_FREE = 0.05;

    /// Maximum number of replayed collections per collection of the run. More mean that the heap is
    /// too small.
    private static final int MAX_PER_SEEN = 50;

    private final ZgcHistory seen;
    private final double heapSeen;
    private final double heap;
    private final ZgcHistory.Pace pace;
    private final double majorShare;
    private final ZgcAllocationRate rate;
    private final ZgcDirector director;
    private double nowS;
    private double position;
    private double young;
    private double old;
    private long collections;
    private long onDemand;
    private boolean stalled;

    private ZgcReplay(ZgcHistory seen, double heapSeen, double heap) {
        this.seen = seen;
        this.heapSeen = heapSeen;
        this.heap = heap;
        pace = seen.pace();
        majorShare = seen.majorShare();
        rate = new ZgcAllocationRate(heap);
        director = new ZgcDirector(heap, seen.oldS(), rate);
    }

    /// @return number of collections until the program has allocated as much as in the run; empty
    ///   if the heap is too small for a replay
    static OptionalLong collections(ZgcHistory seen, double heapSeen, double heap) {
        var replay = new ZgcReplay(seen, heapSeen, heap);
        long max = (long) MAX_PER_SEEN * seen.size();
        while (replay.position < seen.allocated()) {
            replay.step();
            if (replay.collections > max) {
                return OptionalLong.empty();
            }
        }
        return OptionalLong.of(replay.collections);
    }

    private void step() {
        int near = seen.nearest(position);
        ZgcYoung like = seen.collection(near);
        old = old(near, like);
        double free = Math.max(0, heap - old - young);
        Optional<ZgcDirector.Reason> reason =
                stalled ? Optional.empty() : director.decides(old + young, young, nowS);
        if (stalled || reason.isPresent()) {
            collect(like, free, reason);
            return;
        }
        double next = Math.min(rate.left(), free);
        if (next < 1) {
            stalled = true;
            return;
        }
        allocate(next, pace.between());
        young += next;
    }

    /// Size of the old generation. Its garbage comes from premature promotion, which decreases if
    /// young collections are less frequent. On a smaller heap, survivors are promoted earlier: the
    /// share of them by which the heap is smaller is already in the old generation.
    private double old(int near, ZgcYoung like) {
        double floor = seen.oldFloor(near);
        double garbage = (like.oldBytes() - floor) * heapSeen / heap;
        if (heap < heapSeen) {
            garbage += like.survivedBytes() * (1 - heap / heapSeen);
            double freeBytes = Math.max(0, heap - like.survivedBytes() - floor);
            garbage = Math.min(garbage, OLD_GARBAGE_MAX * freeBytes);
        }
        return Math.min(floor + garbage, heap * (1 - MIN_FREE));
    }

    private void collect(ZgcYoung like, double free, Optional<ZgcDirector.Reason> reason) {
        double beganS = nowS;
        collections++;
        double marking = during(like.markS(), pace.beside(), free);
        double survived = Math.min(like.survivedBytes(), young);
        double freed = Math.max(0, heap - old - survived - marking);
        double selectingS = Math.max(0, like.seconds() - like.markS() - like.relocateS());
        double selecting = during(selectingS, SELECTING_PACE * pace.beside(), freed);
        double relocating = during(like.relocateS(), pace.beside(), freed - selecting);
        young = survived + marking + selecting + relocating;
        stalled = heap - old - young <= 1;
        if (stalled && marking + selecting + relocating < 1) {
            // the collection freed no memory, so the program continues with memory from relocation
            // in place
            position += rate.sampleBytes();
        }
        boolean warmup = reason.filter(r -> r == ZgcDirector.Reason.WARMUP).isPresent();
        director.ended(nowS - beganS, like.markS() + like.relocateS(), warmup);
        boolean major = warmup || reason.filter(r -> r == ZgcDirector.Reason.PROACTIVE).isPresent();
        if (!major) {
            onDemand++;
            major = (long) (onDemand * majorShare) != (long) ((onDemand - 1) * majorShare);
        }
        if (major) {
            director.collectsOld(old + young, nowS);
        }
    }

    /// @return bytes allocated in this time, at most the free ones
    private double during(double seconds, double bytesPerS, double free) {
        double endS = nowS + seconds;
        double bytes = Math.min(free, bytesPerS * seconds);
        allocate(bytes, bytesPerS);
        nowS = Math.max(nowS, endS);
        return bytes;
    }

    private void allocate(double bytes, double bytesPerS) {
        double left = bytes;
        while (left > 0) {
            double next = Math.min(rate.left(), left);
            nowS += next / bytesPerS;
            position += next;
            rate.allocated(next, nowS);
            left -= next;
        }
    }
}
