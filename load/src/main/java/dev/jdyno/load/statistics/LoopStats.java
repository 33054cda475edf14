package dev.jdyno.load.statistics;

import dev.jdyno.measure.load.ErrorKind;
import java.util.EnumMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/// The counts of one event loop since they were last taken. Only the loop writes them, and they are
/// handed over as a whole, so the hot path needs neither locks nor atomics.
public final class LoopStats {
    /// Maximum recorded time in nanoseconds; longer times count as this value. Timeouts keep real
    /// times far below it.
    private static final long LONGEST_NANOS = 3_600_000_000_000L;

    private static final int STATUSES = 1000;

    /// Latencies of requests that were sent exactly at their intended time. Corrected and
    /// uncorrected latency are the same, so they are recorded once.
    final Histogram onTime = histogram();

    /// Corrected latencies, from the intended start, of requests that were sent later than
    /// intended.
    final Histogram lateCorrected = histogram();

    /// Uncorrected latencies of the same requests, from their actual send.
    final Histogram lateService = histogram();

    /// Open model: actual send − intended start of arrivals that found a free connection.
    final Histogram sendError = histogram();

    /// Times from the start of a connect to its acceptance.
    final Histogram connect = histogram();

    /// Times of TLS handshakes, from the acceptance.
    final Histogram handshake = histogram();

    /// Times of replies whose redirect was followed, each from the send of its hop.
    public final Histogram redirect = histogram();

    final Map<ErrorKind, Long> errors = new EnumMap<>(ErrorKind.class);

    /// Errors that have a reason, by kind and reason.
    public final FailureTally failures = new FailureTally();

    /// Times of the parts of replies.
    public final ReplyStats replies = new ReplyStats();

    final long[] statuses = new long[STATUSES];
    long good;

    /// Number of requests that only checked for an effect.
    public long polls;

    public long bytesRead;
    public long bytesWritten;
    public long backlogged;

    /// Number of requests sent again because the server certainly had not processed them.
    public long retried;

    /// Number of requests that waited because the server allows no more streams on their
    /// connection.
    private long streamWaits;

    /// Smallest limit of streams for which a request waited; 0 if no request waited.
    private int streamLimit;

    /// Counts a request that waits because of the server's limit of streams.
    public void waitsForStream(int max) {
        streamWaits++;
        streamLimit = streamLimit == 0 ? max : Math.min(streamLimit, max);
    }

    /// Number of gRPC messages in complete replies.
    public long messages;

    public int backlogMost;
    long startNanos;
    public long endNanos;
    public long lastReplyNanos;
    public long waitedNanos;

    /// CPU time of the loop's thread, and its time in the run queue, since the thread started.
    public long cpuNanos;

    public long coreWaitNanos;

    /// For all replies together: time in which a reply was certainly ready while the loop handled
    /// others.
    public long lagNanos;

    /// Total time of the stalls: work was due, but the loop did not run.
    public long stallNanos;

    /// Number of stalls.
    public long stalls;

    public long inFlight;

    /// Number of connections open at the end of the window.
    public long open;

    /// Number of connections that the server closed without a request in flight.
    public long lost;

    /// The fastest good reply since the loop started, from its send: the time that the server needs
    /// without queueing. {@link Long#MAX_VALUE} before the first.
    public long leastReplyNanos = Long.MAX_VALUE;

    /// @param steps number of named requests with separate statistics; 0 if there is only one kind
    public LoopStats(long startNanos, int steps) {
        this.steps = new Step[steps];
        for (int i = 0; i < steps; i++) {
            this.steps[i] = new Step();
        }
        this.startNanos = startNanos;
        this.lastReplyNanos = startNanos;
    }

    /// A histogram with three significant digits from 1 ns. It grows with the longest value, so
    /// that one with sub-second latencies takes some 150 KiB instead of 270.
    static Histogram histogram() {
        return new Histogram(3);
    }

    public void reply(int status) {
        statuses[status]++;
    }

    /// Statistics of one named request. Used only if the load has several kinds of request.
    static final class Step {
        final Histogram latency = histogram();

        /// Asynchronous operations: times from the intended start to the reply that accepted them.
        final Histogram accepted = histogram();

        long good;
        long errors;
    }

    /// Number of replies whose status made them errors, by status.
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

    /// Records the acceptance of an asynchronous operation whose effect is not visible yet.
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
