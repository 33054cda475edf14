package dev.jdyno.bench.diagnose;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.openjdk.jmc.common.item.IItemCollection;
import org.openjdk.jmc.common.unit.IQuantity;
import org.openjdk.jmc.flightrecorder.CouldNotLoadRecordingException;
import org.openjdk.jmc.flightrecorder.JfrLoaderToolkit;
import org.openjdk.jmc.flightrecorder.rules.IResult;
import org.openjdk.jmc.flightrecorder.rules.IRule;
import org.openjdk.jmc.flightrecorder.rules.RuleRegistry;
import org.openjdk.jmc.flightrecorder.rules.Severity;
import org.openjdk.jmc.flightrecorder.rules.TypedResult;
import org.openjdk.jmc.flightrecorder.rules.util.RulesToolkit;

/// Applies JDK Mission Control's rules to the flight recordings that `jdyno lab bottlenecks --keep
/// DIR` kept. For each recording, it prints the rules that warn or inform, the highest score first.
/// The rules name no bottleneck; a reader judges whether they point at the planted one.
///
/// Argument: the folder. Prints a Markdown table.
public final class JmcRules {
    /// Maximum number of rules printed for each recording.
    private static final int NAMED = 4;

    private static final Set<Severity> SPEAKING = EnumSet.of(Severity.INFO, Severity.WARNING);

    private JmcRules() {}

    private record Answer(String rule, Severity severity, double score) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%s (%s %.0f)", rule, severity.name(), score);
        }
    }

    public static void main(String[] args)
            throws IOException, InterruptedException, CouldNotLoadRecordingException {
        List<Path> recordings;
        try (var files = Files.list(Path.of(args[0]))) {
            recordings = files.filter(f -> f.toString().endsWith(".jfr")).sorted().toList();
        }
        System.out.println("| case | JMC's rules, highest score first |");
        System.out.println("| --- | --- |");
        for (Path recording : recordings) {
            String name = recording.getFileName().toString().replaceFirst("-\\d+-\\d+\\.jfr$", "");
            System.out.println("| " + name + " | " + says(answers(recording)) + " |");
        }
    }

    private static List<Answer> answers(Path recording)
            throws IOException, InterruptedException, CouldNotLoadRecordingException {
        IItemCollection events = JfrLoaderToolkit.loadEvents(recording.toFile());
        Map<IRule, Future<IResult>> results =
                RulesToolkit.evaluateParallel(RuleRegistry.getRules(), events, null, 2);
        List<Answer> answers = new ArrayList<>();
        for (var e : results.entrySet()) {
            try {
                IResult result = e.getValue().get();
                if (SPEAKING.contains(result.getSeverity())) {
                    answers.add(
                            new Answer(e.getKey().getName(), result.getSeverity(), score(result)));
                }
            } catch (ExecutionException broken) {
                System.err.println(recording + ": " + e.getKey().getId() + ": " + broken);
            }
        }
        answers.sort(Comparator.comparingDouble(Answer::score).reversed());
        return answers;
    }

    private static double score(IResult result) {
        IQuantity score = result.getResult(TypedResult.SCORE);
        return score == null ? 0 : score.doubleValue();
    }

    private static String says(List<Answer> answers) {
        return answers.isEmpty()
                ? "nothing"
                : answers.stream()
                        .limit(NAMED)
                        .map(Answer::toString)
                        .collect(Collectors.joining(", "));
    }
}
