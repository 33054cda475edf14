package dev.jdyno.driver;

import dev.jdyno.foreign.ForeignJson;
import dev.jdyno.foreign.Malformed;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.statistics.Latency;
import java.io.IOException;
import java.io.Reader;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// Reads ghz's JSON (`-O json` or `-O pretty`), in `{out}` or printed. It lists each call, so it
/// may have hundreds of megabytes and is read in one pass. ghz lists the first 1,000,000 calls of a
/// run; if it made more, its summary of all calls counts. Times are in ns.
final class GhzReader implements DriverReader {
    /// Names with which the report may begin. JSON of other tools begins with other ones, so no
    /// more of it is read.
    private static final Set<String> FIRST = Set.of("date", "name", "endReason");

    private static final Map<String, String> KINDS = kinds();

    @Override
    public Optional<DriverReport> read(DriverOutput output) throws IOException {
        var found = new Found(output.window());
        try (Reader in = output.results();
                JsonParser json = ForeignJson.parser(in)) {
            return found.read(json) ? Optional.of(found.report()) : Optional.empty();
        } catch (JacksonException broken) {
            if (found.isOfGhz()) {
                throw ForeignJson.malformed(broken);
            }
            return Optional.empty();
        }
    }

    /// ghz's names of gRPC's statuses, in lower case: `deadlineexceeded`.
    private static Map<String, String> kinds() {
        Map<String, String> kinds = new HashMap<>();
        for (int code = 1; code <= ErrorKind.MAX_GRPC_CODE; code++) {
            String key = ErrorKind.ofGrpc(code).key();
            kinds.put(key.substring(key.indexOf('-')).replace("-", ""), key);
        }
        kinds.put("canceled", ErrorKind.GRPC_CANCELLED.key());
        return kinds;
    }

    /// @param status ghz's name of a status other than OK; empty for a failure without a status
    private static String kind(String status) {
        boolean undefined = status.startsWith("Code(");
        return undefined
                ? ErrorKind.GRPC_UNKNOWN.key()
                : KINDS.getOrDefault(status.toLowerCase(Locale.ROOT), DriverErrors.FAILED);
    }

    /// Passes on the name of each member of the object at which the parser is; the parser is then
    /// at its value. Any other value is skipped.
    private static void members(JsonParser json, Consumer<String> at) {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            json.skipChildren();
            return;
        }
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = json.currentName();
            json.nextToken();
            at.accept(name);
            json.skipChildren();
        }
    }

    /// Calls `at` at the beginning of each item of the list at which the parser is. ghz writes null
    /// in place of an empty list.
    private static void items(JsonParser json, Runnable at) {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            json.skipChildren();
            return;
        }
        while (json.nextToken() != JsonToken.END_ARRAY) {
            at.run();
        }
    }

    /// {@link Printed#UNKNOWN} if the value is not a number of at least 0.
    private static double number(JsonParser json) {
        double value = json.currentToken().isNumeric() ? json.getDoubleValue() : Printed.UNKNOWN;
        return value >= 0 && Double.isFinite(value) ? value : Printed.UNKNOWN;
    }

    private static String text(JsonParser json) {
        return json.currentToken() == JsonToken.VALUE_STRING ? json.getString() : "";
    }

    /// One item of `details`:
    /// `{"timestamp":"2026-11-30T13:06:01.1Z","latency":812345,"error":"","status":"OK"}`. The
    /// timestamp is that of its end.
    private static final class Call {
        private String end = "";
        private String status = "";
        private double nanos = Printed.UNKNOWN;

        void set(String name, JsonParser json) {
            switch (name) {
                case "timestamp" -> end = text(json);
                case "status" -> status = text(json);
                case "latency" -> nanos = number(json);
                default -> {
                    // its error text is not needed
                }
            }
        }

        void addTo(EachRequest all) {
            try {
                Instant ended = OffsetDateTime.parse(end).toInstant();
                double endMs = ended.getEpochSecond() * 1e3 + ended.getNano() / 1e6;
                if (Double.isNaN(nanos)) {
                    all.broken();
                } else if (status.equals("OK")) {
                    all.good(endMs, nanos / 1e6);
                } else {
                    all.bad(endMs, kind(status));
                }
            } catch (DateTimeException unread) {
                all.broken();
            }
        }
    }

    /// The report, as far as it was read.
    private static final class Found {
        private final EachRequest all;
        private final Map<String, Long> errors = new TreeMap<>();
        private final Map<Integer, Double> percentilesMs = new TreeMap<>();
        private long good;
        private long listed;
        private double count = Printed.UNKNOWN;
        private double seconds = Printed.UNKNOWN;
        private double meanMs = Printed.UNKNOWN;
        private double maxMs = Printed.UNKNOWN;
        private boolean hasRate;
        private boolean hasStatuses;

        Found(DriverOutput.Window window) {
            all = new EachRequest(window);
        }

        boolean isOfGhz() {
            return hasRate && hasStatuses;
        }

        /// @return false if it has another form
        boolean read(JsonParser json) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                return false;
            }
            boolean first = true;
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = json.currentName();
                if (first && !FIRST.contains(name)) {
                    return false;
                }
                first = false;
                json.nextToken();
                set(name, json);
                json.skipChildren();
            }
            return isOfGhz();
        }

        private void set(String name, JsonParser json) {
            switch (name) {
                case "count" -> count = number(json);
                case "total" -> seconds = number(json) / 1e9;
                case "average" -> meanMs = number(json) / 1e6;
                case "slowest" -> maxMs = number(json) / 1e6;
                case "rps" -> hasRate = json.currentToken().isNumeric();
                case "statusCodeDistribution" -> {
                    hasStatuses = json.currentToken() == JsonToken.START_OBJECT;
                    members(json, status -> ended(status, number(json)));
                }
                case "latencyDistribution" -> items(json, () -> percentile(json));
                case "details" -> items(json, () -> call(json));
                default -> {
                    // options, histogram and others
                }
            }
        }

        private void ended(String status, double calls) {
            if (Double.isNaN(calls)) {
                return;
            }
            if (status.equals("OK")) {
                good += Math.round(calls);
            } else {
                errors.merge(kind(status), Math.round(calls), Long::sum);
            }
        }

        /// `{"percentage":99,"latency":812345}`
        private void percentile(JsonParser json) {
            double[] pair = {Printed.UNKNOWN, Printed.UNKNOWN};
            members(
                    json,
                    name -> {
                        switch (name) {
                            case "percentage" -> pair[0] = number(json);
                            case "latency" -> pair[1] = number(json) / 1e6;
                            default -> {
                                // ghz writes no other member
                            }
                        }
                    });
            if (pair[0] <= 100) {
                percentilesMs.put((int) pair[0], pair[1]);
            }
        }

        private void call(JsonParser json) {
            var call = new Call();
            members(json, name -> call.set(name, json));
            call.addTo(all);
            listed++;
        }

        DriverReport report() throws Malformed {
            return listed >= count || Double.isNaN(count)
                    ? all.report("ghz", List.of(DriverErrors.NO_INTENDED_START))
                    : summary();
        }

        private DriverReport summary() throws Malformed {
            if (!(seconds > 0)) {
                throw Malformed.of("ghz's summary has no total time");
            }
            List<String> missing = new ArrayList<>();
            missing.add("p99.9 of response times: ghz does not print it");
            missing.add(
                    String.format(
                            Locale.ROOT,
                            "the calls of a window: ghz lists %d of the %.0f calls of a run, so its"
                                    + " rate of the whole run counts, and its percentiles of the"
                                    + " listed calls",
                            listed,
                            count));
            missing.add(DriverErrors.NO_INTENDED_START);
            return new DriverReport(
                    "ghz",
                    seconds,
                    good,
                    errors,
                    Optional.empty(),
                    new Latency(meanMs, at(50), at(90), at(99), Printed.UNKNOWN, maxMs),
                    missing);
        }

        private double at(int rank) {
            return percentilesMs.getOrDefault(rank, Printed.UNKNOWN);
        }
    }
}
