package dev.jdyno.cli.options;

import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `--budget`: the time that a verb may take.
public final class BudgetOption {
    @Option(
            names = "--budget",
            paramLabel = "TIME",
            description = "Time it may take (default ${DEFAULT-VALUE}).")
    private String budget;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec verb;

    /// @param preset what the help names as the default, such as `8m`
    public BudgetOption(String preset) {
        budget = preset;
    }

    /// The text, if it was given.
    public Optional<String> given() {
        return OptionTexts.given(verb, "--budget", budget);
    }
}
