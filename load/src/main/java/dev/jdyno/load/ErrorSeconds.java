package dev.jdyno.load;

import dev.jdyno.load.statistics.LoadWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The seconds of a run in which requests failed, with the kinds of error. They show when a server
/// died and when it came back.
public final class ErrorSeconds implements LoadRun.Listener {
    /// Maximum number of stored seconds with errors. Further seconds are only counted; the CSV has
    /// all seconds.
    private static final int MAX_SECONDS = 600;

    /// Maximum time in seconds from the start of the run to the first error of a kind that lasts
    /// the whole run. {@link #END_EDGE_S} is the maximum time from its last error to the end.
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
        if (seconds.size() == MAX_SECONDS) {
            leftOut++;
            return;
        }
        double from = (window.startNanos() - sum.startNanos()) / 1e9;
        seconds.add(new Second(from, from + window.seconds(), new TreeMap<>(window.errorKinds())));
    }

    /// The seconds with errors in order of time, at most {@link #MAX_SECONDS}.
    public List<Second> seconds() {
        return List.copyOf(seconds);
    }

    /// True if more seconds had errors than were kept.
    public boolean isCut() {
        return leftOut > 0;
    }

    /// The time between the first and the last error of one kind, in seconds since the measurement
    /// began.
    public record Span(double from, double to) {}

    /// The span of each kind of error, sorted by the name of the kind. Kinds that lasted the whole
    /// run are left out.
    ///
    /// @param length length of the run in seconds
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
