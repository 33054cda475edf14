package dev.jdyno.gclog.sums;

import dev.jdyno.gclog.event.GcEvent;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Safepoints besides GC pauses. The line of a safepoint follows the pauses that ran inside it. The
/// remaining time was needed to stop the threads, to wake them, or for another operation.
final class SafepointMeter {
    private static final int MAX_OPERATIONS = 256;

    private static final class Cell {
        boolean ofGc;
        long count;
        double totalMs;
        double maxMs;
        double maxReachingMs;
        long maxLine;
    }

    private final Map<String, Cell> cells = new LinkedHashMap<>();
    private double pausesSince;
    private double otherMs;
    private double reachingMs;
    private double leavingMs;
    private long safepoints;

    void pause(double ms) {
        pausesSince += ms;
    }

    /// @return time of the stop outside GC pauses, in ms
    double take(GcEvent.SafepointStop s, StopBudget budget) {
        safepoints++;
        double collecting = s.collectingMs().orElse(pausesSince);
        double beyond = Math.max(0, s.totalMs() - collecting);
        otherMs += beyond;
        reachingMs += s.reachingMs();
        leavingMs += s.leavingMs();
        if (s.collectingMs().isPresent()) {
            budget.stop(s.when().uptimeS(), beyond, s.line());
        } else {
            budget.around(s.when().uptimeS(), s.totalMs(), s.line());
        }
        String name = s.operation().isEmpty() ? "an operation that is not named" : s.operation();
        Cell cell = cells.get(name);
        if (cell == null) {
            cell =
                    cells.computeIfAbsent(
                            cells.size() < MAX_OPERATIONS ? name : "(others)", _ -> new Cell());
        }
        cell.ofGc |= collecting > 0;
        cell.count++;
        cell.totalMs += s.totalMs();
        cell.maxReachingMs = Math.max(cell.maxReachingMs, s.reachingMs());
        if (cell.maxLine == 0 || s.totalMs() > cell.maxMs) {
            cell.maxMs = s.totalMs();
            cell.maxLine = s.line();
        }
        if (s.collectingMs().isEmpty()) {
            pausesSince = 0;
        }
        return beyond;
    }

    Analysis.Stopped stopped(double gcMs, double stallsMs, StopBudget budget) {
        return new Analysis.Stopped(
                gcMs, otherMs, stallsMs, reachingMs, leavingMs, safepoints > 0, budget.worst());
    }

    /// The totals, the largest first.
    List<Analysis.SafepointTotal> totals() {
        return cells.entrySet().stream()
                .map(e ->
                        new Analysis.SafepointTotal(
                                e.getKey(),
                                e.getValue().ofGc,
                                e.getValue().count,
                                e.getValue().totalMs,
                                e.getValue().maxMs,
                                e.getValue().maxReachingMs,
                                e.getValue().maxLine))
                .sorted(Comparator.comparingDouble(Analysis.SafepointTotal::totalMs).reversed())
                .toList();
    }
}
