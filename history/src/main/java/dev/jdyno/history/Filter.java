package dev.jdyno.history;

import java.time.Instant;
import java.util.Optional;

/// Which stored results are wanted.
///
/// @param plan its name; empty: any
/// @param since not older
/// @param most the newest so many; 0: all
public record Filter(
        Optional<String> plan,
        Optional<Kind> kind,
        Optional<String> branch,
        Optional<Instant> since,
        int most) {
    public static final Filter ALL =
            new Filter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), 0);

    public Filter ofPlan(String name) {
        return new Filter(Optional.of(name), kind, branch, since, most);
    }

    public Filter ofKind(Kind wanted) {
        return new Filter(plan, Optional.of(wanted), branch, since, most);
    }

    public Filter newest(int so) {
        return new Filter(plan, kind, branch, since, so);
    }
}
