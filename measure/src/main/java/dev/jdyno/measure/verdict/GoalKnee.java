package dev.jdyno.measure.verdict;

import java.util.List;
import java.util.Optional;

/// How much open-model load a service takes under response-time goals: a bracket whose ends were
/// both driven, never only an estimate.
///
/// @param goals as the user wrote them
/// @param good the highest rate per second that was shown to keep every goal; empty when none was
/// @param bad the lowest rate that was shown to break one; empty when none was
/// @param estimate the rate at which the misses are most likely as many as the goal allows; NaN
///   when the run was cut short before the first rate
/// @param steepness d ln(misses) / d ln(rate) at the knee: 10 % more load, e^(0.1 · steepness)
///   times the misses
/// @param hard whether a few percent more load break the goal at once; else the misses grow slowly
/// @param bindingGoal the goal that breaks first
/// @param limit what makes the misses at the knee: a bottleneck's name, or the JVM's pauses
/// @param pausesShare of the misses at the estimate, the part that stops of the whole JVM make
/// @param saturationQps throughput under overload
/// @param loadSeconds load that was spent, the overload probe included
/// @param requests sent in the trials
/// @param pauses stops of the whole JVM that were seen under load; empty when nobody could see them
/// @param cost what certainty was said to cost before it was spent
/// @param reason why the search ended
/// @param says the answer in a sentence
/// @param narrow what would narrow the bracket; empty when it is as narrow as asked
/// @param tests every rate that was driven, in order
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

    /// Why a search ends.
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

        /// As in JSON.
        public String key() {
            return key;
        }
    }

    /// What a rate was shown to be.
    public enum Outcome {
        GOOD("good"),
        BAD("bad"),
        /// Not decided in its time.
        OPEN("open");

        private final String key;

        Outcome(String key) {
            this.key = key;
        }

        /// As in JSON.
        public String key() {
            return key;
        }
    }

    /// Stops of the whole JVM, whatever for.
    ///
    /// @param seconds of load in which they came
    public record Pauses(
            long count, double seconds, double perRequest, double medianMs, double longestMs) {}

    /// One rate.
    ///
    /// @param why what makes it bad, or keeps it from being called so, in a sentence; empty when
    ///   nothing speaks against it
    /// @param misses by goal, in the goals' order
    public record Tested(
            double ratePerS, double seconds, Outcome outcome, String why, List<Misses> misses) {
        public Tested {
            misses = List.copyOf(misses);
        }
    }

    /// The share of requests that missed a goal, with bounds that know of clumps.
    ///
    /// @param lo one-sided 97.7 % bound, as is `hi`
    /// @param allowed by the goal
    public record Misses(String goal, double share, double lo, double hi, double allowed) {}

    public GoalKnee {
        goals = List.copyOf(goals);
        tests = List.copyOf(tests);
    }

    /// Of a run that was cut short before it drove a rate: that goals were asked for, and nothing
    /// else.
    ///
    /// @param says how far it came
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

    /// Whether the run was cut short before the first rate: then nothing is known of the goals.
    public boolean isUntested() {
        return tests.isEmpty();
    }

    /// Whether no load kept the goals: then the estimate is no knee.
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
