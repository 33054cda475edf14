package dev.jdyno.gclog.legacy;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.event.PauseKind;
import dev.jdyno.gclog.read.LogState;
import dev.jdyno.gclog.read.PauseDraft;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The collections of a JDK 6–8 log whose bracket has closed. Each is kept until the next begins:
/// its CPU times and, from G1, its sizes follow it.
final class LegacyPauses {
    /// A longer pause is believed only when the next stamp allows it.
    private static final double SUSPICIOUS_S = 10;

    private final LogState log;
    private final LegacyWords words;
    private final LegacyCycles cycles;
    private @Nullable LegacyFrame kept;
    private boolean takesTimes;

    /// Whether a CMS cycle has marked and not remarked yet.
    private boolean marked;

    LegacyPauses(LogState log, LegacyWords words, LegacyCycles cycles) {
        this.log = log;
        this.words = words;
        this.cycles = cycles;
    }

    /// What the kept collection has told so far.
    @Nullable PauseDraft draft() {
        LegacyFrame f = kept;
        return f == null ? null : f.draft;
    }

    /// The concurrent thread wrote: times that follow are its own.
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

    /// A collection's bracket closed.
    ///
    /// @param inside whether another one is open around it, a remark that scavenges first
    /// @return whether the frame is kept, and must not be used for another bracket
    boolean ended(LegacyFrame frame, boolean inside) {
        if (!frame.hasSeconds) {
            return false;
        }
        // what follows is read before it is reported: CPU times, G1's sizes
        frame.line = log.line;
        settle(frame);
        if (frame.seconds < SUSPICIOUS_S) {
            log.clock.atLeast(frame.when.uptimeS() + frame.seconds);
        }
        if (frame.pause == PauseKind.INITIAL_MARK) {
            cycles.begin("cms");
        }
        if (inside) {
            // its time is inside the outer one's
            tell(frame, true);
            return false;
        }
        kept = frame;
        takesTimes = true;
        return true;
    }

    /// What kind of collection it was, now that all of it was read.
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

    /// Used over capacity of a space that is as good as full.
    private static final double FULL = 0.99;

    /// Used over capacity of an old generation that had room left.
    private static final double ROOMY = 0.8;

    private static boolean permIsFull(PauseDraft d) {
        GcEvent.Occupancy perm = d.metaspace;
        GcEvent.Occupancy old = d.old;
        return perm != null && old != null && used(perm) >= FULL && used(old) < ROOMY;
    }

    private static double used(GcEvent.Occupancy space) {
        return space.capacityBytes().isEmpty()
                ? 0
                : (double) space.beforeBytes() / space.capacityBytes().getAsLong();
    }

    /// Drops a collection whose figure lost its digits to the next line's stamp: the next one began
    /// long before it would have ended.
    ///
    /// @param stampS of the next one
    /// @return whether it was dropped
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

    private void tell(LegacyFrame f, boolean nested) {
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

    /// Nothing that belongs to the kept collection can follow any more.
    void flush() {
        LegacyFrame f = kept;
        if (f != null) {
            kept = null;
            tell(f, false);
        }
    }
}
