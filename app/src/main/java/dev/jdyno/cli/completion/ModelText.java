package dev.jdyno.cli.completion;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// Texts of the command model as plain text, without picocli's format characters and colours.
final class ModelText {
    private ModelText() {}

    static List<String> lines(String... raw) {
        return List.of(raw).stream()
                // Gives the same result as String.format, but keeps a bare %, as picocli's own help
                // does.
                .map(line -> line.replace("%n", "\n").replace("%%", "%"))
                .map(line -> Ansi.OFF.new Text(line).toString())
                .toList();
    }

    /// The first line with text; empty if a command or option has no description.
    static String first(String... raw) {
        return lines(raw).stream().filter(line -> !line.isBlank()).findFirst().orElse("");
    }

    static List<OptionSpec> options(CommandSpec command) {
        return command.options().stream().filter(option -> !option.hidden()).toList();
    }

    /// The verbs in the order of the model, each under its own name only.
    static Collection<CommandLine> verbs(CommandSpec command) {
        return command.subcommands().values().stream()
                .distinct()
                .filter(verb -> !verb.getCommandSpec().usageMessage().hidden())
                .toList();
    }

    /// The words that an argument accepts; empty if it accepts any text.
    static List<String> candidates(ArgSpec argument) {
        Iterable<String> words = argument.completionCandidates();
        return words == null
                ? List.of()
                : StreamSupport.stream(words.spliterator(), false)
                        .map(word -> word.toLowerCase(Locale.ROOT))
                        .toList();
    }

    static boolean takesValue(OptionSpec option) {
        return option.arity().max() > 0;
    }
}
