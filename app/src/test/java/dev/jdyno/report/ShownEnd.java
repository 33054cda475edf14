package dev.jdyno.report;

import dev.jdyno.measure.Round;
import dev.jdyno.report.words.Figures;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// The end of a predicted range that terminal and page must show, derived from the JSON alone.
///
/// @param beforeQps text before the requests/s
/// @param beforeRt text before the response time
public record ShownEnd(String beforeQps, double qps, String beforeRt, double rtMs) {
    /// Minimum ratio of predicted to present throughput that counts as a gain.
    private static final double NOTHING = 1.03;

    /// @param recommendation as in the JSON
    /// @return empty if it has no figures
    public static Optional<ShownEnd> of(JsonNode recommendation, Round now) {
        JsonNode expected = recommendation.get("expected");
        if (expected.isNull()) {
            return Optional.empty();
        }
        double qps = expected.get("qps").asDouble();
        double rtMs = expected.get("rtMs").asDouble();
        boolean atMost = recommendation.get("atMost").asBoolean();
        if (isOfResponseTime(recommendation)) {
            return Optional.of(new ShownEnd("", qps, atMost ? "down to " : "", rtMs));
        }
        double lo = expected.get("ci95").isNull() ? qps : expected.at("/ci95/0").asDouble();
        double hi =
                atMost || expected.get("ci95").isNull() ? qps : expected.at("/ci95/1").asDouble();
        if (hi < NOTHING * now.qps()) {
            return Optional.of(new ShownEnd("", qps, "", rtMs));
        }
        return Optional.of(
                lo < NOTHING * now.qps()
                        ? new ShownEnd("up to ", hi, "down to ", rtMs * qps / hi)
                        : new ShownEnd("at least ", lo, "", rtMs * qps / lo));
    }

    private static boolean isOfResponseTime(JsonNode recommendation) {
        JsonNode ofQps = recommendation.get("predictedQpsRatio");
        JsonNode ofRt = recommendation.get("predictedRtRatio");
        return (ofQps.isNull() || ofQps.asDouble() == 1) && !ofRt.isNull() && ofRt.asDouble() < 1;
    }

    /// The figure of a table: `at least 346`.
    public String qpsInTable() {
        return beforeQps + Figures.number(qps);
    }

    /// The figure of a table: `down to 28.6`.
    public String rtInTable() {
        return beforeRt + Figures.number(rtMs);
    }

    /// The text in the gain sentence. A bound stands before its figure, a lower end before its
    /// percentage.
    public String inGain() {
        return switch (beforeQps) {
            case "up to " -> "-> up to " + Figures.number(qps) + "/s";
            case "at least " -> "at least ";
            default -> "no more requests/s";
        };
    }
}
