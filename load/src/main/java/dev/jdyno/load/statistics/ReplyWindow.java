package dev.jdyno.load.statistics;

import dev.jdyno.measure.load.EventTimes;
import dev.jdyno.measure.load.ReplyTimes;
import dev.jdyno.measure.statistics.Latency;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/// Times of the parts of the replies of one window. The histograms belong to this window: do not
/// change them.
///
/// @param firstByteNanos good requests: from the intended start to the first byte of the head
/// @param firstBodyNanos the same requests: from the intended start to the first byte of the body
/// @param firstEventNanos event streams: from the intended start to the first event
/// @param betweenEventsNanos times from one event to the next of the same stream
/// @param slowest requests with a trace id, the slowest first
public record ReplyWindow(
        Histogram firstByteNanos,
        Histogram firstBodyNanos,
        Histogram firstEventNanos,
        Histogram betweenEventsNanos,
        List<Traced> slowest) {
    static final ReplyWindow NONE =
            new ReplyWindow(
                    LoopStats.histogram(),
                    LoopStats.histogram(),
                    LoopStats.histogram(),
                    LoopStats.histogram(),
                    List.of());

    public ReplyWindow {
        slowest = List.copyOf(slowest);
    }

    ReplyWindow plus(ReplyWindow next) {
        return new ReplyWindow(
                sum(firstByteNanos, next.firstByteNanos),
                sum(firstBodyNanos, next.firstBodyNanos),
                sum(firstEventNanos, next.firstEventNanos),
                sum(betweenEventsNanos, next.betweenEventsNanos),
                Traced.slowest(slowest, next.slowest));
    }

    private static Histogram sum(Histogram a, Histogram b) {
        Histogram s = a.copy();
        s.add(b);
        return s;
    }

    /// Returns the times in ms; empty if the parts of no reply are known.
    ///
    /// @param seconds length of the window
    public Optional<ReplyTimes> times(double seconds) {
        long events = firstEventNanos.getTotalCount() + betweenEventsNanos.getTotalCount();
        if (firstByteNanos.getTotalCount() == 0 && events == 0) {
            return Optional.empty();
        }
        return Optional.of(
                new ReplyTimes(
                        Latency.of(firstByteNanos),
                        Latency.of(firstBodyNanos),
                        events == 0
                                ? Optional.empty()
                                : Optional.of(
                                        new EventTimes(
                                                events,
                                                seconds <= 0 ? 0 : events / seconds,
                                                Latency.of(firstEventNanos),
                                                Latency.of(betweenEventsNanos))),
                        slowest.stream().map(Traced::request).toList()));
    }
}
