package dev.jdyno.driver;

import dev.jdyno.foreign.ForeignJson;
import dev.jdyno.foreign.Malformed;
import dev.jdyno.measure.statistics.Latency;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/// Reads the output of oha with `--no-tui --output-format json` (`--json` before 1.5); times are in
/// seconds.
final class OhaReader implements DriverReader {
    /// Requests in flight at the end of the run are not errors of the service.
    private static final String AT_THE_END = "aborted due to deadline";

    @Override
    public Optional<DriverReport> read(DriverOutput output) throws IOException {
        String text = output.fileText().orElseGet(() -> "").strip();
        if (!text.startsWith("{")) {
            text = output.text().strip();
        }
        if (!text.startsWith("{") || !text.contains("\"latencyPercentiles\"")) {
            return Optional.empty();
        }
        JsonNode top = ForeignJson.tree(text);
        JsonNode summary = top.path("summary");
        JsonNode ranks = top.path("latencyPercentiles");
        long good = 0;
        Map<String, Long> errors = new TreeMap<>();
        for (var status : top.path("statusCodeDistribution").properties()) {
            long n = Json.count(status.getValue());
            if (status.getKey().matches("[23]\\d\\d")) {
                good += n;
            } else {
                errors.merge("status-" + Json.word(status.getKey()), n, Long::sum);
            }
        }
        for (var error : top.path("errorDistribution").properties()) {
            if (!error.getKey().equals(AT_THE_END)) {
                errors.merge(DriverErrors.FAILED, Json.count(error.getValue()), Long::sum);
            }
        }
        double seconds = Json.number(summary.path("total"));
        if (!(seconds > 0)) {
            throw Malformed.of("oha's summary has no total time");
        }
        return Optional.of(
                new DriverReport(
                        "oha",
                        seconds,
                        good,
                        errors,
                        summary.path("totalData").isNumber()
                                ? Optional.of(Json.count(summary.path("totalData")))
                                : Optional.empty(),
                        new Latency(
                                1e3 * Json.number(summary.path("average")),
                                1e3 * Json.number(ranks.path("p50")),
                                1e3 * Json.number(ranks.path("p90")),
                                1e3 * Json.number(ranks.path("p99")),
                                1e3 * Json.number(ranks.path("p99.9")),
                                1e3 * Json.number(summary.path("slowest"))),
                        List.of(DriverErrors.NO_INTENDED_START)));
    }
}
