package dev.jdyno.tune;

import dev.jdyno.plan.Environment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The words of a command line as `sh` splits it, as far as possible without running it: quotes,
/// escapes, `~`, `$NAME`, `${NAME}`, `${NAME:-else}` and assignments. The output of a command is
/// unknown: `$(…)` is read as a separate command.
final class ShellWords {
    /// Maximum nesting, as in `sh -c "…"` inside `sh -c "…"`: deeper commands are not read.
    private static final int MAX_NESTED = 3;

    private static final Pattern VARIABLE =
            Pattern.compile("\\$(?:(\\w+)|\\{(\\w+)(?::?-([^}]*))?})");
    private static final Pattern ASSIGNMENT =
            Pattern.compile("([A-Za-z_]\\w*)=(.*)", Pattern.DOTALL);
    private static final Pattern BLANK = Pattern.compile("\\s");

    private final Environment environment;
    private final Map<String, String> assigned = new HashMap<>();
    private final Map<String, String> variables = new TreeMap<>();
    private final List<List<String>> commands = new ArrayList<>();

    private final int nested;
    private List<String> command = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private boolean inWord;
    private boolean isWritten;

    private ShellWords(Environment environment, int nested) {
        this.environment = environment;
        this.nested = nested;
    }

    /// @param commands the words of each simple command; commands nested in a word come after it
    /// @param variables the variables that the line uses and does not assign; empty value: not set
    record Line(List<List<String>> commands, Map<String, String> variables) {}

    static Line of(String line, Environment environment) {
        var words = new ShellWords(environment, 0);
        words.read(line);
        return new Line(words.commands, words.variables);
    }

    private void read(String line) {
        int i = 0;
        while (i < line.length()) {
            i = next(line, i);
        }
        endCommand();
        for (List<String> each : List.copyOf(commands)) {
            each.stream().filter(w -> BLANK.matcher(w).find()).forEach(this::readNested);
        }
    }

    private void readNested(String text) {
        if (nested < MAX_NESTED) {
            var inner = new ShellWords(environment, nested + 1);
            inner.assigned.putAll(assigned);
            inner.read(text);
            commands.addAll(inner.commands);
            inner.variables.forEach(variables::putIfAbsent);
        }
    }

    /// @return the index after the text that was read
    private int next(String line, int at) {
        char c = line.charAt(at);
        switch (c) {
            case '\'' -> {
                int end = line.indexOf('\'', at + 1);
                int close = end < 0 ? line.length() : end;
                append(line.substring(at + 1, close));
                return close + 1;
            }
            case '"' -> {
                return quoted(line, at + 1);
            }
            case '\\' -> {
                append(
                        line.substring(
                                Math.min(at + 1, line.length()), Math.min(at + 2, line.length())));
                return at + 2;
            }
            case '$' -> {
                return variable(line, at, false);
            }
            case ';', '&', '|', '(', ')', '`', '\n' -> endCommand();
            case '<', '>' -> {
                endWord();
                isWritten = c == '>';
                boolean two = at + 1 < line.length() && "&<>|".indexOf(line.charAt(at + 1)) >= 0;
                return at + (two ? 2 : 1);
            }
            case '~' -> append(inWord ? "~" : value("HOME").orElse("~"));
            default -> {
                if (Character.isWhitespace(c)) {
                    endWord();
                } else {
                    append(String.valueOf(c));
                }
            }
        }
        return at + 1;
    }

    private int quoted(String line, int from) {
        inWord = true;
        int i = from;
        while (i < line.length() && line.charAt(i) != '"') {
            char c = line.charAt(i);
            if (c == '\\' && i + 1 < line.length()) {
                append(line.substring(i + 1, i + 2));
                i += 2;
            } else if (c == '$') {
                i = variable(line, i, true);
            } else {
                append(String.valueOf(c));
                i++;
            }
        }
        return i + 1;
    }

    private int variable(String line, int at, boolean isQuoted) {
        Matcher m = VARIABLE.matcher(line).region(at, line.length());
        if (!m.lookingAt()) {
            append("$");
            return at + 1;
        }
        String name = m.group(1) == null ? m.group(2) : m.group(1);
        String value =
                value(name).filter(v -> !v.isEmpty()).orElse(m.group(3) == null ? "" : m.group(3));
        if (isQuoted) {
            append(value);
        } else {
            // spaces in its value also separate words
            for (int i = 0; i < value.length(); i++) {
                if (Character.isWhitespace(value.charAt(i))) {
                    endWord();
                } else {
                    append(value.substring(i, i + 1));
                }
            }
        }
        return m.end();
    }

    private Optional<String> value(String name) {
        if (assigned.containsKey(name)) {
            return Optional.ofNullable(assigned.get(name));
        }
        Optional<String> value = environment.value(name);
        variables.putIfAbsent(name, value.orElse(""));
        return value;
    }

    private void append(String text) {
        inWord = true;
        word.append(text);
    }

    private void endWord() {
        if (inWord && !isWritten) {
            String text = word.toString();
            Matcher m = ASSIGNMENT.matcher(text);
            if (m.matches() && command.stream().allMatch(ShellWords::isBeforeAssignment)) {
                assigned.put(m.group(1), m.group(2));
            }
            command.add(text);
        }
        isWritten &= !inWord;
        inWord = false;
        word.setLength(0);
    }

    private static boolean isBeforeAssignment(String word) {
        return word.equals("export") || word.equals("env") || ASSIGNMENT.matcher(word).matches();
    }

    private void endCommand() {
        endWord();
        if (!command.isEmpty()) {
            commands.add(command);
            command = new ArrayList<>();
        }
    }
}
