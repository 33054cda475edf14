package dev.jdyno.load.statistics;

import org.HdrHistogram.Histogram;

/// Additional steps of requests: repeated sends, waits for a stream, gRPC messages and redirects.
///
/// @param retried number of requests sent again because the server certainly had not processed them
///   (HTTP/2: REFUSED_STREAM, GOAWAY)
/// @param streamWaits number of requests that waited because the server allows fewer streams per
///   connection than requested; the wait is part of corrected latency only
/// @param streamLimit the smallest limit of streams for which a request waited, as the server
///   announces it (SETTINGS_MAX_CONCURRENT_STREAMS); 0 if none waited
/// @param messages number of gRPC messages in complete replies, good or not
/// @param redirectNanos times of the replies whose redirect was followed, each from the send of its
///   hop to its last byte; do not change it
public record Detours(
        long retried, long streamWaits, int streamLimit, long messages, Histogram redirectNanos) {
    static final Detours NONE = new Detours(0, 0, 0, 0, LoopStats.histogram());

    Detours plus(Detours other) {
        Histogram sum = redirectNanos.copy();
        sum.add(other.redirectNanos);
        int limit =
                streamLimit == 0 || other.streamLimit == 0
                        ? Math.max(streamLimit, other.streamLimit)
                        : Math.min(streamLimit, other.streamLimit);
        return new Detours(
                retried + other.retried,
                streamWaits + other.streamWaits,
                limit,
                messages + other.messages,
                sum);
    }

    /// True if a status is a redirect that can be followed; 300 and 304 are not.
    public static boolean isRedirect(int status) {
        return switch (status) {
            case 301, 302, 303, 307, 308 -> true;
            default -> false;
        };
    }
}
