package dev.jdyno.measure.verdict;

import java.util.List;
import java.util.Optional;

/// The maximum open-model load of a service under response-time goals, as a range between two
/// tested rates.
///
/// @param goals as the user wrote them
/// @param good the highest rate per second that kept every goal; empty when none did
/// @param bad the lowest rate that broke a goal; empty when none did
/// @param estimate the most likely rate at which the misses reach the number that the goal allows;
///   NaN when the run was cut short before the first rate
/// @param steepness d ln(misses) / d ln(rate) at the knee: 10 % more load multiplies the misses by
///   e^(0.1 · steepness)
/// @param hard whether a few percent more load are enough to break the goal clearly; else the
///   misses grow slowly
/// @param bindingGoal the goal that breaks first
/// @param limit cause of the misses at the knee: a bottleneck's name, or the JVM's pauses
/// @param pausesShare share of the misses at the estimate that stops of the whole JVM cause
/// @param saturationQps throughput in the overload probe
/// @param loadSeconds duration of all load, including the overload probe
/// @param requests requests sent in the trials
/// @param pauses stops of the whole JVM under load; empty when they could not be observed
/// @param cost estimated time under load of the search, as announced before it began
/// @param reason why the search ended
/// @param says the answer in a sentence
/// @param narrow how to narrow the range; empty when it is as narrow as requested
/// @param tests every tested rate, in order
public record GoalKnee(
        List<String> goals,
        Optional<Double> good,
        Optional<Double> bad,
        double estimate,
        double steepness,
        boolean hard,
        String bindingGoal,
        String limit,
        double pausesShare,
        double saturationQps,
        double loadSeconds,
        long requests,
        Optional<Pauses> pauses,
        String cost,
        Reason reason,
        String says,
        String narrow,
        List<Tested> tests) {

    /// The reason for the end of a search.
    public enum Reason {
        BRACKETED("bracketed"),
        BUDGET_SPENT("budget-spent"),
        NEVER_GOOD("never-good"),
        INTERRUPTED("interrupted"),
        TARGET_FAILED("target-failed");

        private final String key;

        Reason(String key) {
            this.key = key;
        }

        /// The key in JSON.
        public String key() {
            return key;
        }
    }

    /// The result of testing a rate.
    public enum Outcome {
        GOOD("good"),
        BAD("bad"),
        /// The time for this rate ended before the test was decided.
        OPEN("open");

        private final String key;

        Outcome(String key) {
            this.key = key;
        }

        /// The key in JSON.
        public String key() {
            return key;
        }
    }

    /// Stops of the whole JVM, for any reason.
    ///
    /// @param seconds duration of the load during which they occurred
    public record Pauses(
            long count, double seconds, double perRequest, double medianMs, double longestMs) {}

    /// The test of one rate.
    ///
    /// @param why sentence that says why the rate is bad, or why there is too little evidence for
    ///   that; empty when nothing indicates that it is bad
    /// @param misses share of missed requests for each goal, in the order of the goals
    public record Tested(
            double ratePerS, double seconds, Outcome outcome, String why, List<Misses> misses) {
        public Tested {
            misses = List.copyOf(misses);
        }
    }

    /// The share of requests that missed a goal. The bounds take clustered misses into account.
    ///
    /// @param lo lower one-sided 97.7 % bound; `hi` is the upper one
    /// @param allowed share that the goal allows
    public record Misses(String goal, double share, double lo, double hi, double allowed) {}

    public GoalKnee {
        goals = List.copyOf(goals);
        tests = List.copyOf(tests);
    }

    /// The result of a run that was cut short before it tested a rate. It contains only the goals.
    ///
    /// @param says how far the run came
    public static GoalKnee untested(List<String> goals, Reason reason, String says) {
        return new GoalKnee(
                goals,
                Optional.empty(),
                Optional.empty(),
                Double.NaN,
                Double.NaN,
                false,
                "",
                "",
                Double.NaN,
                Double.NaN,
                0,
                0,
                Optional.empty(),
                "",
                reason,
                says,
                "",
                List.of());
    }

    /// True if the run was cut short before the first rate, so that nothing is known about the
    /// goals.
    public boolean isUntested() {
        return tests.isEmpty();
    }

    /// True if no load kept the goals. The estimate is then not a knee.
    public boolean holdsNowhere() {
        return reason == Reason.NEVER_GOOD;
    }

    public GoalKnee limitedBy(String found) {
        return new GoalKnee(
                goals,
                good,
                bad,
                estimate,
                steepness,
                hard,
                bindingGoal,
                found,
                pausesShare,
                saturationQps,
                loadSeconds,
                requests,
                pauses,
                cost,
                reason,
                says,
                narrow,
                tests);
    }
}
