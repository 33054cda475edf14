package dev.jdyno.cli.history;

import dev.jdyno.cli.options.OptionTexts;
import dev.jdyno.history.Filter;
import dev.jdyno.history.Kind;
import dev.jdyno.measure.text.Problems;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Selects stored results.
final class FilterOptions {
    @Option(names = "--plan", paramLabel = "NAME", description = "Only results of this plan.")
    private @Nullable String plan;

    @Option(
            names = "--verb",
            paramLabel = "VERB",
            description = "Only results of run, diagnose, compare, tune or guard.")
    private @Nullable String verb;

    @Option(names = "--branch", paramLabel = "NAME", description = "Only results of this branch.")
    private @Nullable String branch;

    @Option(
            names = "--since",
            paramLabel = "DAY|TIME",
            description = "Only results since then: 2026-11-20, or 14d ago.")
    private @Nullable String since;

    /// @throws dev.jdyno.measure.text.UserError with every mistake
    Filter filter() {
        var problems = Problems.ofCommand("jdyno history");
        Optional<Kind> kind = Optional.ofNullable(verb).flatMap(Kind::of);
        if (verb != null && kind.isEmpty()) {
            problems.add(
                    "--verb " + verb,
                    "no result is of such a verb",
                    "write "
                            + Stream.of(Kind.values())
                                    .map(Kind::key)
                                    .collect(Collectors.joining(", ")));
        }
        Optional<Instant> from =
                Optional.ofNullable(since)
                        .flatMap(text -> OptionTexts.dayOrAgo("--since", text, problems));
        problems.throwIfAny();
        Filter some = Filter.ALL.ofBranch(Optional.ofNullable(branch)).since(from);
        some = plan == null ? some : some.ofPlan(plan);
        return kind.isPresent() ? some.ofKind(kind.get()) : some;
    }
}
