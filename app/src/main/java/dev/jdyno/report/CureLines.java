package dev.jdyno.report;

import dev.jdyno.measure.Prescription;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Prescriptions as lines of text, with what they should give.
final class CureLines {
    private static final int SAYS = 68;
    private static final int QPS = 12;
    private static final int RT = 14;

    private CureLines() {}

    /// @param most cures that are shown; the others are counted
    /// @param each lines that one of them may take
    /// @return none when there is no cure
    static List<String> of(List<Prescription> cures, int most, int each) {
        if (cures.isEmpty()) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        int hidden = Math.max(0, cures.size() - most);
        String heading = hidden == 0 ? "What would help" : "What would help (+" + hidden + " more)";
        lines.add(row(heading, "QPS", "RT, same load"));
        for (Prescription cure : cures.stream().limit(most).toList()) {
            List<String> says = TextLines.wrap(cure.says(), "  ", each, SAYS);
            lines.add(
                    row(
                            says.getFirst(),
                            ratio(cure.predictedQpsRatio(), cure.atMost() ? "up to x" : "x"),
                            ratio(cure.predictedRtRatio(), cure.atMost() ? "down to x" : "x")));
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
