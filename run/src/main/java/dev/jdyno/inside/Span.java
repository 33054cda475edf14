package dev.jdyno.inside;

/// A period of time.
///
/// @param fromNanos beginning, on the clock of the run; for a target on another host, {@link
///   dev.jdyno.inside.remote.RemoteInside} converts it to the agent's clock
public record Span(long fromNanos, long toNanos) {
    public Span {
        if (toNanos < fromNanos) {
            throw new IllegalArgumentException("ends before it begins");
        }
    }
}
