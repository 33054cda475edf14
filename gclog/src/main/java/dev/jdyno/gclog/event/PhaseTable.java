package dev.jdyno.gclog.event;

import java.util.LinkedHashMap;
import java.util.Map;

/// Sum, count and maximum of every phase by name, at any level of nesting.
public final class PhaseTable {
    /// Maximum number of names; a log has some dozens. Further phases are counted as `other
    /// phases`.
    private static final int MAX = 512;

    private static final class Cell {
        long count;
        double totalMs;
        double maxMs;
    }

    private final Map<String, Cell> cells = new LinkedHashMap<>();

    public void add(String name, double ms) {
        Cell cell = cells.get(name);
        if (cell == null) {
            cell =
                    cells.computeIfAbsent(
                            cells.size() < MAX ? name : "other phases", _ -> new Cell());
        }
        cell.count++;
        cell.totalMs += ms;
        cell.maxMs = Math.max(cell.maxMs, ms);
    }

    /// The totals, the largest first.
    public java.util.List<PhaseTotal> totals() {
        return cells.entrySet().stream()
                .map(e ->
                        new PhaseTotal(
                                e.getKey(),
                                e.getValue().count,
                                e.getValue().totalMs,
                                e.getValue().maxMs))
                .sorted((a, b) -> Double.compare(b.totalMs(), a.totalMs()))
                .toList();
    }
}
