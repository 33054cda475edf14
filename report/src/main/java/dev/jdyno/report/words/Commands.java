package dev.jdyno.report.words;

import dev.jdyno.capacity.LowerLoads;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.text.ShellText;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Recommendation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Commands by which a recommendation is tried and its gain is measured, for a shell in the
/// result's folder.
///
/// @param tryOut what makes the change; empty where no command does
/// @param verify what measures the gain; empty where the service cannot be loaded
public record Commands(Optional<String> tryOut, Optional<String> verify) {
    /// Ids of the warnings of a warm-up that was too short.
    private static final Set<String> NOT_WARM = Set.of("warmup", "not-warm");

    /// Where nothing can be loaded, as in production.
    public static Commands ofOwnLoad(Recommendation r) {
        return new Commands(tryOut(arguments(r)), Optional.empty());
    }

    public static Commands of(Recommendation r, RunResult result) {
        if (r.isMeasurement()) {
            return new Commands(Optional.empty(), Optional.empty());
        }
        List<String> arguments = arguments(r);
        boolean launched = !result.target().attached() && result.target().pid().isPresent();
        return new Commands(
                tryOut(arguments),
                launched && !arguments.isEmpty()
                        ? Optional.of("jdyno compare plan.yaml --flags-b " + quoted(arguments))
                        : again(result, result.target().attached()));
    }

    /// The same loads once more, when the change is made, with the loads and the warm-up that the
    /// report asks for.
    ///
    /// @param restarted whether the service has another PID then
    private static Optional<String> again(RunResult result, boolean restarted) {
        List<Integer> measured =
                result.rounds().stream()
                        .filter(r -> r.ratePerS().isEmpty())
                        .map(Round::concurrency)
                        .toList();
        String loads =
                Stream.concat(measured.stream(), askedFor(result))
                        .distinct()
                        .sorted()
                        .map(n -> Integer.toString(n))
                        .collect(Collectors.joining(","));
        return measured.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "jdyno run plan.yaml "
                                + (restarted ? "--pid PID " : "")
                                + "--concurrency "
                                + loads
                                + longerWarmup(result)
                                + " --out after && jdyno compare result.json after/result.json");
    }

    /// Loads below the lowest one, where no knee was found among those measured.
    private static Stream<Integer> askedFor(RunResult result) {
        return result.knee().isPresent()
                ? Stream.empty()
                : LowerLoads.askedFor(result.rounds()).stream();
    }

    /// Twice the warm-up, where the report says that it was too short.
    private static String longerWarmup(RunResult result) {
        boolean tooShort =
                result.validity().warnings().stream().anyMatch(w -> NOT_WARM.contains(w.id()));
        return result.recording()
                .warmupSeconds()
                .filter(_ -> tooShort)
                .map(s -> " --warmup " + (int) Math.ceil(2 * s) + "s")
                .orElse("");
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

    /// What goes before a command where the shell is not in the result's folder.
    public static String in(Path folder) {
        return "cd " + ShellText.word(folder.toString()) + " && ";
    }

    private static String quoted(List<String> words) {
        return ShellText.quoted(String.join(" ", words));
    }
}
