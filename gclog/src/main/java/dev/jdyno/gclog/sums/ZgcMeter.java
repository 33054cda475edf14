package dev.jdyno.gclog.sums;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.measure.gc.ZgcYoung;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Keeps what ZGC told of its young collections, for forecasts. Those inside a major collection are
/// told before it.
final class ZgcMeter {
    /// The first so many, which is some minutes to hours: what follows is taken to go on like them.
    private static final int MOST = 1 << 12;

    private final List<ZgcYoung> collections = new ArrayList<>();
    private long count;

    void take(GcEvent.Cycle c) {
        if (c.young().isEmpty()) {
            return;
        }
        count++;
        if (collections.size() < MOST) {
            collections.add(c.young().get());
        }
    }

    /// How many the log showed, kept or not.
    long count() {
        return count;
    }

    /// In the order in which they began.
    List<ZgcYoung> finish() {
        return collections.stream().sorted(Comparator.comparingDouble(ZgcYoung::startS)).toList();
    }
}
