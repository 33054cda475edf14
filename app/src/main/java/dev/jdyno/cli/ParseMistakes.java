package dev.jdyno.cli;

import dev.jdyno.measure.Problems;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/// What one command line got wrong before its verb could look at it: options that do not exist,
/// values of another type, parameters that are missing. All of it is told at once, each with its
/// mend, instead of the first one above two screens of help.
final class ParseMistakes {
    private static final Pattern INVALID =
            Pattern.compile(
                    "Invalid value for (?:positional parameter at index \\d+ \\((.+?)\\)|option '(.+?)').*?: (.*)",
                    Pattern.DOTALL);

    private ParseMistakes() {}

    /// Lets the parser go on after a mistake, in every verb.
    static void collectIn(CommandLine commandLine) {
        commandLine.getCommandSpec().parser().collectErrors(true);
        commandLine.getSubcommands().values().forEach(ParseMistakes::collectIn);
    }

    /// @throws dev.jdyno.measure.UserError of kind usage that names every mistake, when there are
    ///   any and no help was asked for
    static void throwIfAny(ParseResult all) {
        ParseResult verb = all;
        var problems = new Problems();
        while (true) {
            if (verb.isUsageHelpRequested() || verb.isVersionHelpRequested()) {
                return;
            }
            verb.errors().forEach(e -> add(problems, e));
            if (!verb.hasSubcommand()) {
                break;
            }
            verb = verb.subcommand();
        }
        problems.throwIfAny(verb.commandSpec().qualifiedName());
    }

    private static void add(Problems problems, Exception mistake) {
        String message = Objects.requireNonNullElse(mistake.getMessage(), mistake.toString());
        String help =
                mistake instanceof ParameterException e
                        ? e.getCommandLine().getCommandSpec().qualifiedName() + " --help"
                        : "jdyno --help";
        switch (mistake) {
            case UnmatchedArgumentException e -> addUnmatched(problems, e, help);
            case MissingParameterException e -> {
                for (ArgSpec missing : e.getMissing()) {
                    problems.add(
                            missing instanceof OptionSpec option
                                    ? option.longestName()
                                    : missing.paramLabel(),
                            missing.isOption() ? "its value is missing" : "is missing",
                            help + " shows what it is");
                }
            }
            default -> {
                Matcher m = INVALID.matcher(message);
                if (m.matches()) {
                    String where = m.group(1) == null ? m.group(2) : m.group(1);
                    problems.add(where, plain(m.group(3)), help + " shows what it takes");
                } else {
                    problems.add("command line", message, help + " shows the options");
                }
            }
        }
    }

    /// What follows an unknown option may be its value: then only the option is the mistake.
    private static void addUnmatched(Problems problems, UnmatchedArgumentException e, String help) {
        List<String> options = e.getUnmatched().stream().filter(a -> a.startsWith("-")).toList();
        boolean verb = e.getCommandLine().getParent() == null;
        String what =
                !options.isEmpty()
                        ? "there is no such option"
                        : verb ? "there is no such verb" : "one argument too many";
        List<String> near = e.getSuggestions();
        String mend =
                near.isEmpty()
                        ? help + " shows what there is"
                        : "did you mean " + String.join(" or ", near) + "?";
        for (String argument : options.isEmpty() ? e.getUnmatched() : options) {
            problems.add(argument, what, mend);
        }
    }

    private static String plain(String message) {
        return message.replaceFirst("is not an? (?:int|long)$", "is not a whole number")
                .replaceFirst("is not a double$", "is not a number")
                .replaceFirst("is not a boolean$", "is neither true nor false; it needs no value");
    }
}
