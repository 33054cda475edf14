package dev.jdyno.history;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Selects stored results.
///
/// @param plan name of the plan; empty: any
/// @param kinds verbs that made the results; empty: any
/// @param since earliest time of the results
/// @param text part of the plan's name, the verdict, the label, the branch or the commit, ignoring
///   case; empty: any
/// @param most maximum number of results, the newest ones; 0: all
public record Filter(
        Optional<String> plan,
        List<Kind> kinds,
        Optional<String> branch,
        Optional<Instant> since,
        Optional<String> text,
        int most) {
    public static final Filter ALL =
            new Filter(
                    Optional.empty(),
                    List.of(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    0);

    public Filter {
        kinds = List.copyOf(kinds);
    }

    public Filter ofPlan(String name) {
        return new Filter(Optional.of(name), kinds, branch, since, text, most);
    }

    public Filter ofKind(Kind wanted) {
        return ofKinds(List.of(wanted));
    }

    public Filter ofKinds(List<Kind> wanted) {
        return new Filter(plan, wanted, branch, since, text, most);
    }

    public Filter ofBranch(Optional<String> name) {
        return new Filter(plan, kinds, name, since, text, most);
    }

    public Filter since(Optional<Instant> time) {
        return new Filter(plan, kinds, branch, time, text, most);
    }

    public Filter containing(String part) {
        return new Filter(plan, kinds, branch, since, Optional.of(part), most);
    }

    public Filter newest(int so) {
        return new Filter(plan, kinds, branch, since, text, so);
    }
}
