package dev.jdyno.driver;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// Reads one form in which load generators report.
interface DriverReader {
    /// All that are known. Files come before what was printed: a driver that writes one prints
    /// less.
    List<DriverReader> ALL =
            List.of(
                    new JtlReader(),
                    new K6PointsReader(),
                    new K6SummaryReader(),
                    new OhaReader(),
                    new GatlingReader(),
                    new WrkReader(),
                    new AbReader());

    /// The forms, for messages.
    String FORMS = "wrk, ab, oha --json, k6 (summary, JSON, CSV), JMeter's CSV, Gatling's text log";

    /// What it says; empty when this is another form.
    ///
    /// @throws dev.jdyno.foreign.Malformed when it is this form and does not hold
    Optional<DriverReport> read(DriverOutput output) throws IOException;

    /// What the first reader says that knows the form.
    static Optional<DriverReport> readAny(DriverOutput output) throws IOException {
        for (DriverReader reader : ALL) {
            Optional<DriverReport> report = reader.read(output);
            if (report.isPresent()) {
                return report;
            }
        }
        return Optional.empty();
    }
}
