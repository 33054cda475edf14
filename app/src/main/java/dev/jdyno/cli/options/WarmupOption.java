package dev.jdyno.cli.options;

import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `--warmup`: the longest warm-up of a service, for the verbs that measure a warm one.
public final class WarmupOption {
    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            description = {
                "Longest warm-up (default ${DEFAULT-VALUE});",
                "it ends as soon as the service is steady."
            })
    private String warmup;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec verb;

    /// @param preset what the help names as the default, such as `90s`
    public WarmupOption(String preset) {
        warmup = preset;
    }

    /// The text, if it was given.
    public Optional<String> given() {
        return OptionTexts.given(verb, "--warmup", warmup);
    }
}
