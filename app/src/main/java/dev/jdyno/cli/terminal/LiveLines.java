package dev.jdyno.cli.terminal;

import dev.jdyno.report.terminal.Cursor;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Lines on a terminal that are overwritten repeatedly. Each line ends at the window's right edge;
/// the rest of it is not shown. If the window has too few rows, the last lines are left out.
/// Otherwise lines would scroll away and could not be overwritten.
public final class LiveLines {
    private final PrintWriter out;
    private final Supplier<Optional<Terminal.Size>> window;
    private List<String> drawn = List.of();

    /// @param out a {@link dev.jdyno.report.terminal.TerminalWriter}
    /// @param window gives the size of the terminal window before each drawing, because it changes
    public LiveLines(PrintWriter out, Supplier<Optional<Terminal.Size>> window) {
        this.out = out;
        this.window = window;
    }

    public void show(List<String> lines) {
        Optional<Terminal.Size> size = window.get();
        int rows = rows(size);
        List<String> fitting =
                size.map(s -> lines.stream().limit(s.rows() - 1L).map(s::cut).toList())
                        .orElse(lines);
        // Erases the rest of each line separately. Erasing all lines first would flicker, and tmux
        // would keep the erased screen in its history.
        up(rows);
        fitting.forEach(this::line);
        for (int row = fitting.size(); row < rows; row++) {
            line("");
        }
        up(rows - fitting.size());
        out.flush();
        drawn = fitting;
    }

    /// Removes the lines.
    public void clear() {
        show(List.of());
    }

    private void line(String text) {
        out.print(text + Cursor.eraseRest() + System.lineSeparator());
    }

    private void up(int rows) {
        if (rows > 0) {
            out.print(Cursor.up(rows));
        }
    }

    /// Number of rows that the drawn lines occupy. It is more than the number of lines if the
    /// window has become narrower.
    private int rows(Optional<Terminal.Size> size) {
        return size.map(s -> drawn.stream().mapToInt(s::rowsOf).sum()).orElse(drawn.size());
    }
}
