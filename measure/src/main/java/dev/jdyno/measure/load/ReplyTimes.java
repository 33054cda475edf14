package dev.jdyno.measure.load;

import dev.jdyno.measure.statistics.Latency;
import java.util.List;
import java.util.Optional;

/// When the parts of the replies of one window came, each in ms from the intended start of its
/// request. Those of good replies; of a reply that was followed elsewhere, or of polls for an
/// effect, the last one counts.
///
/// @param ttfbMs to the first byte of the head of the reply; interim replies (1xx) do not count
/// @param firstBodyMs to the first byte of its body; of a reply without a body, to its last byte
/// @param events of replies that are streams of events; empty where none was
/// @param slowest good requests that took longest, the slowest first; empty without `--trace`
public record ReplyTimes(
        Latency ttfbMs,
        Latency firstBodyMs,
        Optional<EventTimes> events,
        List<SlowRequest> slowest) {
    /// The first byte is worth a line of its own if it comes in less than this share of the time of
    /// the whole reply.
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
