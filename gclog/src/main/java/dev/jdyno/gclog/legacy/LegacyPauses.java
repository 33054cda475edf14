package dev.jdyno.gclog.legacy;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.event.PauseKind;
import dev.jdyno.gclog.read.LogState;
import dev.jdyno.gclog.read.PauseDraft;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The collections of a JDK 6–8 log whose bracket has closed. Each is kept until the next one
/// begins, because its CPU times and G1's sizes follow it.
final class LegacyPauses {
    /// Minimum length of a pause that is suspected to be torn, in seconds. It counts only if the
    /// next time stamp allows it.
    private static final double SUSPICIOUS_S = 10;

    private final LogState log;
    private final LegacyWords words;
    private final LegacyCycles cycles;
    private @Nullable LegacyFrame kept;
    private boolean takesTimes;

    /// True between the initial mark and the remark of a CMS cycle.
    private boolean marked;

    LegacyPauses(LogState log, LegacyWords words, LegacyCycles cycles) {
        this.log = log;
        this.words = words;
        this.cycles = cycles;
    }

    /// The draft of the kept collection, which receives the values that follow; null if no
    /// collection is kept.
    @Nullable PauseDraft draft() {
        LegacyFrame f = kept;
        return f == null ? null : f.draft;
    }

    /// Called after output of the concurrent thread. CPU times that follow belong to that thread.
    void interrupted() {
        takesTimes = false;
    }

    void times(GcEvent.Cpu cpu) {
        LegacyFrame f = kept;
        if (f != null && takesTimes) {
            f.draft.cpu = cpu;
            takesTimes = false;
        }
    }

    /// Called when a collection's bracket closes.
    ///
    /// @param inside true if another collection is open around it, such as a remark with a scavenge
    /// @return true if the frame is kept and must not be reused for another bracket
    boolean ended(LegacyFrame frame, boolean inside) {
        if (!frame.hasSeconds) {
            return false;
        }
        // reported later, after its CPU times and G1's sizes, which follow
        frame.line = log.line;
        settle(frame);
        if (frame.seconds < SUSPICIOUS_S) {
            log.clock.atLeast(frame.when.uptimeS() + frame.seconds);
        }
        if (frame.pause == PauseKind.INITIAL_MARK) {
            cycles.begin("cms");
        }
        if (inside) {
            // the time of the outer collection includes this one
            emit(frame, true);
            return false;
        }
        kept = frame;
        takesTimes = true;
        return true;
    }

    /// Determines the kind of the collection from everything read of it.
    private void settle(LegacyFrame frame) {
        if (frame.collectedOld && frame.pause == PauseKind.YOUNG) {
            frame.pause = PauseKind.FULL;
        }
        if (frame.pause == PauseKind.FULL && frame.cause.isEmpty() && permIsFull(frame.draft)) {
            frame.cause = GcEvent.PERMANENT_GENERATION_FULL;
        }
        if (frame.standing && frame.pause == PauseKind.YOUNG && frame.draft.heap == null) {
            frame.pause = words.standing(frame.cause, marked);
        }
        if (frame.pause == PauseKind.INITIAL_MARK) {
            marked = true;
        } else if (frame.pause == PauseKind.REMARK || frame.pause == PauseKind.FULL) {
            marked = false;
        }
    }

    /// Minimum occupancy (used over capacity) of a space that counts as full.
    private static final double FULL = 0.99;

    /// Maximum occupancy (used over capacity) of an old generation that counts as having free
    /// space.
    private static final double WITH_FREE_SPACE = 0.8;

    private static boolean permIsFull(PauseDraft d) {
        GcEvent.Occupancy perm = d.metaspace;
        GcEvent.Occupancy old = d.old;
        return perm != null && old != null && used(perm) >= FULL && used(old) < WITH_FREE_SPACE;
    }

    private static double used(GcEvent.Occupancy space) {
        return space.capacityBytes().isEmpty()
                ? 0
                : (double) space.beforeBytes() / space.capacityBytes().getAsLong();
    }

    /// Drops a collection with a wrong duration, whose digits are mixed with the time stamp of the
    /// next line. With the wrong duration, this collection would end long after the start of the
    /// next one.
    ///
    /// @param stampS stamp of the next collection
    /// @return true if the collection was dropped
    boolean dropImplausible(double stampS) {
        LegacyFrame f = kept;
        boolean implausible =
                f != null
                        && f.seconds >= SUSPICIOUS_S
                        && stampS >= f.stampS
                        && stampS < f.stampS + f.seconds / 2;
        if (implausible) {
            kept = null;
        }
        return implausible;
    }

    private void emit(LegacyFrame f, boolean nested) {
        log.clock.atLeast(f.when.uptimeS() + f.seconds);
        log.events.accept(
                f.draft.finish(
                        f.line,
                        OptionalLong.empty(),
                        f.when,
                        f.pause,
                        f.cause,
                        f.seconds * 1000,
                        nested));
    }

    /// Reports the kept collection, because no more of its values can follow.
    void flush() {
        LegacyFrame f = kept;
        if (f != null) {
            kept = null;
            emit(f, false);
        }
    }
}
