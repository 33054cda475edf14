package dev.jdyno.heapmodel;

import dev.jdyno.measure.Bytes;
import dev.jdyno.measure.HeapObservation;

/// The same run on a heap of another size, to first order: a collection comes each time the room
/// for new objects is used up, and the mean pause stays as it is because what is alive does. So
/// counts go with room(observed) ÷ room(other), and total pause with counts.
///
/// The room is the whole heap's share for fixed generations; for G1 at most 60 % of the heap and
/// not more than 90 % less what old holds, with one small collection at the start whatever the
/// size; for collectors that work in cycles the heap less half of what is alive, as they start
/// early. The error on real programs is in docs/heap-model.md.
///
/// @param youngGcs young and mixed
/// @param pauseShare of the time the run would take
/// @param tooSmall the live set leaves hardly any room: an OutOfMemoryError is near
public record HeapForecast(
        Bytes heap,
        double youngGcs,
        double fullGcs,
        double cycles,
        double pauseMs,
        double pauseShare,
        boolean tooSmall) {
    /// Less room than this share of the live set is none.
    private static final double ROOM_MIN = 0.15;

    private static final double G1_YOUNG_MAX = 0.60;
    private static final double G1_USABLE = 0.90;

    /// G1 starts with a small young generation and soon collects it.
    private static final double G1_FIRST = 1;

    /// However full a heap is, the room is not taken for less than this share of it.
    private static final double LEAST_SHARE = 0.05;

    private static final double CYCLE_LIVE_SHARE = 0.5;

    /// Old's share of the heap where generations are fixed (NewRatio 2).
    private static final double OLD_SHARE = 2.0 / 3;

    public static HeapForecast of(HeapObservation seen, Bytes heap) {
        return ReplayForecast.of(seen)
                .flatMap(r -> r.at(heap))
                .orElseGet(() -> firstOrder(seen, heap));
    }

    static HeapForecast firstOrder(HeapObservation seen, Bytes heap) {
        double other = heap.value();
        double ratio = room(seen, seen.heapBytes()) / room(seen, other);
        double young = young(seen, ratio);
        double full = full(seen, other);
        double cycles = seen.cycles() * (seen.kind() == HeapObservation.Kind.REGIONS ? 1 : ratio);
        double pause =
                young * mean(seen.youngPauseMs(), (double) seen.youngGcs())
                        + full * mean(seen.fullPauseMs(), (double) seen.fullGcs())
                        + seen.cyclePauseMs() * mean(cycles, (double) seen.cycles());
        return new HeapForecast(
                heap,
                young,
                full,
                cycles,
                pause,
                pause / (seen.spanS() * 1000 - seen.pauseMs() + pause),
                oldRoom(seen, other) < seen.liveBytes() * ROOM_MIN);
    }

    /// Collections of all kinds.
    public double gcs() {
        return youngGcs + fullGcs + cycles;
    }

    private static double young(HeapObservation seen, double ratio) {
        if (seen.youngGcs() == 0) {
            return 0;
        }
        double first = seen.kind() == HeapObservation.Kind.REGIONS ? G1_FIRST : 0;
        return first + Math.max(0.5, seen.youngGcs() - first) * ratio;
    }

    /// Old fills with what is promoted, less what stays alive. None seen: none until it is full
    /// once.
    private static double full(HeapObservation seen, double heap) {
        double room = Math.max(heap * LEAST_SHARE, oldRoom(seen, heap));
        if (seen.fullGcs() == 0) {
            boolean grown = heap >= seen.heapBytes();
            boolean fixed = seen.kind().isFixed();
            return grown || !fixed ? 0 : Math.floor(seen.promotedBytes() / room);
        }
        double roomSeen = Math.max(seen.heapBytes() * LEAST_SHARE, oldRoom(seen, seen.heapBytes()));
        return seen.fullGcs() * roomSeen / room;
    }

    /// What old can take besides the live set.
    private static double oldRoom(HeapObservation seen, double heap) {
        double share = seen.kind().isFixed() ? OLD_SHARE : G1_USABLE;
        return heap * share - seen.liveBytes();
    }

    private static double room(HeapObservation seen, double heap) {
        double least = heap * LEAST_SHARE;
        return switch (seen.kind()) {
            case SERIAL, PARALLEL, SWEPT -> heap;
            case REGIONS ->
                    Math.max(
                            least,
                            Math.min(heap * G1_YOUNG_MAX, heap * G1_USABLE - seen.oldBytes()));
            case CYCLES, GENERATIONAL_CYCLES ->
                    Math.max(least, heap - CYCLE_LIVE_SHARE * seen.liveBytes());
        };
    }

    private static double mean(double total, double count) {
        return count == 0 ? 0 : total / count;
    }
}
