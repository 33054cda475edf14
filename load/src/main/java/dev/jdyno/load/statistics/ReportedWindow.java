package dev.jdyno.load.statistics;

import dev.jdyno.measure.statistics.Latency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/// Windows of load that a program of the user sent.
public final class ReportedWindow {
    private ReportedWindow() {}

    /// The program's report about one window.
    ///
    /// @param requests number of good requests
    /// @param errorKinds number of all other requests, by kind
    /// @param bytesRead bytes of the heads and bodies of replies; 0 if the program does not count
    ///   them
    /// @param latencyNanos latency of each good request; empty if the program reports a summary
    ///   only
    /// @param latency the summary in ms; empty if the program reports each request
    public record Counts(
            long requests,
            Map<String, Long> errorKinds,
            long bytesRead,
            Optional<Histogram> latencyNanos,
            Optional<Latency> latency) {
        public Counts {
            errorKinds = Map.copyOf(errorKinds);
        }

        static final Counts NONE = new Counts(0, Map.of(), 0, Optional.empty(), Optional.empty());
    }

    /// A window in which the program sent load but reported no requests.
    public static LoadWindow uncounted(long startNanos, long endNanos, ClientUse use) {
        return of(startNanos, endNanos, Counts.NONE, use, new Reported(false, 0, Optional.empty()));
    }

    public static LoadWindow of(long startNanos, long endNanos, Counts seen, ClientUse use) {
        return of(
                startNanos,
                endNanos,
                seen,
                use,
                new Reported(true, endNanos - startNanos, seen.latency()));
    }

    private static LoadWindow of(
            long startNanos, long endNanos, Counts seen, ClientUse use, Reported reported) {
        Histogram latency = seen.latencyNanos().orElseGet(LoopStats::histogram);
        return new LoadWindow(
                startNanos,
                endNanos,
                endNanos,
                latency,
                latency,
                LoopStats.histogram(),
                LoopStats.histogram(),
                LoopStats.histogram(),
                seen.requests(),
                seen.errorKinds(),
                List.of(),
                Map.of(),
                seen.bytesRead(),
                0,
                0,
                0,
                0,
                Map.of(),
                0,
                Detours.NONE,
                new LoadWindow.Connections(0, 0, 0),
                use,
                Optional.of(reported),
                ReplyWindow.NONE);
    }
}
