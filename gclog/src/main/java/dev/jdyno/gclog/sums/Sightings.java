package dev.jdyno.gclog.sums;

import java.util.List;

/// The number of occurrences of a problem, and the lines of the first ones.
///
/// @param totalMs total time of the pauses in which it occurred
/// @param lines numbers of the first lines, at most {@link #LINES}
public record Sightings(long count, double totalMs, List<Long> lines) {
    /// Maximum number of lines in evidence: enough to check, few enough to read.
    static final int LINES = 3;

    public static final Sightings NONE = new Sightings(0, 0, List.of());

    public Sightings {
        lines = List.copyOf(lines);
    }

    public boolean any() {
        return count > 0;
    }

    Sightings plus(long line, double ms) {
        if (lines.size() >= LINES) {
            return new Sightings(count + 1, totalMs + ms, lines);
        }
        var more = new java.util.ArrayList<>(lines);
        more.add(line);
        return new Sightings(count + 1, totalMs + ms, more);
    }
}
