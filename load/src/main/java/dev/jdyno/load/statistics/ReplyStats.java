package dev.jdyno.load.statistics;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/// Times of the parts of replies, counted by one event loop. Only a reply that arrives in several
/// reads is recorded here, with the times of its first and last byte. The two bytes of any other
/// reply arrived together, and its latency is recorded elsewhere.
public final class ReplyStats {
    /// Latencies of good replies that arrived in several reads.
    private final Histogram whole = LoopStats.histogram();

    /// Times to the first byte of the head of the same replies.
    private final Histogram head = LoopStats.histogram();

    /// Times to the first byte of the head, for those replies whose body began in a later read.
    private final Histogram headAlone = LoopStats.histogram();

    /// Times to the first byte of the body of these replies.
    private final Histogram body = LoopStats.histogram();

    private final Histogram firstEvent = LoopStats.histogram();
    private final Histogram betweenEvents = LoopStats.histogram();

    private final long[] slowestHigh = new long[Traced.MAX];
    private final long[] slowestLow = new long[Traced.MAX];
    private final long[] slowestNanos = new long[Traced.MAX];
    private final long[] slowestFirst = new long[Traced.MAX];
    private int traced;

    /// Records a good reply that arrived in several reads. All times count from its intended start.
    ///
    /// @param toBody time to the first byte of the body, at least `toHead`
    public void parts(long toEnd, long toHead, long toBody) {
        whole.recordValue(LoopStats.bounded(toEnd));
        head.recordValue(LoopStats.bounded(toHead));
        if (toBody > toHead) {
            headAlone.recordValue(LoopStats.bounded(toHead));
            body.recordValue(LoopStats.bounded(toBody));
        }
    }

    /// Records the first event of a stream, from the intended start of its request.
    public void firstEvent(long nanos) {
        firstEvent.recordValue(LoopStats.bounded(nanos));
    }

    /// Records further events of a stream that arrived in one read.
    ///
    /// @param gap time from the event before to the first of them; the others arrived with it
    public void events(long gap, int number) {
        betweenEvents.recordValue(LoopStats.bounded(gap));
        together(number - 1);
    }

    /// Records events that arrived in the same read as another event.
    public void together(int number) {
        if (number > 0) {
            betweenEvents.recordValueWithCount(0, number);
        }
    }

    /// Keeps a good request with a trace id if it is one of the slowest.
    public void traced(long high, long low, long nanos, long toFirstByte) {
        int at = traced;
        if (traced == Traced.MAX) {
            at = 0;
            for (int i = 1; i < Traced.MAX; i++) {
                if (slowestNanos[i] < slowestNanos[at]) {
                    at = i;
                }
            }
            if (slowestNanos[at] >= nanos) {
                return;
            }
        } else {
            traced++;
        }
        slowestHigh[at] = high;
        slowestLow[at] = low;
        slowestNanos[at] = nanos;
        slowestFirst[at] = toFirstByte;
    }

    /// @param latency latencies of all good replies of the same window
    ReplyWindow window(Histogram latency) {
        Histogram firstByte = latency.copy();
        firstByte.subtract(whole);
        firstByte.add(head);
        Histogram firstBody = firstByte.copy();
        firstBody.subtract(headAlone);
        firstBody.add(body);
        List<Traced> slowest = new ArrayList<>();
        for (int i = 0; i < traced; i++) {
            slowest.add(
                    new Traced(slowestHigh[i], slowestLow[i], slowestNanos[i], slowestFirst[i]));
        }
        return new ReplyWindow(
                firstByte,
                firstBody,
                firstEvent,
                betweenEvents,
                Traced.slowest(slowest, List.of()));
    }
}
