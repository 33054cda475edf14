package dev.jdyno.cli;

import dev.jdyno.measure.text.Problems;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/// The mistakes in a command line that the parser finds before the verb runs: unknown options,
/// values of another type, missing parameters. All of them are reported at once, each with its fix,
/// instead of only the first one above two screens of help.
final class ParseMistakes {
    private static final Pattern INVALID =
            Pattern.compile(
                    "Invalid value for (?:positional parameter at index \\d+ \\((.+?)\\)|option '(.+?)').*?: (.*)",
                    Pattern.DOTALL);

    private ParseMistakes() {}

    /// Makes the parser continue after a mistake, in every verb.
    static void collectIn(CommandLine commandLine) {
        commandLine.getCommandSpec().parser().collectErrors(true);
        commandLine.getSubcommands().values().forEach(ParseMistakes::collectIn);
    }

    /// @throws dev.jdyno.measure.text.UserError of kind usage that names every mistake, unless help
    ///   is requested; help on an unknown verb is a mistake, too
    static void throwIfAny(ParseResult all) {
        ParseResult verb = all;
        var problems = new Problems();
        Stream.concat(all.errors().stream(), hiddenByHelp(all))
                .filter(ParseMistakes::isOfAVerb)
                .forEach(e -> add(problems, e));
        problems.throwIfAny("the command line");
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

    /// The mistakes that the parser does not report if the command line also has `--help`.
    private static Stream<Exception> hiddenByHelp(ParseResult all) {
        return all.isUsageHelpRequested() && !all.unmatched().isEmpty()
                ? Stream.of(
                        new UnmatchedArgumentException(
                                all.commandSpec().commandLine(), all.unmatched()))
                : Stream.empty();
    }

    /// True if the mistake is an unknown verb.
    private static boolean isOfAVerb(Exception mistake) {
        return mistake instanceof UnmatchedArgumentException e
                && e.getCommandLine().getParent() == null
                && !e.getUnmatched().getFirst().startsWith("-");
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
                    problems.add(
                            where,
                            plain(m.group(3)),
                            where.equals("PID")
                                    ? "jdyno ps lists the process ids"
                                    : help + " shows what it takes");
                } else {
                    problems.add("command line", message, help + " shows the options");
                }
            }
        }
    }

    /// Reports only the unknown option or verb, and not the words after it. Those may be the
    /// option's value, or belong to the verb.
    private static void addUnmatched(Problems problems, UnmatchedArgumentException e, String help) {
        List<String> unmatched = e.getUnmatched();
        List<String> options = unmatched.stream().filter(a -> a.startsWith("-")).toList();
        boolean verb = isOfAVerb(e);
        String what =
                verb
                        ? "there is no such verb"
                        : options.isEmpty() ? "one argument too many" : "there is no such option";
        List<String> near = e.getSuggestions();
        String fix =
                near.isEmpty()
                        ? help + " shows what there is"
                        : "did you mean " + String.join(" or ", near) + "?";
        List<String> wrong =
                verb ? unmatched.subList(0, 1) : options.isEmpty() ? unmatched : options;
        for (String argument : wrong) {
            problems.add(argument, what, fix);
        }
    }

    private static String plain(String message) {
        return message.replaceFirst("is not an? (?:int|long)$", "is not a whole number")
                .replaceFirst("is not a double$", "is not a number")
                .replaceFirst("is not a boolean$", "is neither true nor false; it needs no value");
    }
}
