package dev.jdyno.driver;

import java.util.ArrayList;
import java.util.List;

/// The cells of one line of CSV; quotes may enclose commas. A line break within quotes makes two
/// unreadable lines.
final class Cells {
    private Cells() {}

    static List<String> of(String line) {
        List<String> cells = new ArrayList<>();
        var cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        cells.add(cell.toString());
        return cells;
    }
}
