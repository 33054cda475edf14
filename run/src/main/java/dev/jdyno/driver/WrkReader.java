package dev.jdyno.driver;

import dev.jdyno.foreign.Malformed;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.statistics.Latency;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads the output of wrk and wrk2. Without `--latency` it has no percentiles.
final class WrkReader implements DriverReader {
    // Running 1s test @ http://127.0.0.1:18123/
    private static final Pattern BEGIN = Pattern.compile("(?m)^Running .{1,20} test @ ");

    //   1162 requests in 1.13s, 388.09KB read
    private static final Pattern TOTAL =
            Pattern.compile(
                    "(?m)^\\s*(\\d{1,18}) requests in ([\\d.]{1,20}[a-z]{1,2}),"
                            + " ([\\d.]{1,20})([KMGTP]?)B read");

    //     Latency    16.31ms   32.69ms 168.61ms   87.86%
    private static final Pattern LATENCY =
            Pattern.compile(
                    "(?m)^\\s*Latency\\s+([\\d.]+[a-z]+)\\s+([\\d.]+[a-z]+)\\s+([\\d.]+[a-z]+)");

    /// wrk adds response times of requests that it would have sent if none had been slow
    /// (`stats_correct`). They are not in its count, so its mean belongs to another load. wrk2 adds
    /// none; it is recognised by the line on the calibration of its threads.
    private static final Pattern WRK2 = Pattern.compile("(?m)^\\s*Thread calibration");

    //      99%  149.21ms
    private static final Pattern QUANTILE =
            Pattern.compile("(?m)^\\s*([\\d.]{1,10})%\\s+([\\d.]{1,20}[a-z]{1,2})\\s*$");

    //   Non-2xx or 3xx responses: 1200
    private static final Pattern STATUS =
            Pattern.compile("(?m)^\\s*Non-2xx or 3xx responses: (\\d{1,18})");

    //   Socket errors: connect 0, read 3, write 0, timeout 5
    private static final Pattern SOCKET =
            Pattern.compile(
                    "(?m)^\\s*Socket errors: connect (\\d{1,18}), read (\\d{1,18}), write (\\d{1,18}),"
                            + " timeout (\\d{1,18})");

    private static final String TIMEOUT = ErrorKind.TIMEOUT.key();
    private static final String UNITS = "KMGTP";

    @Override
    public Optional<DriverReport> read(DriverOutput output) throws IOException {
        var printed = new Printed(output.text());
        Matcher total = TOTAL.matcher(printed.text());
        if (!BEGIN.matcher(printed.text()).find() || !total.find()) {
            return Optional.empty();
        }
        long all = (long) Printed.number(total.group(1));
        long bad = printed.count(STATUS);
        Map<String, Long> errors = new TreeMap<>();
        add(errors, DriverErrors.STATUS, Math.min(all, bad));
        Matcher socket = SOCKET.matcher(printed.text());
        if (socket.find()) {
            add(errors, ErrorKind.CONNECT_FAILED.key(), (long) Printed.number(socket.group(1)));
            add(errors, ErrorKind.RESET.key(), (long) Printed.number(socket.group(2)));
            add(errors, ErrorKind.NOT_SENT.key(), (long) Printed.number(socket.group(3)));
            add(errors, TIMEOUT, (long) Printed.number(socket.group(4)));
        }
        Latency latency = latency(printed.text());
        List<String> missing = new ArrayList<>();
        if (Double.isNaN(latency.p50())) {
            missing.add("percentiles of response times: give wrk --latency");
        } else if (Double.isNaN(latency.p999())) {
            missing.add("p99.9 of response times: wrk does not print it");
        }
        if (Double.isNaN(latency.mean())) {
            missing.add(
                    "the mean of response times: it follows from Little's law, as wrk's own has"
                            + " requests in it that were not sent, and so have its percentiles");
        }
        missing.add(DriverErrors.NO_INTENDED_START);
        double bytes =
                Printed.number(total.group(3))
                        * Math.pow(
                                1024,
                                UNITS.indexOf(total.group(4)) + (total.group(4).isEmpty() ? 0 : 1));
        return Optional.of(
                new DriverReport(
                        "wrk",
                        Printed.ms(total.group(2)) / 1e3,
                        // requests above --timeout are in the number of all requests, too
                        Math.max(0, all - bad - errors.getOrDefault(TIMEOUT, 0L)),
                        errors,
                        Optional.of(Math.round(bytes)),
                        latency,
                        missing));
    }

    private static Latency latency(String text) throws Malformed {
        Matcher line = LATENCY.matcher(text);
        if (!line.find()) {
            throw Malformed.of("wrk's line Latency is missing");
        }
        Map<String, Double> quantiles = new TreeMap<>();
        Matcher quantile = QUANTILE.matcher(text);
        while (quantile.find()) {
            quantiles.putIfAbsent(rank(quantile.group(1)), Printed.ms(quantile.group(2)));
        }
        double mean = Printed.ms(line.group(1));
        return new Latency(
                WRK2.matcher(text).find() ? mean : Printed.UNKNOWN,
                quantiles.getOrDefault("50", Printed.UNKNOWN),
                quantiles.getOrDefault("90", Printed.UNKNOWN),
                quantiles.getOrDefault("99", Printed.UNKNOWN),
                quantiles.getOrDefault("99.9", Printed.UNKNOWN),
                Printed.ms(line.group(3)));
    }

    /// wrk2 writes `99.900%`.
    private static String rank(String text) {
        return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
    }

    private static void add(Map<String, Long> to, String kind, long n) {
        if (n > 0) {
            to.merge(kind, n, Long::sum);
        }
    }
}
