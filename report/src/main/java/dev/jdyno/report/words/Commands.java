package dev.jdyno.report.words;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.text.ShellText;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Recommendation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Commands by which a recommendation is tried and its gain is measured. They run as printed in the
/// shell that the run was started from: a plan may launch its service by a relative path.
///
/// @param tryOut what makes the change; empty where no command does
/// @param verify what measures the gain; empty where the service cannot be loaded
public record Commands(Optional<String> tryOut, Optional<String> verify) {
    /// Characters of a folder's name above which it is written once.
    private static final int SHORT = 12;

    /// A folder's files in a command.
    ///
    /// @param before what goes before the command
    /// @param at what goes before a file's name
    private record Files(String before, String at) {
        static Files in(Optional<Path> folder) {
            if (folder.isEmpty()) {
                return new Files("", "");
            }
            String name = folder.get().toString();
            String word = ShellText.word(name);
            String quote = word.equals(name) ? "" : "\"";
            return name.length() <= SHORT
                    ? new Files("", word + "/")
                    : new Files("D=" + word + "; ", quote + "$D" + quote + "/");
        }
    }

    /// Where nothing can be loaded, as in production.
    public static Commands ofOwnLoad(Recommendation r) {
        return new Commands(tryOut(arguments(r)), Optional.empty());
    }

    /// For a shell in the result's folder.
    public static Commands of(Recommendation r, RunResult result) {
        return of(r, result, Optional.empty());
    }

    /// @param folder of the result, as seen from where the run was started; empty for a shell in it
    public static Commands of(Recommendation r, RunResult result, Optional<Path> folder) {
        if (r.isMeasurement()) {
            return new Commands(Optional.empty(), Optional.empty());
        }
        Files files = Files.in(folder);
        List<String> arguments = arguments(r);
        boolean launched = !result.target().attached() && result.target().pid().isPresent();
        return new Commands(
                tryOut(arguments),
                launched && !arguments.isEmpty()
                        ? Optional.of(
                                files.before()
                                        + "jdyno compare "
                                        + files.at()
                                        + "plan.yaml --flags-b "
                                        + quoted(arguments))
                        : again(result, result.target().attached(), files));
    }

    /// The same loads once more after the same warm-up, when the change is made: other loads, or a
    /// longer warm-up, would differ from this result by more than the change.
    ///
    /// @param restarted whether the service has another PID then
    private static Optional<String> again(RunResult result, boolean restarted, Files files) {
        String loads =
                result.rounds().stream()
                        .filter(r -> r.ratePerS().isEmpty())
                        .map(Round::concurrency)
                        .distinct()
                        .sorted()
                        .map(n -> Integer.toString(n))
                        .collect(Collectors.joining(","));
        return loads.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        files.before()
                                + "jdyno run "
                                + files.at()
                                + "plan.yaml "
                                + (restarted ? "--pid PID " : "")
                                + "--concurrency "
                                + loads
                                + " --out "
                                + files.at()
                                + "after && jdyno compare "
                                + files.at()
                                + "result.json "
                                + files.at()
                                + "after/result.json");
    }

    private static Optional<String> tryOut(List<String> arguments) {
        return arguments.isEmpty()
                ? Optional.empty()
                : Optional.of("export JDK_JAVA_OPTIONS=" + quoted(arguments));
    }

    /// What the JVM gets in addition; none where something else is changed, too.
    private static List<String> arguments(Recommendation r) {
        List<String> arguments = new ArrayList<>();
        for (Change change : r.changes()) {
            switch (change) {
                case Change.JvmFlag flag -> arguments.add(flag.argument());
                case Change.SystemProperty p -> arguments.add("-D" + p.name() + "=" + p.value());
                default -> {
                    return List.of();
                }
            }
        }
        return arguments;
    }

    private static String quoted(List<String> words) {
        return ShellText.quoted(String.join(" ", words));
    }
}
