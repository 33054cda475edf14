package dev.jdyno.load;

import dev.jdyno.load.statistics.LoadWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// In which seconds of a run errors of which kind ended: when a server died, and when it came back.
public final class ErrorSeconds implements LoadRun.Listener {
    /// Seconds with errors that are kept; the rest is counted. The CSV has them all.
    private static final int MOST_SECONDS = 600;

    /// Errors from here on, until here before the end, came all the time, in seconds.
    private static final double EDGE_S = 0.5;

    private static final double END_EDGE_S = 1.5;

    /// @param from start of the second, in seconds since the measurement began
    public record Second(double from, double to, Map<String, Long> kinds) {}

    private final List<Second> seconds = new ArrayList<>();
    private long leftOut;

    @Override
    public void window(LoadWindow window, LoadWindow sum) {
        if (window.errors() == 0) {
            return;
        }
        if (seconds.size() == MOST_SECONDS) {
            leftOut++;
            return;
        }
        double from = (window.startNanos() - sum.startNanos()) / 1e9;
        seconds.add(new Second(from, from + window.seconds(), new TreeMap<>(window.errorKinds())));
    }

    /// The seconds with errors, in the order of time: the first {@link #MOST_SECONDS} of them.
    public List<Second> seconds() {
        return List.copyOf(seconds);
    }

    /// True if more seconds had errors than are kept.
    public boolean isCut() {
        return leftOut > 0;
    }

    /// From when to when errors of one kind ended, in seconds since the measurement began.
    public record Span(double from, double to) {}

    /// By kind, in the order of their names, those that did not come all the time.
    ///
    /// @param length of the run in seconds
    public Map<String, Span> spans(double length) {
        Map<String, Span> spans = new TreeMap<>();
        for (Second second : seconds) {
            for (String kind : second.kinds.keySet()) {
                spans.merge(
                        kind,
                        new Span(second.from, second.to),
                        (known, last) -> new Span(known.from, last.to));
            }
        }
        spans.values().removeIf(s -> s.from <= EDGE_S && s.to >= length - END_EDGE_S && !isCut());
        return spans;
    }
}
