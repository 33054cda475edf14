package dev.jdyno.driver;

import dev.jdyno.foreign.ForeignJson;
import dev.jdyno.foreign.Malformed;
import dev.jdyno.measure.statistics.Latency;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// k6's summary as JSON: of `--summary-export {out}`, or the data of `handleSummary`. Times are in
/// ms. Its users may sleep, so their number is not the number of requests in flight.
final class K6SummaryReader implements DriverReader {
    @Override
    public Optional<DriverReport> read(DriverOutput output) throws IOException {
        String text = output.fileText().orElse("").strip();
        if (!text.startsWith("{")
                || !text.contains("\"http_req_duration\"")
                || text.contains("\"Point\"")) {
            return Optional.empty();
        }
        JsonNode metrics = ForeignJson.tree(text).path("metrics");
        JsonNode reqs = values(metrics, "http_reqs");
        JsonNode times = values(metrics, "http_req_duration");
        long all = Json.count(reqs.path("count"));
        double rate = Json.number(reqs.path("rate"));
        if (!(rate > 0)) {
            throw Malformed.of("k6's summary has no rate of http_reqs");
        }
        // in this rate metric, `passes` is the number of failed requests
        long failed = Math.min(all, Json.count(values(metrics, "http_req_failed").path("passes")));
        var latency =
                new Latency(
                        Json.number(times.path("avg")),
                        Json.number(times.has("p(50)") ? times.path("p(50)") : times.path("med")),
                        Json.number(times.path("p(90)")),
                        Json.number(times.path("p(99)")),
                        Json.number(times.path("p(99.9)")),
                        Json.number(times.path("max")));
        List<String> missing = new ArrayList<>();
        if (Double.isNaN(latency.p99()) || Double.isNaN(latency.p999())) {
            missing.add(
                    "p99 and p99.9 of response times: give k6 --summary-trend-stats"
                            + " 'avg,med,max,p(90),p(99),p(99.9)'");
        }
        missing.add(DriverErrors.NO_INTENDED_START);
        return Optional.of(
                new DriverReport(
                        "k6",
                        all / rate,
                        all - failed,
                        failed > 0 ? Map.of(DriverErrors.FAILED, failed) : Map.of(),
                        Optional.empty(),
                        latency,
                        missing));
    }

    /// Values of a metric, which `handleSummary` stores one level deeper.
    private static JsonNode values(JsonNode metrics, String name) {
        JsonNode metric = metrics.path(name);
        return metric.has("values") ? metric.path("values") : metric;
    }
}
