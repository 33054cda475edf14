package dev.jdyno.cli.history;

import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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

    @Override
    public Integer call() {
        return options.print(out(), Objects.requireNonNull(spec).commandLine().getErr());
    }

    @Spec private @Nullable CommandSpec spec;

    private PrintWriter out() {
        return Objects.requireNonNull(spec).commandLine().getOut();
    }
}
