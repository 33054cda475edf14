package dev.jdyno.gclog;

import java.util.Optional;

/// What young collections found and copied (F14): what one run tells of the lifetimes of its
/// objects. A collection counts when its log lines tell the young generation.
final class CopyMeter {
    /// Collections looked at: the first so many. Medians of more would not be other ones, and what
    /// is kept of each adds up.
    private static final int MOST = 1 << 16;

    private final Spread eden = new Spread();
    private final Spread copied = new Spread();
    private final Spread promoted = new Spread();
    private final Spread survived = new Spread();
    private final Spread pause = new Spread();
    private long survivorsBefore;

    void take(GcEvent.Pause p) {
        if (p.young().isEmpty()) {
            if (p.kind() == PauseKind.FULL) {
                survivorsBefore = 0;
            }
            return;
        }
        GcEvent.Occupancy young = p.young().get();
        if (p.kind().isYoung() && eden.count() < MOST) {
            double out = (double) p.promotedBytes().orElse(0);
            eden.add((double) Math.max(0, young.beforeBytes() - survivorsBefore), p.line());
            survived.add((double) young.afterBytes(), p.line());
            promoted.add(out, p.line());
            copied.add(young.afterBytes() + out, p.line());
            pause.add(p.ms(), p.line());
        }
        survivorsBefore = young.afterBytes();
    }

    Optional<Analysis.Copying> finish() {
        return eden.count() == 0
                ? Optional.empty()
                : Optional.of(
                        new Analysis.Copying(
                                eden.count(),
                                eden.finish().p50(),
                                survived.finish().p50(),
                                promoted.finish().p50(),
                                copied.finish().p50(),
                                copied.total(),
                                pause.finish().p50()));
    }
}
