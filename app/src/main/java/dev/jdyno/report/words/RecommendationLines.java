package dev.jdyno.report.words;

import dev.jdyno.measure.verdict.Recommendation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Recommendations as lines of text, with what they should give.
public final class RecommendationLines {
    private static final int SAYS = 68;
    private static final int QPS = 12;
    private static final int RT = 14;

    private RecommendationLines() {}

    /// @param most recommendations that are shown; the others are counted
    /// @param each lines that one of them may take
    /// @return none when there is no recommendation
    public static List<String> of(List<Recommendation> recommendations, int most, int each) {
        if (recommendations.isEmpty()) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        int hidden = Math.max(0, recommendations.size() - most);
        String heading = hidden == 0 ? "Recommendations" : "Recommendations (+" + hidden + " more)";
        lines.add(row(heading, "QPS", "RT, same load"));
        for (Recommendation recommendation : recommendations.stream().limit(most).toList()) {
            List<String> says = TextLines.wrap(recommendation.says(), "  ", each, SAYS);
            lines.add(
                    row(
                            says.getFirst(),
                            ratio(
                                    recommendation.predictedQpsRatio(),
                                    recommendation.atMost() ? "up to x" : "x"),
                            ratio(
                                    recommendation.predictedRtRatio(),
                                    recommendation.atMost() ? "down to x" : "x")));
            says.stream().skip(1).map(l -> "  " + l).forEach(lines::add);
        }
        return lines;
    }

    private static String row(String says, String qps, String rt) {
        return String.format(
                Locale.ROOT, "%-" + SAYS + "s  %" + QPS + "s  %" + RT + "s", says, qps, rt);
    }

    private static String ratio(Optional<Double> ratio, String sign) {
        return ratio.map(r -> sign + Figures.number(Figures.twoDigits(r))).orElse("?");
    }
}
