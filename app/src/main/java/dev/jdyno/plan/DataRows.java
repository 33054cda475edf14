package dev.jdyno.plan;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// Rows of named values from a file: CSV with a heading (RFC 4180), JSON Lines of flat objects, or
/// the requests of an access log.
public final class DataRows {
    /// `127.0.0.1 - - [10/Oct/2025:13:55:36 +0000] "GET /a?b=c HTTP/1.1" 200 2326 …`
    private static final Pattern ACCESS =
            Pattern.compile("\\S+ \\S+ .*?\\[[^\\]]*\\] \"(\\w+) (/\\S*) HTTP/[\\d.]+\" \\d{3} .*");

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

    /// The requests of an access log in the common or combined format, as rows of `method` and
    /// `path`.
    public record AccessLog(List<Map<String, String>> requests, int linesUnread) {
        /// Reads a log; lines that are no request are counted.
        public static AccessLog read(Path file) throws IOException {
            List<Map<String, String>> requests = new ArrayList<>();
            int unread = 0;
            for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
                Matcher m = ACCESS.matcher(line);
                if (m.matches()) {
                    requests.add(Map.of("method", m.group(1), "path", m.group(2)));
                } else {
                    unread++;
                }
            }
            return new AccessLog(List.copyOf(requests), unread);
        }
    }
}
