package dev.jdyno.load.statistics;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/// When the parts of replies came, as one event loop counts them. A reply that comes whole in one
/// read costs nothing here: its first byte came when its last one did, and its latency is recorded
/// anyway. Only replies that came in several reads are recorded once more, with both times.
public final class ReplyStats {
    /// Latencies of good replies that came in several reads.
    private final Histogram whole = LoopStats.histogram();

    /// The first byte of the heads of the same replies.
    private final Histogram head = LoopStats.histogram();

    /// The first byte of the heads of those whose body began in a later read.
    private final Histogram headAlone = LoopStats.histogram();

    /// The first byte of the bodies of these.
    private final Histogram body = LoopStats.histogram();

    private final Histogram firstEvent = LoopStats.histogram();
    private final Histogram betweenEvents = LoopStats.histogram();

    private final long[] slowestHigh = new long[Traced.MOST];
    private final long[] slowestLow = new long[Traced.MOST];
    private final long[] slowestNanos = new long[Traced.MOST];
    private final long[] slowestFirst = new long[Traced.MOST];
    private int traced;

    /// A good reply came in several reads; all times from its intended start.
    ///
    /// @param toBody to the first byte of the body, at least `toHead`
    public void parts(long toEnd, long toHead, long toBody) {
        whole.recordValue(LoopStats.bounded(toEnd));
        head.recordValue(LoopStats.bounded(toHead));
        if (toBody > toHead) {
            headAlone.recordValue(LoopStats.bounded(toHead));
            body.recordValue(LoopStats.bounded(toBody));
        }
    }

    /// The first event of a stream, from the intended start of its request.
    public void firstEvent(long nanos) {
        firstEvent.recordValue(LoopStats.bounded(nanos));
    }

    /// Further events of a stream that came in one read.
    ///
    /// @param gap from the event before to the first of them; the others came with it
    public void events(long gap, int number) {
        betweenEvents.recordValue(LoopStats.bounded(gap));
        together(number - 1);
    }

    /// Events that came in one read with another.
    public void together(int number) {
        if (number > 0) {
            betweenEvents.recordValueWithCount(0, number);
        }
    }

    /// A good request with a trace id; kept if it is one of the slowest.
    public void traced(long high, long low, long nanos, long toFirstByte) {
        int at = traced;
        if (traced == Traced.MOST) {
            at = 0;
            for (int i = 1; i < Traced.MOST; i++) {
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

    /// @param latency of all good replies of the same stretch
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
