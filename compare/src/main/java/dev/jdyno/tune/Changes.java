package dev.jdyno.tune;

import dev.jdyno.compare.FlagName;
import dev.jdyno.measure.verdict.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Operations on sets of changes. If two changes change the same setting, the later one applies.
final class Changes {
    private Changes() {}

    /// Returns the name of the setting that a change sets. Two changes of one setting exclude each
    /// other.
    static String sets(Change.Launch change) {
        return switch (change) {
            case Change.JvmFlag c -> FlagName.of(c.name());
            case Change.WithoutJvmFlag c -> FlagName.of(c.name());
            case Change.Launch c -> c.sets();
        };
    }

    /// Returns the ids, one per line.
    static String ids(List<Change.Launch> changes) {
        return changes.stream().map(Change.Launch::id).collect(Collectors.joining("\n"));
    }

    /// Returns `before` without the changes that `more` overrides, then `more`.
    static List<Change.Launch> with(List<Change.Launch> before, List<Change.Launch> more) {
        Set<String> replaced = Set.copyOf(more.stream().map(Changes::sets).distinct().toList());
        List<Change.Launch> all =
                new ArrayList<>(before.stream().filter(c -> !replaced.contains(sets(c))).toList());
        all.addAll(more);
        return List.copyOf(all);
    }

    static List<Change.Launch> without(List<Change.Launch> all, Change.Launch one) {
        return all.stream().filter(c -> !c.equals(one)).toList();
    }
}
