package dev.jdyno.cli.history;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// The stored results; without a subcommand it lists them.
@Command(
        name = "history",
        mixinStandardHelpOptions = true,
        description = {
            "Stored results: list, show, label, compare over time, export, import, delete.",
            "Every run, diagnose --out, compare, tune and guard is stored unless --no-store is"
                    + " given."
        },
        subcommands = {
            ListCommand.class,
            ShowCommand.class,
            TrendCommand.class,
            LabelCommand.class,
            ExportCommand.class,
            ImportCommand.class,
            PruneCommand.class,
        },
        footer = {
            "",
            "Examples:",
            "  jdyno history",
            "  jdyno history show latest",
            "  jdyno history trend shop --figure cpuMsPerRequest",
            "  jdyno history label 20261127-181502 'before the cache'",
            "  jdyno history export --format csv --plan shop",
            "  jdyno history import jdyno-out",
            "  jdyno history prune --keep 50 --older-than 90d",
        })
public final class HistoryCommand implements Callable<Integer> {
    @Mixin private ListOptions options = new ListOptions();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        return options.print(spec.commandLine().getOut(), spec.commandLine().getErr());
    }
}
