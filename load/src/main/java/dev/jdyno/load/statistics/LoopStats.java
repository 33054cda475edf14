package dev.jdyno.load.statistics;

import dev.jdyno.measure.load.ErrorKind;
import java.util.EnumMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/// What one event loop counted since the last take. Written by its loop only and handed over whole,
/// so that the hot path has neither locks nor atomics.
public final class LoopStats {
    /// Longer times are recorded as this; timeouts keep real ones far below.
    private static final long LONGEST_NANOS = 3_600_000_000_000L;

    private static final int STATUSES = 1000;

    /// Latencies of requests that left at the very instant they were intended to: corrected and
    /// uncorrected are the same, so they are recorded once.
    final Histogram onTime = histogram();

    /// Latencies, from the intended start, of requests that left later than intended.
    final Histogram lateCorrected = histogram();

    /// The same requests from their actual send.
    final Histogram lateService = histogram();

    /// Open model: actual send − intended start, of arrivals that found a free connection.
    final Histogram sendError = histogram();

    /// From the start of a connect to its acceptance.
    final Histogram connect = histogram();

    /// TLS handshakes, from the acceptance on.
    final Histogram handshake = histogram();

    /// Replies that sent a request on, each from the send of its hop.
    public final Histogram redirect = histogram();

    final Map<ErrorKind, Long> errors = new EnumMap<>(ErrorKind.class);

    /// The same more exactly, of those that have a reason.
    public final FailureTally failures = new FailureTally();

    /// When the parts of replies came.
    public final ReplyStats replies = new ReplyStats();

    final long[] statuses = new long[STATUSES];
    long good;

    /// Requests that only looked for an effect.
    public long polls;

    public long bytesRead;
    public long bytesWritten;
    public long backlogged;

    /// Requests sent again because the server had certainly not looked at them.
    public long retried;

    /// Requests that had to wait because the server allows no more streams on their connection.
    private long streamWaits;

    /// The smallest number of streams that made one of them wait; 0 when none did.
    private int streamLimit;

    /// A request waits because the server allows so many streams only on its connection.
    public void waitsForStream(int most) {
        streamWaits++;
        streamLimit = streamLimit == 0 ? most : Math.min(streamLimit, most);
    }

    /// Messages of gRPC in whole replies.
    public long messages;

    public int backlogMost;
    long startNanos;
    public long endNanos;
    public long lastReplyNanos;
    public long waitedNanos;

    /// On a core, and ready for one without having it, since the loop's thread started.
    public long cpuNanos;

    public long coreWaitNanos;

    /// Sum over replies of how long, at least, each lay ready while this loop handled others.
    public long lagNanos;

    /// Time it stood still although something was due: each longer than a turn ever takes.
    public long stallNanos;

    /// Number of these stalls.
    public long stalls;

    public long inFlight;

    /// Connections that are open when the stretch ends.
    public long open;

    /// Connections that the server closed while no request was out.
    public long lost;

    /// The fastest good reply since the loop started, from its send: what the server takes when
    /// nothing waits. {@link Long#MAX_VALUE} before the first.
    public long leastReplyNanos = Long.MAX_VALUE;

    /// @param steps named requests to keep apart; 0 when there is one only
    public LoopStats(long startNanos, int steps) {
        this.steps = new Step[steps];
        for (int i = 0; i < steps; i++) {
            this.steps[i] = new Step();
        }
        this.startNanos = startNanos;
        this.lastReplyNanos = startNanos;
    }

    /// Three significant digits from 1 ns on. It grows with the longest value seen, so that one of
    /// sub-second latencies takes some 150 KiB instead of 270.
    static Histogram histogram() {
        return new Histogram(3);
    }

    public void reply(int status) {
        statuses[status]++;
    }

    /// Statistics of one named request; only kept when there are several.
    static final class Step {
        final Histogram latency = histogram();

        /// Asynchronous operations: from the intended start to the reply that accepted them.
        final Histogram accepted = histogram();

        long good;
        long errors;
    }

    /// Replies whose status made them errors.
    final long[] badStatuses = new long[STATUSES];

    final Step[] steps;

    public void badStatus(int step, int status) {
        badStatuses[status]++;
        failedStep(step);
    }

    public void failedCheck(int step) {
        error(ErrorKind.CHECK);
        failedStep(step);
    }

    public void effectTimeout(int step) {
        error(ErrorKind.EFFECT_TIMEOUT);
        failedStep(step);
    }

    /// An asynchronous operation was accepted; its effect is still to be seen.
    public void accepted(int step, long nanos) {
        steps[step].accepted.recordValue(bounded(nanos));
    }

    public void failedStep(int step) {
        if (steps.length > 0) {
            steps[step].errors++;
        }
    }

    public void good(int step, long intended, long sent, long now) {
        if (steps.length > 0) {
            steps[step].good++;
            steps[step].latency.recordValue(bounded(now - intended));
        }
        good++;
        leastReplyNanos = Math.min(leastReplyNanos, now - sent);
        if (intended == sent) {
            onTime.recordValue(bounded(now - sent));
        } else {
            lateCorrected.recordValue(bounded(now - intended));
            lateService.recordValue(bounded(now - sent));
        }
    }

    Detours detours() {
        return new Detours(retried, streamWaits, streamLimit, messages, redirect);
    }

    public void error(ErrorKind kind) {
        errors.merge(kind, 1L, Long::sum);
    }

    public void sendError(long lateNanos) {
        sendError.recordValue(bounded(lateNanos));
    }

    public void connected(long nanos) {
        connect.recordValue(bounded(nanos));
    }

    public void handshaken(long nanos) {
        handshake.recordValue(bounded(nanos));
    }

    static long bounded(long nanos) {
        return Math.clamp(nanos, 0, LONGEST_NANOS);
    }
}
