package dev.jdyno.report.terminal;

import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.measure.verdict.Verdict.RunnerUp;
import dev.jdyno.report.words.RunnerUpText;
import dev.jdyno.report.words.ShortNames;
import dev.jdyno.report.words.TextLines;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// The bottlenecks that may also be true. Ruled-out ones are on the first screen.
///
/// @param columns of each line
/// @param budget maximum number of lines for one of them; 0: none is shown
record RunnerUpLines(ShortNames names, int columns, int budget) {
    private static final int MAX = 1;

    private static final String INDENT = "    ";

    /// The most probable runner-up with its reason. Then the names of the runners-up that are
    /// consequences of the verdict, without reasons.
    List<String> of(Verdict v) {
        List<String> lines = new ArrayList<>();
        if (budget == 0) {
            return lines;
        }
        List<RunnerUp> beside =
                v.runnersUp().stream().filter(u -> u.possible() && !follows(u, v)).toList();
        String hidden =
                TextLines.more(beside.size(), MAX, "more runners-up in the report").orElse("");
        beside.stream().limit(MAX).forEach(u -> lines.addAll(sentence(u, hidden)));
        String follow =
                v.runnersUp().stream()
                        .filter(u -> follows(u, v))
                        .map(RunnerUpText::name)
                        .collect(Collectors.joining(", "));
        if (!follow.isEmpty()) {
            String also = "Also " + follow + ": a consequence of " + v.bottleneck().key();
            lines.add(TextLines.cut(also, columns));
        }
        return lines;
    }

    private List<String> sentence(RunnerUp other, String end) {
        List<String> lines =
                TextLines.wrapWith(names.in(RunnerUpText.of(other)), INDENT, budget, end, columns);
        lines.set(0, lines.getFirst().strip());
        return lines;
    }

    private static boolean follows(RunnerUp other, Verdict v) {
        return other.possible() && other.from().filter(f -> f == v.bottleneck()).isPresent();
    }
}
