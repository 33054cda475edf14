package dev.jdyno.heapmodel.forecast;

import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.measure.text.Bytes;

/// Forecasts runs whose log shows only how often the collector ran. A collection begins whenever
/// the space for new objects (the room) is full, and the mean pause stays the same. So the number
/// of collections is proportional to room(observed) ÷ room(other), and the total pause to that
/// number.
///
/// With fixed generations, the room is proportional to the heap. For G1 it is at most 60 % of the
/// heap, and at most 90 % less the old generation. G1 also has one small collection at the start,
/// at any size.
final class FirstOrderForecast {
    private static final double G1_YOUNG_MAX = 0.60;
    private static final double G1_USABLE = 0.90;

    /// Number of early collections: G1 starts with a small young generation and soon collects it.
    private static final double G1_FIRST = 1;

    /// Minimum space for new objects as a share of the heap, however full the heap is.
    private static final double MIN_SHARE = 0.05;

    private FirstOrderForecast() {}

    static HeapForecast of(HeapObservation seen, Bytes heap) {
        double other = heap.value();
        double young = youngGcs(seen, heap);
        double full = full(seen, other);
        return HeapForecast.of(
                seen,
                heap,
                young,
                full,
                (double) seen.cycles(),
                young * mean(seen.youngPauseMs(), (double) seen.youngGcs()) + seen.cyclePauseMs(),
                full * mean(seen.fullPauseMs(), (double) seen.fullGcs()));
    }

    static double youngGcs(HeapObservation seen, Bytes heap) {
        if (seen.youngGcs() == 0) {
            return 0;
        }
        double ratio = freeOld(seen, seen.heapBytes()) / freeOld(seen, (double) heap.value());
        double first = seen.kind() == HeapObservation.Kind.REGIONS ? G1_FIRST : 0;
        return first + Math.max(0.5, seen.youngGcs() - first) * ratio;
    }

    /// Number of full collections. One begins whenever promotion has filled the part of the old
    /// generation that the live set leaves free. If the run had none, the forecast has none unless
    /// promotion would fill this part at least once.
    private static double full(HeapObservation seen, double heap) {
        double freeOld = Math.max(heap * MIN_SHARE, HeapForecast.oldRoom(seen, heap));
        if (seen.fullGcs() == 0) {
            boolean grown = heap >= seen.heapBytes();
            return grown || !seen.kind().isFixed() ? 0 : Math.floor(seen.promotedBytes() / freeOld);
        }
        double freeOldSeen =
                Math.max(
                        seen.heapBytes() * MIN_SHARE, HeapForecast.oldRoom(seen, seen.heapBytes()));
        return seen.fullGcs() * freeOldSeen / freeOld;
    }

    private static double freeOld(HeapObservation seen, double heap) {
        return seen.kind() == HeapObservation.Kind.REGIONS
                ? Math.max(
                        heap * MIN_SHARE,
                        Math.min(heap * G1_YOUNG_MAX, heap * G1_USABLE - seen.oldBytes()))
                : heap;
    }

    private static double mean(double total, double count) {
        return count == 0 ? 0 : total / count;
    }
}
