package dev.jdyno.history;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Which stored results are wanted.
///
/// @param plan its name; empty: any
/// @param kinds the verbs that made them; empty: any
/// @param since not older
/// @param text a part of the plan's name, the verdict, the label, the branch or the commit, in
///   upper or lower case; empty: any
/// @param most the newest so many; 0: all
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
