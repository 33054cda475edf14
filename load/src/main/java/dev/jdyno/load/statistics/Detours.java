package dev.jdyno.load.statistics;

import org.HdrHistogram.Histogram;

/// What requests went through beside being sent and answered.
///
/// @param retried sent again because the server had certainly not looked at them (HTTP/2:
///   REFUSED_STREAM, GOAWAY)
/// @param streamWaits waited because the server allows fewer streams on a connection than were
///   asked for; waiting counts in corrected latency only
/// @param streamLimit the smallest number of streams for which a request waited, as the server
///   announces it (SETTINGS_MAX_CONCURRENT_STREAMS); 0 when none waited
/// @param messages of gRPC in whole replies, good or not
/// @param redirectNanos replies that were followed elsewhere, each from the send of its hop to its
///   last byte; do not change it
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

    /// Whether the status asks to go on elsewhere; 300 and 304 do not.
    public static boolean isRedirect(int status) {
        return switch (status) {
            case 301, 302, 303, 307, 308 -> true;
            default -> false;
        };
    }
}
