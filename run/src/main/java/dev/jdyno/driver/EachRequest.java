package dev.jdyno.driver;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/// Collects the requests of a window, one by one.
final class EachRequest {
    /// Longest response time that is stored. A longer response time counts as this one.
    private static final long MAX_NANOS = 3_600_000_000_000L;

    /// Maximum number of kinds of errors; further ones count as {@link DriverErrors#FAILED}.
    private static final int MAX_KINDS = 50;

    private final DriverOutput.Window window;
    private final Histogram nanos = new Histogram(3);
    private final Map<String, Long> errors = new TreeMap<>();
    private long good;
    private long broken;
    private double firstMs = Double.POSITIVE_INFINITY;
    private long seen;

    EachRequest(DriverOutput.Window window) {
        this.window = window;
    }

    /// @param endMs end of the request, in ms since 1970
    void good(double endMs, double ms) {
        see(endMs);
        if (window.has(endMs)) {
            good++;
            nanos.recordValue(Math.clamp(Math.round(ms * 1e6), 0, MAX_NANOS));
        }
    }

    void bad(double endMs, String kind) {
        see(endMs);
        if (window.has(endMs)) {
            boolean known = errors.size() < MAX_KINDS || errors.containsKey(kind);
            errors.merge(known ? kind : DriverErrors.FAILED, 1L, Long::sum);
        }
    }

    private void see(double endMs) {
        seen++;
        firstMs = Math.min(firstMs, endMs);
    }

    /// Counts an unreadable line of a request.
    void broken() {
        broken++;
    }

    DriverReport report(String source, List<String> missing) {
        var all = new ArrayList<>(missing);
        if (broken > 0) {
            all.add(broken + " of " + (seen + broken) + " lines of the driver's log: not readable");
        }
        return new DriverReport(
                source,
                window.seconds(),
                good,
                errors,
                Optional.empty(),
                Optional.empty(),
                Optional.of(nanos),
                all,
                Optional.of(new DriverReport.Sent(seen, firstMs)));
    }
}
