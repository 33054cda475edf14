package dev.jdyno.watch;

import dev.jdyno.capacity.headroom.LoadWindow;
import dev.jdyno.measure.statistics.Throughput;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/// The last windows of natural load, from which the headroom is computed. Sources of the count of
/// requests differ, which would look like another demand, so only windows of one source are used.
final class LoadRing {
    /// Time that the windows cover. The longer it is, the more the traffic varies in it, and the
    /// more the service may have changed.
    static final double MAX_S = 1800;

    private final Deque<Counted> windows = new ArrayDeque<>();
    private double seconds;

    private record Counted(Throughput.Source by, LoadWindow window) {}

    /// @param by source of the count of requests in these windows
    void add(Throughput.Source by, List<LoadWindow> minute) {
        for (LoadWindow window : minute) {
            windows.add(new Counted(by, window));
            seconds += window.seconds();
        }
        while (seconds > MAX_S && windows.size() > 1) {
            seconds -= windows.removeFirst().window().seconds();
        }
    }

    /// The windows of the source that counted the newest one, in the order of time.
    List<LoadWindow> windows() {
        return windows.stream()
                .filter(w -> w.by() == windows.getLast().by())
                .map(Counted::window)
                .toList();
    }

    /// Begins again: another JVM has other limits.
    void clear() {
        windows.clear();
        seconds = 0;
    }
}
