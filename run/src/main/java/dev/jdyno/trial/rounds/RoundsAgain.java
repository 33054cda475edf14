package dev.jdyno.trial.rounds;

import static java.util.Locale.ROOT;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.verdict.Validity.Warning;

/// Which rounds are measured again: those in which the machine held the load generator up. Hiccups
/// and steal pass, and what they spoilt says nothing of the service.
public final class RoundsAgain {
    /// A machine that holds it up more often than this is not quiet enough to measure on.
    public static final int MOST = 3;

    private int used;

    /// Whether a round is to be measured again, which it is once.
    public boolean wants(Round round) {
        if (!round.client().heldUp() || used >= MOST) {
            return false;
        }
        used++;
        return true;
    }

    /// Two rounds at one load.
    ///
    /// @param kept the one that the machine spoilt less
    /// @param left the other
    public record Choice(Round kept, Round left) {
        public static Choice of(Round first, Round again) {
            boolean worse =
                    again.client().heldUp()
                            && again.client().stalledPct() > first.client().stalledPct();
            return worse ? new Choice(first, again) : new Choice(again, first);
        }

        /// What the rounds do not tell: that there was another, and what it gave.
        public Warning said() {
            return new Warning(
                    "round-again",
                    String.format(
                            ROOT,
                            "%d in flight were measured twice; left out are %.0f/s, p99 %.1f ms (%s),"
                                    + " kept are %.0f/s, p99 %.1f ms",
                            kept.concurrency(),
                            left.qps(),
                            left.rtMs().p99(),
                            left.client().why().orElse("held up"),
                            kept.qps(),
                            kept.rtMs().p99()),
                    false);
        }
    }
}
