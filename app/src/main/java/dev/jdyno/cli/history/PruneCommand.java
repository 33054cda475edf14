package dev.jdyno.cli.history;

import dev.jdyno.cli.options.OptionTexts;
import dev.jdyno.cli.options.StoreOption;
import dev.jdyno.history.Entry;
import dev.jdyno.history.History;
import dev.jdyno.history.Keeping;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.report.HistoryReport;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "prune",
        mixinStandardHelpOptions = true,
        description = "Delete old results by a rule; without --yes it only lists them.")
final class PruneCommand implements Callable<Integer> {
    @Option(
            names = "--keep",
            paramLabel = "N",
            description = "Keep the newest N of each plan and verb.")
    private @Nullable Integer keep;

    @Option(
            names = "--older-than",
            paramLabel = "DAY|TIME",
            description = "Keep results that are newer: 90d, or 2026-08-01.")
    private @Nullable String olderThan;

    @Option(names = "--yes", description = "Delete them.")
    private boolean yes;

    @Mixin private StoreOption store = new StoreOption();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        var problems = Problems.ofCommand("jdyno history prune");
        if (keep == null && olderThan == null) {
            problems.add(
                    "--keep | --older-than",
                    "no rule is given",
                    "write --keep 50 or --older-than 90d");
        }
        if (keep != null && keep < 0) {
            problems.add("--keep " + keep, "is less than 0", "write --keep 50");
        }
        Optional<Instant> before =
                Optional.ofNullable(olderThan)
                        .flatMap(t -> OptionTexts.dayOrAgo("--older-than", t, problems));
        problems.throwIfAny();
        History history = store.open();
        List<Entry> beyond = history.beyond(new Keeping(Optional.ofNullable(keep), before));
        if (yes) {
            history.delete(beyond.stream().map(Entry::id).toList());
        }
        out.print(HistoryReport.pruned(beyond, yes, history.where()));
        out.flush();
        return 0;
    }
}
