package dev.jdyno.driver;

import dev.jdyno.foreign.Malformed;
import dev.jdyno.measure.statistics.Latency;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads the output of ab (ApacheBench), and its percentiles in 1/1000 ms if it has `-e {out}`.
final class AbReader implements DriverReader {
    private static final Pattern BEGIN = Pattern.compile("(?m)^This is ApacheBench");

    // Time taken for tests:   1.001 seconds
    private static final Pattern SECONDS =
            Pattern.compile("(?m)^Time taken for tests:\\s+([\\d.]{1,20}) seconds");

    // Complete requests:      2184
    private static final Pattern COMPLETE =
            Pattern.compile("(?m)^Complete requests:\\s+(\\d{1,18})");

    // Failed requests:        12
    private static final Pattern FAILED = Pattern.compile("(?m)^Failed requests:\\s+(\\d{1,18})");

    //    (Connect: 0, Receive: 0, Length: 12, Exceptions: 0)
    private static final Pattern OTHER_LENGTH =
            Pattern.compile("(?m)^\\s*\\(Connect: .{1,60}, Length: (\\d{1,18}), Exceptions");

    // Non-2xx responses:      1230
    private static final Pattern STATUS = Pattern.compile("(?m)^Non-2xx responses:\\s+(\\d{1,18})");

    // Total transferred:      747083 bytes
    private static final Pattern BYTES =
            Pattern.compile("(?m)^Total transferred:\\s+(\\d{1,18}) bytes");

    // Time per request:       1.833 [ms] (mean)
    private static final Pattern MEAN =
            Pattern.compile("(?m)^Time per request:\\s+([\\d.]{1,20}) \\[ms] \\(mean\\)");

    //   99%     12
    private static final Pattern QUANTILE =
            Pattern.compile("(?m)^\\s*(\\d{1,3})%\\s+(\\d{1,12})\\b");

    private static final String CSV = "Percentage served,Time in ms";

    @Override
    public Optional<DriverReport> read(DriverOutput output) throws IOException {
        var printed = new Printed(output.text());
        Optional<Double> seconds = printed.number(SECONDS);
        if (!BEGIN.matcher(printed.text()).find() || seconds.isEmpty()) {
            return Optional.empty();
        }
        long all = printed.count(COMPLETE);
        long failed = Math.max(0, printed.count(FAILED) - printed.count(OTHER_LENGTH));
        long bad = Math.min(all, printed.count(STATUS));
        Map<String, Long> errors = new TreeMap<>();
        if (bad > 0) {
            errors.put(DriverErrors.STATUS, bad);
        }
        if (failed > 0) {
            errors.put(DriverErrors.FAILED, failed);
        }
        boolean exact = output.firstLine().filter(CSV::equals).isPresent();
        Map<String, Double> quantiles =
                exact ? fromFile(output.fileText().orElse("")) : fromText(printed.text());
        List<String> missing = new ArrayList<>();
        missing.add("p99.9 of response times: ab does not print it");
        if (!exact) {
            missing.add("percentiles finer than 1 ms: give ab -e {out}");
        }
        missing.add(DriverErrors.NO_INTENDED_START);
        return Optional.of(
                new DriverReport(
                        "ab",
                        seconds.get(),
                        Math.max(0, all - bad - failed),
                        errors,
                        Optional.of(printed.count(BYTES)),
                        new Latency(
                                printed.number(MEAN).orElse(Printed.UNKNOWN),
                                at(quantiles, "50"),
                                at(quantiles, "90"),
                                at(quantiles, "99"),
                                Printed.UNKNOWN,
                                at(quantiles, "100")),
                        missing));
    }

    private static double at(Map<String, Double> quantiles, String rank) {
        return quantiles.getOrDefault(rank, Printed.UNKNOWN);
    }

    private static Map<String, Double> fromText(String text) throws Malformed {
        Map<String, Double> found = new TreeMap<>();
        Matcher m = QUANTILE.matcher(text);
        while (m.find()) {
            found.putIfAbsent(m.group(1), Printed.number(m.group(2)));
        }
        return found;
    }

    private static Map<String, Double> fromFile(String csv) throws Malformed {
        Map<String, Double> found = new TreeMap<>();
        for (String line : csv.lines().skip(1).toList()) {
            String[] cells = line.split(",", -1);
            if (cells.length != 2) {
                throw Malformed.of("a line of ab's CSV that has not two cells");
            }
            found.put(cells[0].trim(), Printed.number(cells[1]));
        }
        return found;
    }
}
