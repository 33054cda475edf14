package dev.jdyno.gclog.sums;

import java.util.List;

/// How often something was seen and where first.
///
/// @param totalMs time of the pauses it was seen in
/// @param lines numbers of the first lines, at most {@link #LINES}
public record Sightings(long count, double totalMs, List<Long> lines) {
    /// Lines named in evidence: enough to look at, few enough to read.
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
