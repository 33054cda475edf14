package dev.jdyno.report.words;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.verdict.Recommendation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// Recommendations as lines of text, with their predicted gains.
///
/// @param names short names of the methods in the text
/// @param columns of each line
/// @param most maximum number of recommendations shown; the others are counted
/// @param each maximum lines for one of them
/// @param how maximum lines that explain the first one; 0: it is not explained
/// @param rest a text on where the reader finds the other recommendations: `more in the report`
public record RecommendationLines(
        ShortNames names, int columns, int most, int each, int how, String rest) {
    private static final String QPS = "QPS";

    /// Minimum columns of the throughputs.
    private static final int MIN_QPS = 20;

    /// Minimum columns of the response times.
    private static final int MIN_RT = 12;

    /// Columns of the two figures.
    private record Widths(int qps, int rt) {
        static Widths of(List<Recommendation> shown, Optional<Round> now) {
            return new Widths(
                    widest(shown.stream().map(r -> RecommendationLines.qps(r, now)), MIN_QPS),
                    widest(shown.stream().map(r -> RecommendationLines.rt(r, now)), MIN_RT));
        }

        private static int widest(Stream<String> texts, int min) {
            return Math.max(min, texts.mapToInt(String::length).max().orElse(0));
        }
    }

    /// @param title of the table
    /// @param now the round at whose load the figures hold; empty if there is none
    /// @return empty if there is no recommendation
    public List<String> of(
            String title, List<Recommendation> recommendations, Optional<Round> now) {
        if (recommendations.isEmpty()) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        List<Recommendation> shown = recommendations.stream().limit(most).toList();
        var widths = Widths.of(shown, now);
        lines.add(heading(title, recommendations, now, widths));
        String hidden = TextLines.more(recommendations.size(), most, rest).orElse("");
        for (int i = 0; i < shown.size(); i++) {
            Recommendation recommendation = shown.get(i);
            String end = i == shown.size() - 1 ? hidden : "";
            List<String> says =
                    TextLines.wrapWith(
                            names.in(recommendation.says()) + assumed(recommendation, now),
                            "  ",
                            each,
                            end,
                            textColumns(widths));
            lines.add(
                    row(
                            says.getFirst(),
                            qps(recommendation, now),
                            rt(recommendation, now),
                            widths));
            says.stream().skip(1).map(l -> "  " + l).forEach(lines::add);
            if (i == 0 && how > 0) {
                lines.addAll(
                        TextLines.wrap("how: " + recommendation.how(), "      ", how, columns));
            }
        }
        return lines;
    }

    private String heading(
            String title,
            List<Recommendation> recommendations,
            Optional<Round> now,
            Widths widths) {
        Optional<Round> at =
                now.filter(_ -> recommendations.stream().anyMatch(r -> r.expected().isPresent()));
        String load =
                at.map(r ->
                                String.format(
                                        Locale.ROOT,
                                        " at N=%d, now %s/s, %s ms",
                                        r.concurrency(),
                                        Figures.number(r.qps()),
                                        Figures.number(r.rtMs().mean())))
                        .orElse("");
        return row(title + load, QPS, at.isPresent() ? "mean RT ms" : "RT", widths);
    }

    /// Columns that remain for the text, in addition to the two columns of figures with two blanks
    /// before each.
    private int textColumns(Widths widths) {
        return columns - widths.qps() - widths.rt() - 4;
    }

    /// The assumption behind the gain, if the recommendation does not state it.
    private static String assumed(Recommendation r, Optional<Round> now) {
        return Assumed.of(r, now).map(Assumed::note).orElse("");
    }

    private static boolean repeats(Recommendation r, Optional<Round> now) {
        return Assumed.of(r, now).filter(Assumed::repeats).isPresent();
    }

    /// The throughput after the change: `at least 346`, `up to 346`, `up to 346 at N=114`. It is
    /// `x2` if only a ratio is known, and `RT at N=1` if throughput stays the same. It is `up to
    /// twice` if the gain is only the assumed factor.
    private static String qps(Recommendation r, Optional<Round> now) {
        if (repeats(r, now)) {
            return Assumed.TWICE;
        }
        if (r.isAboutResponseTime() && r.expected().isPresent()) {
            return "RT at N=" + r.expected().get().atConcurrency();
        }
        return now.flatMap(n -> GainText.shown(r, n).map(s -> qps(s, r, n)))
                .orElseGet(() ->
                        ratio(r.predictedQpsRatio(), r.atMost() ? "up to x" : "x")
                                .orElse("not predicted"));
    }

    private static String qps(GainText.Shown shown, Recommendation r, Round now) {
        int load = r.expected().orElseThrow().atConcurrency();
        return shown.end().beforeQps()
                + Figures.number(shown.qps())
                + (load == now.concurrency() ? "" : " at N=" + load);
    }

    private static String rt(Recommendation r, Optional<Round> now) {
        if (repeats(r, now)) {
            return "";
        }
        return now.flatMap(n -> GainText.shown(r, n))
                .map(s -> s.end().beforeRt() + Figures.number(s.rtMs()))
                .orElseGet(() ->
                        ratio(r.predictedRtRatio(), r.atMost() ? "down to x" : "x").orElse(""));
    }

    private String row(String says, String qps, String rt, Widths widths) {
        String figures = String.format(Locale.ROOT, "%s  %" + widths.rt() + "s", qps, rt);
        int columnsLeft = columns - says.length();
        return TextLines.cut(
                columnsLeft > figures.length()
                        ? says + String.format(Locale.ROOT, "%" + columnsLeft + "s", figures)
                        : says + "  " + figures,
                columns);
    }

    private static Optional<String> ratio(Optional<Double> ratio, String sign) {
        return ratio.map(r -> sign + Figures.number(Figures.twoDigits(r)));
    }
}
