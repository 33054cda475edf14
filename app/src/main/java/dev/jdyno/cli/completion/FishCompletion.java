package dev.jdyno.cli.completion;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// A completion script for fish; picocli does not make one.
public final class FishCompletion {
    /// A fish function that is true if the command line has these verbs: `__jdyno_at history list`
    /// is true after `jdyno --debug history list --store x`.
    private static final String AT =
            """
            function __jdyno_at
                set -l words (commandline -opc)
                set -e words[1]
                set -l verbs (string match -v -- '-*' $words)
                test (count $verbs) -ge (count $argv); or return 1
                for i in (seq (count $argv))
                    test "$verbs[$i]" = "$argv[$i]"; or return 1
                end
            end
            function __jdyno_open
                set -l words (commandline -opc)
                set -e words[1]
                set -l verbs (string match -v -- '-*' $words)
                test (count $verbs) -eq (count $argv); and __jdyno_at $argv
            end
            """;

    private FishCompletion() {}

    /// @param root the whole command model
    public static String of(CommandSpec root) {
        List<String> lines = new ArrayList<>();
        lines.add("# Completion of " + root.name() + " for fish, made by: jdyno completion fish");
        lines.add(AT.stripTrailing());
        add(root, List.of(), lines);
        return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    }

    private static void add(CommandSpec command, List<String> path, List<String> lines) {
        String verbs = String.join(" ", path);
        String open = "-n " + quoted("__jdyno_open " + verbs);
        String at = "-n " + quoted((path.isEmpty() ? "__jdyno_open " : "__jdyno_at ") + verbs);
        for (CommandLine verb : ModelText.verbs(command)) {
            CommandSpec spec = verb.getCommandSpec();
            lines.add(
                    "complete -c jdyno -f "
                            + open
                            + " -a "
                            + spec.name()
                            + described(spec.usageMessage().description()));
        }
        ModelText.options(command).forEach(option -> lines.add(line(option, at)));
        for (var words : command.positionalParameters()) {
            List<String> candidates = ModelText.candidates(words);
            if (!candidates.isEmpty()) {
                lines.add(
                        "complete -c jdyno "
                                + open
                                + " -a "
                                + quoted(String.join(" ", candidates))
                                + described(words.description()));
            }
        }
        for (CommandLine verb : ModelText.verbs(command)) {
            List<String> below = new ArrayList<>(path);
            below.add(verb.getCommandSpec().name());
            add(verb.getCommandSpec(), below, lines);
        }
    }

    private static String line(OptionSpec option, String at) {
        var text = new StringBuilder("complete -c jdyno ").append(at);
        for (String name : option.names()) {
            if (name.startsWith("--")) {
                text.append(" -l ").append(name.substring(2));
            } else if (name.length() == 2) {
                text.append(" -s ").append(name.substring(1));
            } else {
                text.append(" -o ").append(name.substring(1));
            }
        }
        if (ModelText.takesValue(option)) {
            List<String> candidates = ModelText.candidates(option);
            text.append(
                    candidates.isEmpty()
                            ? " -r"
                            : " -x -a " + quoted(String.join(" ", candidates)));
        }
        return text.append(described(option.description())).toString();
    }

    private static String described(String... description) {
        String first = ModelText.first(description);
        return first.isEmpty() ? "" : " -d " + quoted(first);
    }

    /// A text in single quotes for fish.
    private static String quoted(String text) {
        return "'" + text.strip().replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
