package dev.jdyno.report.html;

import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.report.words.Figures;

/// A line of evidence as a row of the page's table. Bytes have the same unit as in the sentence. A
/// figure that was not compared with a limit has none.
///
/// @param unit empty if the value includes it
public record EvidenceRow(Sentence says, String value, String limit, String unit, String id) {
    private static final String NONE = "–";

    static EvidenceRow of(Verdict.EvidenceLine line) {
        boolean bytes = line.unit().equals("bytes") || line.unit().equals("bytes/s");
        // Rules set the limit to 0 if they do not compare the figure with a limit.
        String limit = line.limit() == 0 ? NONE : figure(line.limit(), line.unit());
        return new EvidenceRow(
                line.says(),
                figure(line.value(), line.unit()),
                limit,
                bytes ? "" : line.unit(),
                line.id());
    }

    private static String figure(double v, String unit) {
        return switch (unit) {
            case "bytes" -> Figures.bytes(v);
            case "bytes/s" -> Figures.bytesPerSecond(v);
            default -> Figures.number(v).replace("unlimited", "∞");
        };
    }
}
