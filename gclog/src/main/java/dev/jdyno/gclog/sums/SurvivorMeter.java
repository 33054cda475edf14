package dev.jdyno.gclog.sums;

import dev.jdyno.gclog.event.GcEvent;

/// Whether survivor spaces were full, from their occupancy alone. A log without age tables shows it
/// all the same: collection after collection leaves exactly as much as fits, and promotes.
final class SurvivorMeter {
    /// How far below the most that was ever left still counts as that: allocation buffers leave a
    /// few KiB of a full space unused.
    private static final double SLACK = 0.0002;

    /// B, the same for small spaces, of which the share above is less than the KiB that logs round
    /// to.
    private static final long SLACK_BYTES = 4096;

    private long collections;
    private long most;
    private Sightings full = Sightings.NONE;

    void take(GcEvent.Pause p) {
        if (!p.kind().isYoung() || p.young().isEmpty()) {
            return;
        }
        collections++;
        long left = p.young().get().afterBytes();
        if (left > most + slack()) {
            full = Sightings.NONE;
        }
        most = Math.max(most, left);
        if (left >= most - slack() && p.promotedBytes().orElse(0) > 0) {
            full = full.plus(p.line(), p.ms());
        }
    }

    private double slack() {
        return Math.max(most * SLACK, SLACK_BYTES);
    }

    Analysis.Survivors finish() {
        return new Analysis.Survivors(collections, most, full);
    }
}
