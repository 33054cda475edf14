package dev.jdyno.driver;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// JMeter's CSV (`-l {out}`): a row for each sample, with a header. Its users may pause, so their
/// number is not the number of requests in flight.
final class JtlReader implements DriverReader {
    @Override
    public Optional<DriverReport> read(DriverOutput output) throws IOException {
        Optional<List<String>> header =
                output.firstLine().map(l -> Arrays.asList(l.split(",", -1)));
        if (header.isEmpty() || !header.get().containsAll(List.of("timeStamp", "elapsed"))) {
            return Optional.empty();
        }
        Columns columns = Columns.of(header.get());
        var all = new EachRequest(output.window());
        int[] line = {0};
        output.forEachLine(text -> {
            if (line[0]++ > 0) {
                columns.add(text, all);
            }
        });
        return Optional.of(all.report("jtl", List.of(DriverErrors.NO_INTENDED_START)));
    }

    private record Columns(int start, int elapsed, int success, int code) {
        static Columns of(List<String> header) {
            return new Columns(
                    header.indexOf("timeStamp"),
                    header.indexOf("elapsed"),
                    header.indexOf("success"),
                    header.indexOf("responseCode"));
        }

        void add(String text, EachRequest to) {
            List<String> cells = Cells.of(text);
            try {
                double startMs = Double.parseDouble(cells.get(start));
                double ms = Double.parseDouble(cells.get(elapsed));
                if (!(ms >= 0) || !(startMs >= 0)) {
                    to.broken();
                } else if (success < 0 || cells.get(success).equals("true")) {
                    to.good(startMs + ms, ms);
                } else {
                    to.bad(startMs + ms, kind(code < 0 ? "" : cells.get(code)));
                }
            } catch (NumberFormatException | IndexOutOfBoundsException cut) {
                to.broken();
            }
        }

        private static String kind(String code) {
            return code.matches("[1-5]\\d\\d") ? "status-" + code : DriverErrors.FAILED;
        }
    }
}
