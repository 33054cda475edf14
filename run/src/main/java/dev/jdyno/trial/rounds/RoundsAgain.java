package dev.jdyno.trial.rounds;

import static java.util.Locale.ROOT;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.verdict.DecidingWarning;
import dev.jdyno.measure.verdict.Validity.Warning;

/// Selects rounds to measure again: those in which the machine delayed the load generator. Hiccups
/// and stolen CPU time are temporary, and a round disturbed by them shows nothing about the
/// service.
public final class RoundsAgain {
    /// Maximum number of repeated rounds. A machine that delays the client more often is not quiet
    /// enough for a measurement.
    public static final int MAX = 3;

    private int used;

    /// True if this round is to be measured again. Each call that returns true uses up one
    /// repetition.
    public boolean wants(Round round) {
        if (!round.client().heldUp() || used >= MAX) {
            return false;
        }
        used++;
        return true;
    }

    /// Two rounds at one load.
    ///
    /// @param kept the round that the machine disturbed less
    /// @param left the other one
    public record Choice(Round kept, Round left) {
        public static Choice of(Round first, Round again) {
            boolean worse =
                    again.client().heldUp()
                            && again.client().stalledPct() > first.client().stalledPct();
            return worse ? new Choice(first, again) : new Choice(again, first);
        }

        /// The warning that there was another round, and its figures.
        public Warning warning() {
            return new Warning(
                    DecidingWarning.ROUND_AGAIN.id(),
                    String.format(
                            ROOT,
                            "%d in flight, measured twice: counted are %.0f/s, p99 %.1f ms; left out are"
                                    + " %.0f/s, p99 %.1f ms (%s)",
                            kept.concurrency(),
                            kept.qps(),
                            kept.rtMs().p99(),
                            left.qps(),
                            left.rtMs().p99(),
                            left.client().why().orElse("held up")),
                    false);
        }
    }
}
