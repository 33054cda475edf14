package dev.jdyno.report.words;

import dev.jdyno.compare.FlagName;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.text.ShellText;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Recommendation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Commands that try a recommendation and measure its gain. They must run in the folder in which
/// the run was started, because a plan may launch its service by a relative path.
///
/// @param tryOut command that makes the change; empty if no command can
/// @param verify command that measures the gain; empty if the service cannot be loaded
/// @param addedLoads requests in flight that `verify` measures and the run did not, ascending;
///   empty if `verify` names no loads
public record Commands(Optional<String> tryOut, Optional<String> verify, List<Integer> addedLoads) {
    /// Maximum length of a folder's name that a command contains more than once. A longer name is
    /// written once.
    private static final int SHORT = 12;

    /// The way in which a command refers to the files of a folder.
    ///
    /// @param before text before the command
    /// @param at text before the name of a file
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

    public Commands {
        addedLoads = List.copyOf(addedLoads);
    }

    /// Commands for a service that cannot be loaded, as in production.
    public static Commands ofOwnLoad(Recommendation r, TargetFacts target) {
        return new Commands(tryOut(arguments(r), target), Optional.empty(), List.of());
    }

    /// Commands for a shell in the result's folder.
    public static Commands of(Recommendation r, RunResult result) {
        return of(r, result, Optional.empty());
    }

    /// @param folder of the result, relative to where the run was started; empty for a shell in the
    ///   folder
    public static Commands of(Recommendation r, RunResult result, Optional<Path> folder) {
        if (r.isMeasurement()) {
            return new Commands(Optional.empty(), Optional.empty(), List.of());
        }
        Files files = Files.in(folder);
        List<String> arguments = arguments(r);
        boolean launched = !result.target().attached() && result.target().pid().isPresent();
        if (launched && !arguments.isEmpty()) {
            String compare =
                    files.before()
                            + "jdyno compare "
                            + files.at()
                            + "plan.yaml --flags-b "
                            + quoted(arguments);
            return new Commands(
                    tryOut(arguments, result.target()), Optional.of(compare), List.of());
        }
        Optional<String> again = again(result, result.target().attached(), files);
        return new Commands(
                tryOut(arguments, result.target()),
                again,
                again.isPresent() ? newLoads(result) : List.of());
    }

    /// Requests in flight of the run's rounds, with the loads that would show its knee: ascending,
    /// separated by commas.
    static String loads(RunResult result) {
        return Stream.concat(measured(result).stream(), result.capacityNotes().kneeLoads().stream())
                .distinct()
                .sorted()
                .map(n -> Integer.toString(n))
                .collect(Collectors.joining(","));
    }

    /// The loads that would show the knee and that the run did not measure, ascending.
    static List<Integer> newLoads(RunResult result) {
        List<Integer> measured = measured(result);
        return result.capacityNotes().kneeLoads().stream()
                .filter(n -> !measured.contains(n))
                .distinct()
                .sorted()
                .toList();
    }

    private static List<Integer> measured(RunResult result) {
        return result.rounds().stream()
                .filter(r -> r.ratePerS().isEmpty())
                .map(Round::concurrency)
                .toList();
    }

    /// Repeats the loads after the change, with the same warm-up. A longer warm-up could change the
    /// figures more than the recommendation does. Lower loads are added if the run has no knee
    /// without them; a comparison uses only loads that both results have.
    ///
    /// @param restarted true if the service has a new PID after the change
    private static Optional<String> again(RunResult result, boolean restarted, Files files) {
        return measured(result).isEmpty()
                ? Optional.empty()
                : Optional.of(
                        files.before()
                                + "jdyno run "
                                + files.at()
                                + "plan.yaml "
                                + (restarted ? "--pid PID " : "")
                                + "--concurrency "
                                + loads(result)
                                + " --out "
                                + files.at()
                                + "after && jdyno compare "
                                + files.at()
                                + "result.json "
                                + files.at()
                                + "after/result.json");
    }

    /// Sets the arguments by an environment variable. The JVM reads `JDK_JAVA_OPTIONS` before its
    /// command line and `_JAVA_OPTIONS` after it. If a flag occurs twice, the last value counts.
    /// Empty if the command line selects another collector, because the JVM refuses two collectors.
    private static Optional<String> tryOut(List<String> arguments, TargetFacts target) {
        if (arguments.isEmpty() || isOtherCollector(arguments, target)) {
            return Optional.empty();
        }
        boolean replaces =
                arguments.stream()
                        .map(FlagName::of)
                        .anyMatch(name ->
                                target.flags().stream().map(FlagName::of).anyMatch(name::equals));
        return Optional.of(
                "export "
                        + (replaces ? "_JAVA_OPTIONS=" : "JDK_JAVA_OPTIONS=")
                        + quoted(arguments));
    }

    private static boolean isOtherCollector(List<String> arguments, TargetFacts target) {
        return arguments.stream().anyMatch(FlagName::choosesCollector)
                && target.flags().stream()
                        .anyMatch(f -> FlagName.choosesCollector(f) && !arguments.contains(f));
    }

    /// The JVM's further arguments; empty if the recommendation changes other things, too.
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
