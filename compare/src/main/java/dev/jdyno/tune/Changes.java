package dev.jdyno.tune;

import dev.jdyno.compare.FlagName;
import dev.jdyno.measure.verdict.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Sets of changes: of two that set the same, the later counts.
final class Changes {
    private Changes() {}

    /// What a change sets: two of the same cannot both hold.
    static String sets(Change.Launch change) {
        return switch (change) {
            case Change.JvmFlag c -> FlagName.of(c.name());
            case Change.WithoutJvmFlag c -> FlagName.of(c.name());
            case Change.Launch c -> c.sets();
        };
    }

    /// One line each.
    static String ids(List<Change.Launch> changes) {
        return changes.stream().map(Change.Launch::id).collect(Collectors.joining("\n"));
    }

    /// All of `before` that `more` does not set anew, and `more`.
    static List<Change.Launch> with(List<Change.Launch> before, List<Change.Launch> more) {
        Set<String> anew = Set.copyOf(more.stream().map(Changes::sets).distinct().toList());
        List<Change.Launch> all =
                new ArrayList<>(before.stream().filter(c -> !anew.contains(sets(c))).toList());
        all.addAll(more);
        return List.copyOf(all);
    }

    static List<Change.Launch> without(List<Change.Launch> all, Change.Launch one) {
        return all.stream().filter(c -> !c.equals(one)).toList();
    }
}
