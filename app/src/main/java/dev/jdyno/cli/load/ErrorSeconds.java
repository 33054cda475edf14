package dev.jdyno.cli.load;

import dev.jdyno.load.LoadRun;
import dev.jdyno.load.statistics.LoadWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// In which seconds of a run errors of which kind ended: when a server died, and when it came back.
final class ErrorSeconds implements LoadRun.Listener {
    /// Seconds with errors that are kept; the rest is counted. The CSV has them all.
    private static final int MOST_SECONDS = 600;

    /// @param from start of the second, in seconds since the measurement began
    record Second(double from, double to, Map<String, Long> kinds) {}

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

    List<Second> seconds() {
        return List.copyOf(seconds);
    }

    /// A line per kind: from when to when it was seen. None when errors came all the time.
    ///
    /// @param length of the run in seconds
    List<String> lines(double length) {
        Map<String, double[]> spans = new TreeMap<>();
        for (Second second : seconds) {
            for (String kind : second.kinds.keySet()) {
                double[] span =
                        spans.computeIfAbsent(kind, _ -> new double[] {second.from, second.to});
                span[1] = second.to;
            }
        }
        List<String> lines = new ArrayList<>();
        spans.forEach((kind, span) -> {
            if (span[0] > 0.5 || span[1] < length - 1.5 || leftOut > 0) {
                lines.add(
                        String.format(
                                Locale.ROOT,
                                "            %s: from %.0f s to %.0f s%s",
                                kind,
                                span[0],
                                span[1],
                                leftOut == 0 ? "" : ", and perhaps later"));
            }
        });
        return lines;
    }
}
