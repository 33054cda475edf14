package dev.jdyno.tune;

import java.time.Duration;
import java.util.List;

/// What the budget of a tuning buys, as far as its first diagnosis tells.
///
/// @param items in the order in which they are paid
/// @param later candidates whose turn comes after the first ones
/// @param noTime candidates at which there is no time to look
public record BudgetPlan(
        Duration budget, List<Item> items, List<Candidate> later, List<Candidate> noTime) {
    public BudgetPlan {
        items = List.copyOf(items);
        later = List.copyOf(later);
        noTime = List.copyOf(noTime);
    }

    /// What is paid for.
    public enum What {
        /// Start, warm-up and first diagnosis.
        SPENT,
        LOOK,
        /// Of as few starts as may be enough.
        COMPARISON,
        /// After a change that was accepted.
        DIAGNOSIS,
        /// Taking changes out again, and the confirmation.
        END,
        /// For further rounds.
        LEFT
    }

    /// A line of the plan.
    ///
    /// @param seconds each
    public record Item(What what, int times, double seconds) {
        public double all() {
            return times * seconds;
        }
    }
}
