package dev.jdyno.tune;

import java.time.Duration;
import java.util.List;

/// The planned use of a tuning's budget, as estimated from its first diagnosis.
///
/// @param items in the order of spending
/// @param later candidates that follow the first ones
/// @param noTime candidates for which the budget has no time
public record BudgetPlan(
        Duration budget, List<Item> items, List<Candidate> later, List<Candidate> noTime) {
    public BudgetPlan {
        items = List.copyOf(items);
        later = List.copyOf(later);
        noTime = List.copyOf(noTime);
    }

    /// The uses of the budget's time.
    public enum What {
        /// Start, warm-up and first diagnosis.
        SPENT,
        LOOK,
        /// A comparison with the minimum number of starts.
        COMPARISON,
        /// A comparison of several candidates together, with the minimum number of starts.
        TOGETHER,
        /// One more change: diagnosis, looks, comparison, taking changes out again, and
        /// confirmation.
        FURTHER,
        /// Time left for further rounds.
        LEFT
    }

    /// A line of the plan.
    ///
    /// @param seconds duration of each one
    public record Item(What what, int times, double seconds) {
        public double all() {
            return times * seconds;
        }
    }
}
