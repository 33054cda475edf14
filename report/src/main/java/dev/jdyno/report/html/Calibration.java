package dev.jdyno.report.html;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/// Share of right first answers, by confidence. The answers were given on services with known
/// faults, whose authors did not know the rules (docs/accuracy.md). `bench/accuracy/totals.py`
/// writes the file.
///
/// @param rows rows by confidence, the highest first; the last row begins at 0
record Calibration(List<Row> rows) {
    private static final String RESOURCE = "/dev/jdyno/report/calibration.tsv";

    /// @param from minimum confidence of the answers in this row
    record Row(double from, int answers, int right) {
        Row {
            if (!(from >= 0 && from <= 1) || right < 0 || right > answers) {
                throw new IllegalArgumentException(right + " of " + answers + " from " + from);
            }
        }
    }

    Calibration {
        rows = List.copyOf(rows);
        if (rows.isEmpty() || rows.getLast().from() != 0) {
            throw new IllegalArgumentException("no row for a confidence of 0");
        }
    }

    /// Location of the calibration table in the jar.
    static Calibration builtIn() {
        try (InputStream in = Calibration.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " is not in the jar");
            }
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /// @param text a line of names, then `FROM ANSWERS RIGHT`, separated by tabs
    static Calibration parse(String text) {
        return new Calibration(
                text.lines()
                        .skip(1)
                        .map(line -> line.split("\t", -1))
                        .map(f ->
                                new Row(
                                        Double.parseDouble(f[0]),
                                        Integer.parseInt(f[1]),
                                        Integer.parseInt(f[2])))
                        .toList());
    }

    /// @param confidence 0…1
    String says(double confidence) {
        int at = 0;
        while (confidence < rows.get(at).from()) {
            at++;
        }
        Row row = rows.get(at);
        String range =
                at == 0
                        ? String.format(Locale.ROOT, "%.2f and more: ", row.from())
                        : row.from() > 0
                                ? String.format(
                                        Locale.ROOT,
                                        "%.2f to %.2f: ",
                                        row.from(),
                                        rows.get(at - 1).from() - 0.01)
                                : String.format(
                                        Locale.ROOT,
                                        "below %.2f: a hint; ",
                                        rows.get(at - 1).from());
        return range
                + "in tests with known faults "
                + row.right()
                + " of "
                + row.answers()
                + " such answers were right";
    }
}
