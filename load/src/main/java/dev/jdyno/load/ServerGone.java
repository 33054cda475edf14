package dev.jdyno.load;

import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.RequestError;
import java.time.Duration;

/// Detects that a server is gone for good, in a run of a given number of requests or in a search
/// for a rate. Each user tries to connect again once a second, so the remaining requests could take
/// very long.
public final class ServerGone {
    /// Time without any accepted connection after which the server counts as gone. A restart under
    /// load should not take longer.
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    private long lastSignNanos;

    /// @param now time at which the run begins
    public ServerGone(long now) {
        this.lastSignNanos = now;
    }

    /// Evaluates the next window.
    ///
    /// @return true if every connection has been refused for longer than {@link #PATIENCE}
    public boolean isSeen(LoadWindow window) {
        boolean refused =
                window.connections().open() == 0
                        && window.statuses().isEmpty()
                        && !window.errorKinds().isEmpty()
                        && window.errorKinds().keySet().stream().allMatch(ServerGone::isConnect);
        if (!refused) {
            boolean quiet = window.statuses().isEmpty() && window.errorKinds().isEmpty();
            lastSignNanos = quiet ? lastSignNanos : window.endNanos();
            return false;
        }
        return window.endNanos() - lastSignNanos >= PATIENCE.toNanos();
    }

    private static boolean isConnect(String kind) {
        return RequestError.of(kind) instanceof ErrorKind k
                && (k == ErrorKind.TLS || (k.isOfConnecting() && k != ErrorKind.CONNECT_NO_PORT));
    }
}
