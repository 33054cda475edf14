package dev.jdyno.watch;

import dev.jdyno.capacity.headroom.LoadWindow;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/// The last windows of natural load, from which the headroom is computed.
final class LoadRing {
    /// Time that the windows cover. The longer it is, the more the traffic varies in it, and the
    /// more the service may have changed.
    static final double MAX_S = 1800;

    private final Deque<LoadWindow> windows = new ArrayDeque<>();
    private double seconds;

    void add(List<LoadWindow> minute) {
        for (LoadWindow window : minute) {
            windows.add(window);
            seconds += window.seconds();
        }
        while (seconds > MAX_S && windows.size() > 1) {
            seconds -= windows.removeFirst().seconds();
        }
    }

    List<LoadWindow> windows() {
        return List.copyOf(windows);
    }

    /// Begins again: another JVM has other limits.
    void clear() {
        windows.clear();
        seconds = 0;
    }
}
