package dev.jdyno.cli.terminal;

import dev.jdyno.report.terminal.Cursor;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Lines on a terminal that are written over again and again. Each is cut at the window's right
/// edge, and the last ones are left out when the window is too low: what has wrapped or scrolled
/// away could not be written over.
public final class LiveLines {
    private final PrintWriter out;
    private final Supplier<Optional<Terminal.Size>> window;
    private List<String> drawn = List.of();

    /// @param out a {@link dev.jdyno.report.terminal.TerminalWriter}
    /// @param window its size, asked before each drawing: it changes
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
        // line by line, each with its rest erased: erasing all of it first would flicker, and tmux
        // keeps a screen that is erased as a whole in its history
        up(rows);
        fitting.forEach(this::line);
        for (int row = fitting.size(); row < rows; row++) {
            line("");
        }
        up(rows - fitting.size());
        out.flush();
        drawn = fitting;
    }

    /// Takes the lines away.
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

    /// Rows that what is drawn takes: more than lines when the window has become narrower since.
    private int rows(Optional<Terminal.Size> size) {
        return size.map(s -> drawn.stream().mapToInt(s::rowsOf).sum()).orElse(drawn.size());
    }
}
