package dev.jdyno.capacity;

import static dev.jdyno.capacity.RequestPath.number;

import dev.jdyno.measure.text.Problems;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A user's measurement of a service at full load: throughput and, if known, the response time.
///
/// @param qps X_max, per second
/// @param rtMs mean response time at that load
public record Plateau(double qps, OptionalDouble rtMs) {
    // the text of a user: 175/s or 175/s,114ms
    private static final Pattern TEXT =
            Pattern.compile("([0-9]+(?:\\.[0-9]+)?)/s(?:,([0-9]+(?:\\.[0-9]+)?)ms)?");

    /// Empty if there is none or it is invalid.
    public static Optional<Plateau> parse(@Nullable String text, Problems problems) {
        if (text == null) {
            return Optional.empty();
        }
        Matcher m = TEXT.matcher(text);
        if (m.matches()) {
            double qps = Double.parseDouble(m.group(1));
            OptionalDouble rt =
                    m.group(2) == null
                            ? OptionalDouble.empty()
                            : OptionalDouble.of(Double.parseDouble(m.group(2)));
            if (qps > 0 && rt.orElse(1) > 0) {
                return Optional.of(new Plateau(qps, rt));
            }
        }
        problems.add(
                "--measured " + text,
                "not a throughput and a response time, both positive",
                "write --measured 175/s,114ms, or --measured 175/s");
        return Optional.empty();
    }

    /// N = X · R at saturation (Little's law, F3): the requests in flight during the measurement.
    public OptionalDouble inFlight() {
        return rtMs.isPresent()
                ? OptionalDouble.of(qps * rtMs.getAsDouble() / 1000)
                : OptionalDouble.empty();
    }

    /// Share of the bottleneck's units that this throughput keeps busy (utilisation law), with the
    /// demands that the user gave.
    public double utilisation(RequestPath path) {
        return qps / path.bottleneck().maxQps();
    }

    /// Returns the same service with the bottleneck's demand set so that throughput at saturation
    /// (F2) is the measured one. A model built from a run is calibrated in the same way. A measured
    /// throughput above the maximum that the demands allow is an error.
    public Optional<RequestPath> calibrate(RequestPath path, Problems problems) {
        Resource b = path.bottleneck();
        if (utilisation(path) > 1) {
            problems.add(
                    "--measured " + number(qps) + "/s",
                    "by F2 %s lets %s/s through at most (%s / %s ms)"
                            .formatted(
                                    b.name(),
                                    number(b.maxQps()),
                                    number(b.units()),
                                    number(b.ms())),
                    "correct the measured throughput or the demands");
            return Optional.empty();
        }
        return Optional.of(
                new RequestPath(
                        path.resources().stream()
                                .map(r -> r.equals(b) ? b.withMs(b.units() / qps * 1000) : r)
                                .toList(),
                        path.delays(),
                        path.parallel(),
                        path.held()));
    }
}
