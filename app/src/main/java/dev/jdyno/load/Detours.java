package dev.jdyno.load;

/// What requests went through beside being sent and answered.
///
/// @param retried sent again because the server had certainly not looked at them (HTTP/2:
///   REFUSED_STREAM, GOAWAY)
/// @param streamWaits waited because the server allows fewer streams on a connection than were
///   asked for; waiting counts in corrected latency only
public record Detours(long retried, long streamWaits) {
    static final Detours NONE = new Detours(0, 0);

    Detours plus(Detours other) {
        return new Detours(retried + other.retried, streamWaits + other.streamWaits);
    }
}
