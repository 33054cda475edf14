package dev.jdyno.report.words;

import dev.jdyno.measure.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Breaks text into lines, by default of {@link #WIDTH} columns.
public final class TextLines {
    /// Columns of a line if the width of the terminal is unknown.
    public static final int WIDTH = 100;

    /// Characters after which a word that is longer than a line can be broken.
    private static final String MARKS = ".$/,;:=&|?_-@";

    private TextLines() {}

    /// The number of items that were left out because they did not fit: ` (+3 more warnings)`.
    public static Optional<String> more(int all, int shown, String of) {
        return all <= shown
                ? Optional.empty()
                : Optional.of(" (+" + (all - shown) + " " + of + ")");
    }

    public static String cut(String line) {
        return cut(line, WIDTH);
    }

    /// The words of a line that fit, and dots in place of the others. A word that is longer than a
    /// line is shortened.
    public static String cut(String line, int columns) {
        String indent = line.substring(0, line.length() - line.stripLeading().length());
        String clean = indent + Printable.plain(line);
        if (clean.length() <= columns) {
            return clean;
        }
        String whole = clean.substring(0, 1 + clean.lastIndexOf(' ', columns - 4));
        return whole.isBlank()
                ? clean.substring(0, mark(clean, columns - 3)) + "..."
                : whole.stripTrailing() + " ...";
    }

    /// The words of a text; a word that is longer than a line is split.
    private static List<String> words(String text, int columns) {
        List<String> words = new ArrayList<>();
        for (String word : Printable.plain(text).split(" +")) {
            String rest = word;
            while (rest.length() > columns) {
                int end = mark(rest, columns);
                words.add(rest.substring(0, end));
                rest = rest.substring(end);
            }
            words.add(rest);
        }
        return words;
    }

    /// Breaks a text at blanks. If it needs more than `max` lines, it ends in dots.
    public static List<String> wrap(String text, String indent, int max) {
        return wrap(text, indent, max, WIDTH);
    }

    public static List<String> wrap(String text, String indent, int max, int columns) {
        List<String> lines = new ArrayList<>();
        var line = new StringBuilder(indent);
        for (String word : words(text, columns - indent.length())) {
            boolean last = lines.size() == max - 1;
            if (!last
                    && line.length() > indent.length()
                    && line.length() + 1 + word.length() > columns) {
                lines.add(cut(line.toString(), columns));
                line = new StringBuilder(indent);
            }
            line.append(line.length() > indent.length() ? " " : "").append(word);
        }
        lines.add(cut(line.toString(), columns));
        return lines;
    }

    /// Breaks a text at blanks, and a word that is longer than a line after one of its marks. Text
    /// is cut off only when `max` lines are full.
    ///
    /// @param first indent of the first line
    public static List<String> fold(
            String text, String first, String indent, int max, int columns) {
        List<String> lines = new ArrayList<>();
        var line = new StringBuilder(first);
        boolean begun = false;
        for (String word : Printable.plain(text).split(" +")) {
            String rest = word;
            if (begun && line.length() + 1 + rest.length() > columns) {
                lines.add(line.toString());
                line = new StringBuilder(indent);
                begun = false;
            }
            while (!begun && line.length() + rest.length() > columns) {
                int at = mark(rest, columns - line.length());
                lines.add(line + rest.substring(0, at));
                rest = rest.substring(at);
                line = new StringBuilder(indent);
            }
            line.append(begun ? " " : "").append(rest);
            begun = true;
        }
        lines.add(line.toString());
        if (lines.size() <= max) {
            return lines;
        }
        List<String> shown = new ArrayList<>(lines.subList(0, max));
        shown.set(max - 1, cut(shown.getLast() + " ...", columns));
        return shown;
    }

    /// Position at which a word that is longer than `maxColumns` is broken: after a mark if it has
    /// one.
    private static int mark(String word, int maxColumns) {
        for (int at = maxColumns; at > 0; at--) {
            if (MARKS.indexOf(word.charAt(at - 1)) >= 0) {
                return at;
            }
        }
        return Character.isHighSurrogate(word.charAt(maxColumns - 1)) ? maxColumns - 1 : maxColumns;
    }

    /// A text after a mark; its further lines have the same indent.
    ///
    /// @param end text at the end that is never shortened
    public static List<String> item(String mark, String text, int max, String end, int columns) {
        List<String> lines = wrapWith(text, " ".repeat(mark.length()), max, end, columns);
        lines.set(0, mark + lines.getFirst().substring(mark.length()));
        return lines;
    }

    /// Like {@link #wrap(String, String, int)}, with a text at the end that is never shortened.
    public static List<String> wrapWith(
            String text, String indent, int max, String end, int columns) {
        List<String> whole = wrap(text + end, indent, max, columns);
        if (whole.getLast().endsWith(end)) {
            return whole;
        }
        List<String> lines = wrap(text, indent, max, columns);
        if (lines.size() < max) {
            // The end would be broken in two, so it gets a line of its own.
            lines.add(indent + end.strip());
            return lines;
        }
        lines.set(lines.size() - 1, cut(lines.getLast(), columns - end.length()) + end);
        return lines;
    }
}
