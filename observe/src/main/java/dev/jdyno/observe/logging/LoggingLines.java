package dev.jdyno.observe.logging;

import dev.jdyno.measure.thread.LogPart;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Removes expensive parts from a log4j2 configuration in properties or YAML, line by line.
/// Everything else stays unchanged. It cannot add an asynchronous appender before a file, so that
/// part stays. Pure.
final class LoggingLines {
    /// A line with a key and a value: `appender.file.layout.pattern = %d %m%n`, `pattern: "%d
    /// %m%n"`, `- name: x`. Groups: indent, key up to the value, last word of the key, value.
    private static final Pattern LINE =
            Pattern.compile("^(\\s*(?:- )?)((?:[\\w.-]+\\.)?([\\w-]+)\\s*[=:]\\s*)(.*?)\\s*$");

    /// The type of a file appender in properties: `appender.file.type = RollingFile`.
    private static final Pattern FILE_TYPE =
            Pattern.compile(
                    "^\\s*(appender\\.[\\w-]+)\\.type\\s*[=:]\\s*"
                            + "(?:Rolling)?(?:RandomAccess)?File\\s*$",
                    Pattern.CASE_INSENSITIVE);

    /// The first line of a file appender in YAML: `RollingFile:`.
    private static final Pattern FILE_ELEMENT =
            Pattern.compile("^(\\s*)(?:Rolling)?(?:RandomAccess)?File:\\s*$");

    private final Set<LogPart> parts;
    private final boolean yaml;
    private final List<String> lines;
    private final Set<Integer> flushed = new HashSet<>();

    private LoggingLines(Set<LogPart> parts, boolean yaml, String text) {
        this.parts = parts;
        this.yaml = yaml;
        this.lines = new ArrayList<>(text.lines().toList());
    }

    static boolean canRead(String file) {
        return file.matches(".*\\.(properties|yaml|yml)");
    }

    /// @param parts parts of {@link LoggingEdits#PARTS}
    /// @return empty if nothing changes, or one of the parts would remain
    static Optional<String> without(Set<LogPart> parts, LoggingFiles.Configuration from) {
        var edits = new LoggingLines(parts, !from.name().endsWith(".properties"), from.text());
        edits.edit();
        String changed = String.join("\n", edits.lines) + "\n";
        try {
            boolean left =
                    LoggingConfig.read(from.name(), changed.getBytes(StandardCharsets.UTF_8))
                            .stream()
                            .anyMatch(c -> parts.contains(c.part()));
            return left || edits.lines.equals(from.text().lines().toList())
                    ? Optional.empty()
                    : Optional.of(changed);
        } catch (IOException notWhatItWas) {
            return Optional.empty();
        }
    }

    private void edit() {
        for (int i = 0; i < lines.size(); i++) {
            Matcher line = LINE.matcher(lines.get(i));
            if (!lines.get(i).strip().startsWith("#") && line.matches()) {
                edit(i, line);
            }
        }
        if (parts.contains(LogPart.FLUSH)) {
            for (int i = lines.size() - 1; i >= 0; i--) {
                flushLess(i);
            }
        }
    }

    private void edit(int at, Matcher line) {
        String value = line.group(4);
        switch (line.group(3).toLowerCase(Locale.ROOT)) {
            case "pattern" -> {
                if (parts.contains(LogPart.CALLER_DATA) && LoggingConfig.asksForCaller(value)) {
                    set(at, line, LoggingEdits.withoutCaller(value));
                }
            }
            case "includelocation" -> {
                if (parts.contains(LogPart.CALLER_DATA) && value.equals("true")) {
                    set(at, line, "false");
                }
            }
            case "immediateflush" -> {
                if (parts.contains(LogPart.FLUSH) && value.equals("true")) {
                    set(at, line, "false");
                }
                flushed.add(at);
            }
            case "buffersize" -> {
                if (parts.contains(LogPart.SMALL_QUEUE)
                        && value.matches("\\d{1,9}")
                        && Integer.parseInt(value) < LoggingConfig.SMALL_QUEUE) {
                    set(at, line, LoggingEdits.QUEUE);
                }
            }
            default -> {
                // no cost per line
            }
        }
    }

    private void set(int at, Matcher line, String value) {
        lines.set(at, line.group(1) + line.group(2) + value);
    }

    /// Switches off the flush of a file appender, which is on by default.
    private void flushLess(int at) {
        Matcher type = FILE_TYPE.matcher(lines.get(at));
        Matcher element = FILE_ELEMENT.matcher(lines.get(at));
        if (!yaml && type.matches()) {
            String key = type.group(1) + ".immediateFlush";
            if (lines.stream().noneMatch(l -> l.strip().startsWith(key))) {
                lines.add(at + 1, key + " = false");
            }
        } else if (yaml && element.matches() && at + 1 < lines.size()) {
            String next = lines.get(at + 1);
            String indent = next.substring(0, next.length() - next.stripLeading().length());
            boolean isMap =
                    indent.length() > element.group(1).length() && !next.strip().startsWith("-");
            if (isMap && !setsFlush(at + 1, indent)) {
                lines.add(at + 1, indent + "immediateFlush: false");
            }
        }
    }

    /// True if a line of the same map sets `immediateFlush`.
    private boolean setsFlush(int from, String indent) {
        for (int i = from; i < lines.size(); i++) {
            String line = lines.get(i);
            if (!line.isBlank() && !line.startsWith(indent)) {
                return false;
            }
            if (flushed.contains(i)) {
                return true;
            }
        }
        return false;
    }
}
