package dev.jdyno.load.statistics;

import dev.jdyno.measure.load.SlowRequest;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/// A good request with a trace id.
///
/// @param high upper half of the trace id
/// @param low lower half of the trace id
/// @param nanos time from the intended start to the last byte
/// @param firstByteNanos time from the intended start to the first byte
public record Traced(long high, long low, long nanos, long firstByteNanos) {
    /// Maximum number of requests kept per window.
    static final int MAX = 10;

    static List<Traced> slowest(List<Traced> a, List<Traced> b) {
        return Stream.concat(a.stream(), b.stream())
                .sorted(Comparator.comparingLong(Traced::nanos).reversed())
                .limit(MAX)
                .toList();
    }

    SlowRequest request() {
        HexFormat hex = HexFormat.of();
        return new SlowRequest(
                hex.toHexDigits(high) + hex.toHexDigits(low), nanos / 1e6, firstByteNanos / 1e6);
    }
}
