package dev.jdyno.gclog.sums;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.measure.gc.ZgcYoung;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Keeps the figures of ZGC's young collections for forecasts. A young collection inside a major
/// collection is recorded before the major one.
final class ZgcMeter {
    /// Maximum number of collections, from the start: some minutes to hours. Later ones are assumed
    /// to be similar.
    private static final int MAX = 1 << 12;

    private final List<ZgcYoung> collections = new ArrayList<>();
    private long count;

    void take(GcEvent.Cycle c) {
        if (c.young().isEmpty()) {
            return;
        }
        count++;
        if (collections.size() < MAX) {
            collections.add(c.young().get());
        }
    }

    /// Number of collections in the log, kept or not.
    long count() {
        return count;
    }

    /// The collections in the order of their starts.
    List<ZgcYoung> finish() {
        return collections.stream().sorted(Comparator.comparingDouble(ZgcYoung::startS)).toList();
    }
}
