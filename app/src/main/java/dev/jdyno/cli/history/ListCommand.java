package dev.jdyno.cli.history;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = "List stored results, the newest first.")
final class ListCommand implements Callable<Integer> {
    @Mixin private ListOptions options = new ListOptions();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        return options.print(spec.commandLine().getOut(), spec.commandLine().getErr());
    }
}
