package dev.jdyno.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/// Breaks long lines at words for readers at a terminal. Continued lines have the indent of the
/// line's text, so that labels and advice remain visible.
public final class Wrap {
    /// Minimum width of a terminal in columns.
    public static final int WIDTH = 80;

    /// Column at which the text of a row with a label begins: ` collector G1`.
    private static final int LABEL = 14;

    private static final int ADVICE = 4;

    private Wrap() {}

    public static List<String> at(int width, List<String> lines) {
        List<String> out = new ArrayList<>();
        for (String line : lines) {
            String left = line;
            String indent = " ".repeat(indent(line));
            while (left.length() > width) {
                int space = left.lastIndexOf(' ', width);
                if (space <= indent.length()) {
                    break;
                }
                out.add(left.substring(0, space).stripTrailing());
                left = indent + left.substring(space).strip();
            }
            out.add(left);
        }
        return out;
    }

    private static int indent(String line) {
        boolean row =
                line.startsWith("  ")
                        && line.length() > LABEL
                        && line.charAt(2) != ' '
                        && line.substring(0, LABEL).endsWith(" ");
        return row ? LABEL : ADVICE;
    }
}
