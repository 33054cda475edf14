package dev.jdyno.driver;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// Reads one form of a load generator's report.
interface DriverReader {
    /// All known readers. Readers of files come before readers of printed output, because a driver
    /// that writes a file prints less. The first one reads a file of any size; some of the others
    /// refuse a large file before they know whether it has their form.
    List<DriverReader> ALL =
            List.of(
                    new GhzReader(),
                    new JtlReader(),
                    new K6PointsReader(),
                    new K6SummaryReader(),
                    new OhaReader(),
                    new GatlingReader(),
                    new WrkReader(),
                    new AbReader());

    /// The forms, for messages.
    String FORMS =
            "wrk, ab, oha --json, k6 (summary, JSON, CSV), JMeter's CSV, Gatling's text log,"
                    + " ghz -O json";

    /// The report; empty if it has another form.
    ///
    /// @throws dev.jdyno.foreign.Malformed if it has this form and is not valid
    Optional<DriverReport> read(DriverOutput output) throws IOException;

    /// The report by the first reader that recognises its form.
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
