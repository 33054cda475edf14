package dev.jdyno.driver;

import dev.jdyno.foreign.ForeignJson;
import dev.jdyno.foreign.Malformed;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// k6's results of each request: `--out json={out}` (a JSON object a line) and `--out csv={out}`.
/// Its users may sleep, so their number is not the number of requests in flight.
final class K6PointsReader implements DriverReader {
    private static final String METRIC = "http_req_duration";

    @Override
    public Optional<DriverReport> read(DriverOutput output) throws IOException {
        String first = output.firstLine().orElse("");
        var all = new EachRequest(output.window());
        if (first.startsWith("metric_name,timestamp,metric_value")) {
            List<String> header = Arrays.asList(first.split(",", -1));
            int status = header.indexOf("status");
            int expected = header.indexOf("expected_response");
            if (output.anyLine(K6PointsReader::isInSeconds)) {
                throw Malformed.of(
                        "k6's times are whole seconds: set K6_CSV_TIME_FORMAT=unix_milli for k6");
            }
            output.forEachLine(line -> {
                if (line.startsWith(METRIC + ",")) {
                    csv(Cells.of(line), status, expected, all);
                }
            });
        } else if (first.startsWith("{\"")
                && first.contains("\"metric\"")
                && first.contains("\"type\"")) {
            output.forEachLine(line -> {
                if (line.contains("\"Point\"") && line.contains("\"" + METRIC + "\"")) {
                    json(line, all);
                }
            });
        } else {
            return Optional.empty();
        }
        return Optional.of(all.report("k6", List.of(DriverErrors.NO_INTENDED_START)));
    }

    private static boolean isInSeconds(String line) {
        return line.matches(METRIC + ",\\d{1,11},.*");
    }

    private static void csv(List<String> cells, int status, int expected, EachRequest to) {
        try {
            double endMs = milliseconds(Double.parseDouble(cells.get(1)));
            double ms = Double.parseDouble(cells.get(2));
            String code = status < 0 ? "" : cells.get(status);
            boolean good =
                    expected >= 0 ? cells.get(expected).equals("true") : code.matches("[23]\\d\\d");
            add(endMs, ms, good, code, to);
        } catch (NumberFormatException | IndexOutOfBoundsException cut) {
            to.broken();
        }
    }

    private static double milliseconds(double time) {
        return time > 1e17 ? time / 1e6 : time > 1e14 ? time / 1e3 : time;
    }

    private static void json(String line, EachRequest to) {
        try {
            JsonNode data = ForeignJson.tree(line).path("data");
            var time = OffsetDateTime.parse(data.path("time").asString("")).toInstant();
            JsonNode tags = data.path("tags");
            String code = tags.path("status").asString("");
            boolean good =
                    tags.has("expected_response")
                            ? tags.path("expected_response").asString("").equals("true")
                            : code.matches("[23]\\d\\d");
            add((double) time.toEpochMilli(), Json.number(data.path("value")), good, code, to);
        } catch (Malformed | DateTimeException unread) {
            to.broken();
        }
    }

    private static void add(double endMs, double ms, boolean good, String code, EachRequest to) {
        if (!(ms >= 0)) {
            to.broken();
        } else if (good) {
            to.good(endMs, ms);
        } else {
            to.bad(endMs, code.matches("[1-5]\\d\\d") ? "status-" + code : DriverErrors.FAILED);
        }
    }
}
