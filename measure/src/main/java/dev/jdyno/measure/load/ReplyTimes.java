package dev.jdyno.measure.load;

import dev.jdyno.measure.statistics.Latency;
import java.util.List;
import java.util.Optional;

/// Arrival times of the parts of the replies in one window, each in ms from the intended start of
/// its request. Only good replies count. If a request has several replies (redirects, polls for an
/// effect), the last one counts.
///
/// @param ttfbMs time to the first byte of the head of the reply; interim replies (1xx) do not
///   count
/// @param firstBodyMs time to the first byte of its body; for a reply without a body, to its last
///   byte
/// @param events events of replies that are streams of events; empty if there was none
/// @param slowest good requests with the longest times, the slowest first; empty without `--trace`
public record ReplyTimes(
        Latency ttfbMs,
        Latency firstBodyMs,
        Optional<EventTimes> events,
        List<SlowRequest> slowest) {
    /// Maximum time to the first byte, as a share of the whole response time, at which it is
    /// reported in a separate line.
    private static final double WORTH_SAYING = 0.9;

    public ReplyTimes {
        slowest = List.copyOf(slowest);
    }

    /// True if the first byte came clearly before the last one.
    ///
    /// @param wholeMs the response times of the same requests
    public boolean isEarly(Latency wholeMs) {
        return ttfbMs.p50() < WORTH_SAYING * wholeMs.p50()
                || ttfbMs.p99() < WORTH_SAYING * wholeMs.p99();
    }

    /// True if the body began clearly after the head.
    public boolean isBodyLate() {
        return ttfbMs.p50() < WORTH_SAYING * firstBodyMs.p50()
                || ttfbMs.p99() < WORTH_SAYING * firstBodyMs.p99();
    }
}
