package dev.jdyno.load;

import dev.jdyno.load.statistics.Detours;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.verdict.Validity.Warning;
import java.util.Locale;
import java.util.Optional;

/// Detects that the server's limit of concurrent streams made requests wait in the client. Such
/// waits look like a slow server.
public final class StreamLimit {
    /// Name of the warning in results.
    public static final String WARNING = "stream-limit";

    /// Share of requests that wait for a stream above which a warning is given.
    private static final double WAITS_LIMIT = 0.01;

    private StreamLimit() {}

    /// Returns a warning if more than 1 % of the requests waited for a stream; otherwise empty.
    public static Optional<Warning> of(LoadWindow seen) {
        Detours detours = seen.detours();
        long ended = Math.max(1, seen.requests() + seen.errors());
        if (detours.streamWaits() <= WAITS_LIMIT * ended) {
            return Optional.empty();
        }
        String says =
                String.format(
                        Locale.ROOT,
                        "the server allows %d concurrent streams on a connection"
                                + " (SETTINGS_MAX_CONCURRENT_STREAMS): %d of %d requests waited for one;"
                                + " use more connections, or raise the server's limit",
                        detours.streamLimit(),
                        detours.streamWaits(),
                        ended);
        return Optional.of(new Warning(WARNING, says, false));
    }
}
