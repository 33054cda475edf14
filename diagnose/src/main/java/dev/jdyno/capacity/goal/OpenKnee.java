package dev.jdyno.capacity.goal;

import java.util.List;
import java.util.OptionalDouble;

/// The answer of an open-model search: a bracket whose ends were both tested.
///
/// @param good the highest rate that was shown to keep every goal; empty when none was
/// @param bad the lowest rate that was shown to break one; empty when none was
/// @param estimate where the share of misses crosses the goal
/// @param steepness d ln(misses) / d ln(rate) at the knee: 10 % more load gives e^(0.1 · steepness)
///   times the misses
/// @param pausesShare of the misses at the estimate, the part that stops of the whole JVM make
/// @param loadSeconds load that was spent
/// @param says the answer in a sentence
/// @param narrow what would narrow the bracket; empty when it is as narrow as asked
/// @param tests every trial, in order
public record OpenKnee(
        OptionalDouble good,
        OptionalDouble bad,
        double estimate,
        double steepness,
        String bindingGoal,
        double pausesShare,
        double loadSeconds,
        Reason reason,
        String says,
        String narrow,
        List<Test> tests) {
    /// From this steepness on a knee is called hard: 5 % more load makes at least 3 times the
    /// misses.
    static final double HARD = 22;

    public enum Reason {
        BRACKETED,
        BUDGET_SPENT,
        /// Somebody stopped it, or the target ended, before it was done.
        CUT_SHORT,
        /// Even the lowest rate that a trial could tell of (3 % of saturation, more for rare
        /// misses) breaks a goal: no queue, the service itself is too slow or fails.
        NEVER_GOOD
    }

    /// Whether both ends of the bracket are known and no further apart than twice this share of the
    /// rate; trials stand a little beside the rates that were aimed at.
    public boolean isWithin(double precision) {
        return good.isPresent()
                && bad.isPresent()
                && isWithin(good.getAsDouble(), bad.getAsDouble(), precision);
    }

    static boolean isWithin(double good, double bad, double precision) {
        return bad <= good * (1 + 2 * precision) * 1.02;
    }

    public boolean hard() {
        return steepness >= HARD;
    }

    /// What a trial at one rate showed.
    ///
    /// @param why what makes it bad, or keeps it from being called so
    /// @param misses by goal, in the goals' order
    public record Test(
            double ratePerS, double seconds, Outcome outcome, Why why, List<ShareBounds> misses) {
        public Test {
            misses = List.copyOf(misses);
        }
    }

    public enum Outcome {
        /// The upper bound of the misses is under every goal.
        GOOD,
        /// The lower bound is over one, or the queue ran away.
        BAD,
        /// Not decided in its time.
        OPEN
    }

    /// A rate may be bad though its goals are kept so far: requests that still queue miss them
    /// later.
    public enum Why {
        /// Nothing speaks against the rate.
        NOTHING(""),
        MISSED("more requests missed a goal than it allows"),
        RAN_AWAY("its queue ran away: half of the requests missed for seconds on end"),
        RAN_AWAY_ONCE("its queue ran away once, though capacity was left: that may be a neighbour"),
        FELL_BEHIND("fewer requests ended than came, the queue grows without end");

        private final String says;

        Why(String says) {
            this.says = says;
        }

        /// A sentence without a full stop; empty for nothing.
        public String says() {
            return says;
        }
    }

    public OpenKnee {
        tests = List.copyOf(tests);
    }
}
