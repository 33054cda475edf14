package dev.jdyno.plan;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// Rows of named values from a file: CSV with a heading (RFC 4180) or JSON Lines of flat objects.
final class DataRows {
    private DataRows() {}

    /// @throws IllegalArgumentException that names the line when the file is malformed
    static List<Map<String, String>> read(Path file) throws IOException {
        String name = String.valueOf(file.getFileName());
        List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        List<Map<String, String>> rows = name.endsWith(".csv") ? csv(lines) : jsonLines(lines);
        if (rows.isEmpty()) {
            throw new IllegalArgumentException(file + " has no rows");
        }
        return rows;
    }

    private static List<Map<String, String>> csv(List<String> lines) {
        List<Map<String, String>> rows = new ArrayList<>();
        List<String> names = lines.isEmpty() ? List.of() : fields(lines.getFirst());
        for (int i = 1; i < lines.size(); i++) {
            if (lines.get(i).isBlank()) {
                continue;
            }
            List<String> values = fields(lines.get(i));
            if (values.size() != names.size()) {
                throw new IllegalArgumentException(
                        "line "
                                + (i + 1)
                                + " has "
                                + values.size()
                                + " fields, the heading "
                                + names.size());
            }
            Map<String, String> row = new LinkedHashMap<>();
            for (int f = 0; f < names.size(); f++) {
                row.put(names.get(f), values.get(f));
            }
            rows.add(row);
        }
        return rows;
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

    private static List<Map<String, String>> jsonLines(List<String> lines) {
        List<Map<String, String>> rows = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).isBlank()) {
                continue;
            }
            try {
                Map<String, String> row = new LinkedHashMap<>();
                JsonMapper.shared()
                        .readTree(lines.get(i))
                        .properties()
                        .forEach(e -> row.put(e.getKey(), e.getValue().asString()));
                rows.add(row);
            } catch (JacksonException e) {
                throw new IllegalArgumentException(
                        "line " + (i + 1) + " is no flat JSON object: " + e.getOriginalMessage(),
                        e);
            }
        }
        return rows;
    }
}
