package dev.jdyno.load;

import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.RequestError;
import java.time.Duration;

/// Notices that a server is gone for good, in a run of a given number of requests as in a search
/// for a rate. Its users try again once a second each, so that the requests that are left could
/// take for ever.
public final class ServerGone {
    /// No server restarts for longer than this under load and is still worth waiting for.
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    private long lastSignNanos;

    /// @param now when the run begins
    public ServerGone(long now) {
        this.lastSignNanos = now;
    }

    /// Takes the next window in.
    ///
    /// @return whether every connection has been refused for longer than patience lasts
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
