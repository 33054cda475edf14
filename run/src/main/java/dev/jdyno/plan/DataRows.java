package dev.jdyno.plan;

import dev.jdyno.foreign.ForeignCsv;
import dev.jdyno.foreign.ForeignJson;
import dev.jdyno.foreign.ForeignLines;
import dev.jdyno.foreign.ForeignLines.Line;
import dev.jdyno.foreign.ForeignText;
import dev.jdyno.foreign.Malformed;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Rows of named values from a file: CSV with a heading (RFC 4180) or JSON Lines of flat objects.
final class DataRows {
    private static final int LONGEST_LINE = 1 << 20;

    /// Maximum number of values of all rows together. Like their bytes, it is limited because all
    /// rows are in memory. A million users with a name and a password are two million values.
    private static final int MAX_VALUES = 4_000_000;

    private static final long MAX_BYTES = 256L << 20;

    private final List<Map<String, String>> rows = new ArrayList<>();
    private long values;
    private long bytes;

    private DataRows() {}

    /// @throws IllegalArgumentException with the line number if the file is malformed
    static List<Map<String, String>> read(Path file) throws IOException {
        String name = String.valueOf(file.getFileName());
        var data = new DataRows();
        try (InputStream in = Files.newInputStream(file)) {
            if (name.endsWith(".csv")) {
                data.csv(in);
            } else {
                data.jsonLines(in);
            }
        } catch (Malformed e) {
            throw new IllegalArgumentException(
                    (e.line().isPresent() ? "line " + e.line().getAsInt() + " has " : "")
                            + e.kind(),
                    e);
        }
        if (data.rows.isEmpty()) {
            throw new IllegalArgumentException(file + " has no rows");
        }
        return data.rows;
    }

    private Optional<Line> next(ForeignLines lines) throws IOException {
        Optional<Line> next = lines.next();
        if (next.isEmpty()) {
            return next;
        }
        Line line = next.get();
        bytes += line.text().length();
        if (!line.whole()) {
            throw new IllegalArgumentException(
                    "line " + line.number() + " is longer than " + LONGEST_LINE + " bytes");
        }
        if (bytes > MAX_BYTES) {
            throw tooMuch(line.number(), (MAX_BYTES >> 20) + " MiB");
        }
        try {
            byte[] raw = line.text().getBytes(StandardCharsets.ISO_8859_1);
            String text = ForeignText.decode(raw, StandardCharsets.UTF_8);
            return Optional.of(new Line(line.number(), text, true));
        } catch (Malformed e) {
            throw new IllegalArgumentException("line " + line.number() + " has " + e.kind(), e);
        }
    }

    private void add(long line, Map<String, String> row) {
        rows.add(row);
        // an empty row takes memory, too
        values += 1 + row.size();
        if (values > MAX_VALUES) {
            throw tooMuch(line, MAX_VALUES + " values");
        }
    }

    private static IllegalArgumentException tooMuch(long line, String limit) {
        return new IllegalArgumentException(
                "line " + line + ": more than " + limit + " in all: give fewer rows");
    }

    private void csv(InputStream in) throws IOException {
        try (var table = ForeignCsv.of(in, ',', MAX_BYTES)) {
            List<String> names = table.next().map(ForeignCsv.Row::cells).orElse(List.of());
            for (var next = table.next(); next.isPresent(); next = table.next()) {
                List<String> cells = next.get().cells();
                if (cells.size() != names.size()) {
                    throw new IllegalArgumentException(
                            "line "
                                    + next.get().line()
                                    + " has "
                                    + cells.size()
                                    + " fields, the heading "
                                    + names.size());
                }
                Map<String, String> row = new LinkedHashMap<>();
                for (int f = 0; f < names.size(); f++) {
                    row.put(names.get(f), cells.get(f));
                }
                add(next.get().line(), row);
            }
        }
    }

    private void jsonLines(InputStream in) throws IOException {
        // each byte becomes one character; each line is then decoded strictly
        try (var lines = new ForeignLines(in, StandardCharsets.ISO_8859_1, LONGEST_LINE)) {
            for (var next = next(lines); next.isPresent(); next = next(lines)) {
                Line line = next.get();
                if (!line.text().isBlank()) {
                    add(line.number(), object(line));
                }
            }
        }
    }

    private static Map<String, String> object(Line line) {
        String where = "line " + line.number() + " is no flat JSON object";
        JsonNode tree;
        try {
            tree = ForeignJson.tree(line.text());
        } catch (Malformed e) {
            throw new IllegalArgumentException(where + ": " + YamlMap.shown(e.detail()), e);
        }
        if (!tree.isObject()) {
            throw new IllegalArgumentException(where);
        }
        Map<String, String> row = new LinkedHashMap<>();
        for (var entry : tree.properties()) {
            JsonNode value = entry.getValue();
            if (value.isContainer()) {
                throw new IllegalArgumentException(where + ": " + YamlMap.shown(entry.getKey()));
            }
            row.put(entry.getKey(), value.isNull() ? "" : value.asString());
        }
        return row;
    }
}
