package dev.jdyno.report.words;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.verdict.Recommendation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Recommendations as lines of text, with what they should give.
public final class RecommendationLines {
    private static final int SAYS = 62;
    private static final int QPS = 20;
    private static final int RT = 12;

    /// Lines that say how the first one is done.
    private static final int HOW = 2;

    private RecommendationLines() {}

    /// @param source which has the lines of the methods that they name
    /// @param now the round whose load the figures are for; empty where there is none
    /// @param most recommendations that are shown; the others are counted
    /// @param each lines that one of them may take
    /// @return none when there is no recommendation
    public static List<String> of(
            List<Recommendation> recommendations,
            SourceText source,
            Optional<Round> now,
            int most,
            int each) {
        if (recommendations.isEmpty()) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        lines.add(heading(recommendations, now, most));
        for (Recommendation recommendation : recommendations.stream().limit(most).toList()) {
            List<String> says =
                    TextLines.wrap(source.beside(recommendation.says()), "  ", each, SAYS);
            lines.add(row(says.getFirst(), qps(recommendation, now), rt(recommendation)));
            says.stream().skip(1).map(l -> "  " + l).forEach(lines::add);
            if (recommendation.equals(recommendations.getFirst())) {
                lines.addAll(TextLines.wrap("how: " + recommendation.how(), "      ", HOW));
            }
        }
        return lines;
    }

    private static String heading(
            List<Recommendation> recommendations, Optional<Round> now, int most) {
        int hidden = Math.max(0, recommendations.size() - most);
        String more = hidden == 0 ? "" : " (+" + hidden + " more)";
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
        return row("Recommendations" + load + more, "QPS", at.isPresent() ? "mean RT ms" : "RT");
    }

    /// `346`, `up to 346`, `346 at N=114`; `x2` where only a ratio is known.
    private static String qps(Recommendation r, Optional<Round> now) {
        return r.expected()
                .map(e ->
                        (r.atMost() ? "up to " : "")
                                + Figures.number(e.qps())
                                + (now.filter(n -> n.concurrency() == e.atConcurrency()).isPresent()
                                        ? ""
                                        : " at N=" + e.atConcurrency()))
                .orElseGet(() ->
                        ratio(r.predictedQpsRatio(), r.atMost() ? "up to x" : "x")
                                .orElse("not predicted"));
    }

    private static String rt(Recommendation r) {
        return r.expected()
                .map(e -> (r.atMost() ? "down to " : "") + Figures.number(e.rtMs()))
                .orElseGet(() ->
                        ratio(r.predictedRtRatio(), r.atMost() ? "down to x" : "x").orElse(""));
    }

    private static String row(String says, String qps, String rt) {
        return TextLines.cut(
                String.format(
                        Locale.ROOT,
                        "%-" + SAYS + "s  %" + QPS + "s  %" + RT + "s",
                        says,
                        qps,
                        rt));
    }

    private static Optional<String> ratio(Optional<Double> ratio, String sign) {
        return ratio.map(r -> sign + Figures.number(Figures.twoDigits(r)));
    }
}
