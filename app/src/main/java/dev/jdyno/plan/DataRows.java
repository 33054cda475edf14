package dev.jdyno.plan;

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

    /// Values of all rows together, and the bytes of their lines: all rows are in memory. A million
    /// users with a name and a password are two million values.
    private static final int MOST_VALUES = 4_000_000;

    private static final long MOST_BYTES = 256L << 20;

    private final List<Map<String, String>> rows = new ArrayList<>();
    private long values;
    private long bytes;

    private DataRows() {}

    /// @throws IllegalArgumentException that names the line when the file is malformed
    static List<Map<String, String>> read(Path file) throws IOException {
        String name = String.valueOf(file.getFileName());
        var data = new DataRows();
        try (InputStream in = Files.newInputStream(file);
                // bytes as letters: each line is decoded strictly
                var lines = new ForeignLines(in, StandardCharsets.ISO_8859_1, LONGEST_LINE)) {
            if (name.endsWith(".csv")) {
                data.csv(lines);
            } else {
                data.jsonLines(lines);
            }
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
        if (bytes > MOST_BYTES) {
            throw tooMuch(line, (MOST_BYTES >> 20) + " MiB");
        }
        try {
            byte[] raw = line.text().getBytes(StandardCharsets.ISO_8859_1);
            String text = ForeignText.decode(raw, StandardCharsets.UTF_8);
            return Optional.of(new Line(line.number(), text, true));
        } catch (Malformed e) {
            throw new IllegalArgumentException("line " + line.number() + " has " + e.kind(), e);
        }
    }

    private void add(Line line, Map<String, String> row) {
        rows.add(row);
        // an empty row takes memory, too
        values += 1 + row.size();
        if (values > MOST_VALUES) {
            throw tooMuch(line, MOST_VALUES + " values");
        }
    }

    private static IllegalArgumentException tooMuch(Line line, String limit) {
        return new IllegalArgumentException(
                "line " + line.number() + ": more than " + limit + " in all: give fewer rows");
    }

    private void csv(ForeignLines lines) throws IOException {
        Optional<Line> heading = next(lines);
        List<String> names = heading.map(l -> fields(l.text())).orElse(List.of());
        for (var next = next(lines); next.isPresent(); next = next(lines)) {
            Line line = next.get();
            if (line.text().isBlank()) {
                continue;
            }
            List<String> fields = fields(line.text());
            if (fields.size() != names.size()) {
                throw new IllegalArgumentException(
                        "line "
                                + line.number()
                                + " has "
                                + fields.size()
                                + " fields, the heading "
                                + names.size());
            }
            Map<String, String> row = new LinkedHashMap<>();
            for (int f = 0; f < names.size(); f++) {
                row.put(names.get(f), fields.get(f));
            }
            add(line, row);
        }
    }

    /// `a,"b, ""c""",d`; a field does not span lines.
    private static List<String> fields(String line) {
        List<String> all = new ArrayList<>();
        var field = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (quoted && c == '"' && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                field.append('"');
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                all.add(field.toString().trim());
                field.setLength(0);
            } else {
                field.append(c);
            }
        }
        all.add(field.toString().trim());
        return all;
    }

    private void jsonLines(ForeignLines lines) throws IOException {
        for (var next = next(lines); next.isPresent(); next = next(lines)) {
            Line line = next.get();
            if (!line.text().isBlank()) {
                add(line, object(line));
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
