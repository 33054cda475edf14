package dev.jdyno.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.report.terminal.TerminalWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LiveLinesTest {
    /// Simulates a terminal window with this number of rows and columns, and interprets the output
    /// of {@link LiveLines}. Text wraps at the right edge, and the window scrolls at the bottom.
    private static final class Screen {
        private final int rows;
        private final int columns;
        private final List<StringBuilder> lines = new ArrayList<>();
        private int scrolledAway;
        private int row;
        private int column;

        Screen(int rows, int columns) {
            this.rows = rows;
            this.columns = columns;
            lines.add(new StringBuilder());
        }

        void take(String text) {
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c == '\u001b') {
                    int end = i + 2;
                    while (Character.isDigit(text.charAt(end))) {
                        end++;
                    }
                    control(text.substring(i + 2, end), text.charAt(end));
                    i = end;
                } else if (c == '\n') {
                    down();
                } else if (c != '\r') {
                    put(c);
                }
            }
        }

        private void control(String number, char what) {
            switch (what) {
                case 'A' -> {
                    row = Math.max(scrolledAway, row - Integer.parseInt(number));
                    column = 0;
                }
                case 'K' -> lines.get(row).setLength(Math.min(column, lines.get(row).length()));
                default -> throw new IllegalArgumentException("escape " + what);
            }
        }

        private void put(char c) {
            if (column == columns) {
                down();
            }
            StringBuilder line = lines.get(row);
            if (column < line.length()) {
                line.setCharAt(column, c);
            } else {
                line.append(c);
            }
            column++;
        }

        private void down() {
            row++;
            column = 0;
            if (row == lines.size()) {
                lines.add(new StringBuilder());
            }
            scrolledAway = Math.max(scrolledAway, row - rows + 1);
        }

        List<String> seen() {
            return lines.stream().map(StringBuilder::toString).filter(l -> !l.isEmpty()).toList();
        }
    }

    private static void draw(Screen screen, Terminal.Size size, List<List<String>> frames) {
        var text = new StringWriter();
        var lines = new LiveLines(terminal(text), () -> Optional.of(size));
        frames.forEach(lines::show);
        screen.take(text.toString());
    }

    private static PrintWriter terminal(StringWriter text) {
        return TerminalWriter.over(text, TerminalWriter.Form.TEXT);
    }

    private static List<String> frame(int lines, String with) {
        List<String> frame = new ArrayList<>();
        for (int i = 0; i < lines; i++) {
            frame.add("line " + i + " " + with.repeat(10));
        }
        return frame;
    }

    @Test
    void frameReplacesPreviousFrameInAnyWindow() {
        for (int rows = 2; rows < 12; rows++) {
            for (int columns = 1; columns < 25; columns++) {
                var size = new Terminal.Size(rows, columns);
                var screen = new Screen(rows, columns);

                draw(screen, size, List.of(frame(8, "a"), frame(5, "b"), frame(9, "c")));

                assertThat(screen.seen())
                        .as("%s", size)
                        .isEqualTo(frame(9, "c").stream().limit(rows - 1L).map(size::cut).toList());
            }
        }
    }

    @Test
    void clearingRemovesAllLiveLines() {
        var screen = new Screen(24, 80);

        draw(screen, new Terminal.Size(24, 80), List.of(frame(9, "a"), List.of()));

        assertThat(screen.seen()).isEmpty();
    }

    @Test
    void overwritesLinesWrappedByNarrowerWindow() {
        var text = new StringWriter();
        List<Terminal.Size> sizes =
                new ArrayList<>(List.of(new Terminal.Size(24, 80), new Terminal.Size(24, 10)));
        var lines = new LiveLines(terminal(text), () -> Optional.of(sizes.removeFirst()));

        lines.show(List.of("x".repeat(25), "y".repeat(10), ""));
        lines.show(List.of("z"));

        assertThat(text.toString()).contains("\u001b[5Az");
    }

    @Test
    void textOfOtherProcessMovesNoLine() {
        var size = new Terminal.Size(24, 20);
        var screen = new Screen(24, 20);
        var evil = List.of("a\u001b[2A\u001b[Kb", "c\rd", "e\u009b2Af".repeat(5), "end");

        draw(screen, size, List.of(evil, evil));

        assertThat(screen.seen())
                .containsExactly("a\ufffd[2A\ufffd[Kb", "c\ufffdd", "e\ufffd2Af".repeat(4), "end");
    }

    @Test
    void writesWholeLinesWithoutTerminalSize() {
        var text = new StringWriter();
        var lines = new LiveLines(terminal(text), Optional::empty);

        lines.show(List.of("x".repeat(300)));

        assertThat(text.toString()).startsWith("x".repeat(300));
    }
}
