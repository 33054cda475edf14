package dev.jdyno.report.terminal;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.report.words.CallsText;
import dev.jdyno.report.words.Figures;
import dev.jdyno.report.words.Highlights;
import dev.jdyno.report.words.ShortNames;
import dev.jdyno.report.words.TextLines;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The response-time breakdown, as lines with bars.
///
/// @param columns of each line
/// @param most maximum number of parts shown; the others are counted
/// @param place maximum number of lines for a place
/// @param bold makes a heading of a text
record BreakdownLines(
        ShortNames names, int columns, int most, int place, UnaryOperator<String> bold) {
    /// Maximum number of parts shown for a lower load.
    private static final int PARTS_BEFORE = 4;

    /// Share of a line's columns for the bar. It is small because the text of the place is more
    /// important.
    private static final double BAR_SHARE = 0.14;

    List<String> of(RunResult r) {
        Optional<Round> round = Highlights.breakdownRound(r).filter(x -> x.anatomy().isPresent());
        if (round.isEmpty()) {
            return List.of("Response-time breakdown: not measured (no thread dumps)");
        }
        List<Highlights.Part> parts = sorted(r, round.get());
        double total = Highlights.total(parts);
        double whole = Highlights.whole(parts, round.get());
        List<Highlights.Part> shown =
                parts.stream().filter(p -> Highlights.reads(p.ms() / whole)).limit(most).toList();
        List<String> lines = new ArrayList<>();
        lines.addAll(heading(r, round.get(), parts.size() - shown.size(), total));
        int bar = (int) (columns * BAR_SHARE);
        for (Highlights.Part part : shown) {
            double share = part.ms() / whole;
            String row =
                    String.format(
                            Locale.ROOT,
                            "  %-15s %6s ms %5s  %-" + bar + "s ",
                            part.name(),
                            Figures.number(part.ms()),
                            Figures.percent(share),
                            "#".repeat((int) Math.round(share * bar)));
            List<String> where =
                    TextLines.wrap(
                            where(r, round.get(), part, columns - row.length()),
                            " ".repeat(row.length()),
                            place,
                            columns);
            lines.add((row + where.getFirst().stripLeading()).stripTrailing());
            lines.addAll(where.subList(1, where.size()));
        }
        Highlights.lowestBreakdownRound(r, round.get())
                .map(x -> shares(r, x))
                .ifPresent(lines::add);
        return lines;
    }

    private List<String> heading(RunResult r, Round round, int hiddenParts, double total) {
        String text =
                String.format(
                        Locale.ROOT,
                        "Response-time breakdown at %s, %s ms%s%s",
                        Highlights.load(round),
                        Figures.number(round.rtMs().mean()),
                        Highlights.addsUp(total, round)
                                ? ""
                                : ", parts sum to " + Figures.number(total) + " ms",
                        elsewhere(r));
        String hidden = TextLines.more(hiddenParts, 0, "smaller in the report").orElse("");
        List<String> lines = TextLines.wrapWith(text, "    ", 2, hidden, columns);
        lines.set(0, lines.getFirst().strip());
        lines.replaceAll(line ->
                !hidden.isEmpty() && line.endsWith(hidden)
                        ? bold.apply(line.substring(0, line.length() - hidden.length())) + hidden
                        : bold.apply(line));
        return lines;
    }

    /// A note that the breakdown is of another load, because the load of the report has no
    /// diagnostic window. Empty if it has one.
    private static String elsewhere(RunResult r) {
        return Highlights.breakdownOfOtherLoad(r)
                .flatMap(_ -> r.operatingPoint())
                .map(p -> " (no diagnostic window at " + Highlights.load(p.round()) + ")")
                .orElse("");
    }

    private static List<Highlights.Part> sorted(RunResult r, Round round) {
        return Highlights.parts(round, r.verdict().bottleneck()).stream()
                .sorted(Comparator.comparingDouble(Highlights.Part::ms).reversed())
                .toList();
    }

    /// The place, its method first, and the number of calls that a request makes there. The place
    /// is shortened to fit.
    private String where(RunResult r, Round round, Highlights.Part part, int budget) {
        return Stream.<UnaryOperator<String>>of(names::place, names::method, names::compact)
                .map(form -> shown(r, round, part, form))
                .filter(text -> text.length() <= budget)
                .findFirst()
                .orElseGet(() -> shown(r, round, part, names::compact));
    }

    private static String shown(
            RunResult r, Round round, Highlights.Part part, UnaryOperator<String> place) {
        return Stream.of(
                        part.error().stream(),
                        Highlights.where(
                                Highlights.withPlacesSeen(round, r.census()),
                                part,
                                r.verdict().bottleneck(),
                                place)
                                .stream(),
                        CallsText.of(r.insight(), round, part.key()).stream())
                .flatMap(s -> s)
                .collect(Collectors.joining(", "));
    }

    /// The breakdown at a lower load. A part that is larger at the load of the report is queueing.
    private String shares(RunResult r, Round round) {
        List<Highlights.Part> parts = sorted(r, round);
        double all = Highlights.whole(parts, round);
        String before =
                String.format(
                        Locale.ROOT,
                        "  at N=%d of %s ms: ",
                        round.concurrency(),
                        Figures.number(round.rtMs().mean()));
        return TextLines.cut(
                parts.stream()
                        .limit(PARTS_BEFORE)
                        .filter(p -> Highlights.reads(p.ms() / all))
                        .map(p -> p.name() + " " + Figures.percent(p.ms() / all))
                        .collect(Collectors.joining(", ", before, "")),
                columns);
    }
}
