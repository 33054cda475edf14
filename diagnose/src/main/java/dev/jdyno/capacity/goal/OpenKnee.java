package dev.jdyno.capacity.goal;

import java.util.List;
import java.util.OptionalDouble;

/// The answer of an open-model search: a range (bracket) between two rates that were tested.
///
/// @param good the highest rate that was shown to keep every goal; empty if there was none
/// @param bad the lowest rate that was shown to break a goal; empty if there was none
/// @param estimate the rate at which the share of misses crosses the goal
/// @param steepness d ln(misses) / d ln(rate) at the knee: 10 % more load gives e^(0.1 · steepness)
///   times the misses
/// @param pausesShare share of the misses at the estimate that stops of the whole JVM cause
/// @param loadSeconds time under load
/// @param says the answer as a sentence
/// @param narrow how to narrow the bracket; empty if it is as narrow as requested
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
    /// Minimum steepness of a hard knee: 5 % more load multiplies the misses by at least 3.
    static final double HARD = 22;

    public enum Reason {
        BRACKETED,
        BUDGET_SPENT,
        /// The user stopped the search, or the target ended, before the search was complete.
        CUT_SHORT,
        /// Even the lowest rate that a trial can judge (3 % of saturation, more for rare misses)
        /// breaks a goal. A queue is not the reason: the service itself is too slow or fails.
        NEVER_GOOD
    }

    /// True if both ends of the bracket are known and their distance is at most twice this share of
    /// the rate. The factor of two is needed because trials slightly miss the intended rates.
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

    /// The result of a trial at one rate.
    ///
    /// @param why the reason why it is bad, or not good
    /// @param misses for each goal, in the order of the goals, bounds of the share of requests that
    ///   missed it
    public record Test(
            double ratePerS, double seconds, Outcome outcome, Why why, List<ShareBounds> misses) {
        public Test {
            misses = List.copyOf(misses);
        }
    }

    public enum Outcome {
        /// The upper bounds of the misses are below all goals.
        GOOD,
        /// The lower bound of the misses is above a goal, or the queue grew without end.
        BAD,
        /// The time for this rate ended before the test was decided.
        OPEN
    }

    /// The reason for the outcome of a rate. A rate may be bad although its goals are kept so far:
    /// requests that still queue will miss them.
    public enum Why {
        /// There is no reason against the rate.
        NOTHING(""),
        MISSED("more requests missed a goal than it allows"),
        RAN_AWAY("the queue grew without end: half of the requests missed the goal for seconds"),
        RAN_AWAY_ONCE(
                "the queue grew without end once, although capacity was left: another"
                        + " process may be the cause"),
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
