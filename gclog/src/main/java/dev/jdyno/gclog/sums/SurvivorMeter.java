package dev.jdyno.gclog.sums;

import dev.jdyno.gclog.event.GcEvent;

/// Detects full survivor spaces from their occupancy alone, for logs without age tables: each
/// collection leaves the same number of bytes there, and promotes others.
final class SurvivorMeter {
    /// Relative difference to the largest occupancy within which a space counts as full. Allocation
    /// buffers leave a few KiB of a full space unused.
    private static final double SLACK = 0.0002;

    /// The same difference in bytes. It applies to small spaces, for which the relative difference
    /// is less than a KiB, the precision of logs.
    private static final long SLACK_BYTES = 4096;

    private long collections;
    private long max;
    private Sightings full = Sightings.NONE;

    void take(GcEvent.Pause p) {
        if (!p.kind().isYoung() || p.young().isEmpty()) {
            return;
        }
        collections++;
        long left = p.young().get().afterBytes();
        if (left > max + slack()) {
            full = Sightings.NONE;
        }
        max = Math.max(max, left);
        if (left >= max - slack() && p.promotedBytes().orElse(0) > 0) {
            full = full.plus(p.line(), p.ms());
        }
    }

    private double slack() {
        return Math.max(max * SLACK, SLACK_BYTES);
    }

    Analysis.Survivors finish() {
        return new Analysis.Survivors(collections, max, full);
    }
}
