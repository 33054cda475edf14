package dev.jdyno.inside;

/// A stretch of time.
///
/// @param fromNanos on the clock of who asks; a target on another host has another clock, and the
///   side that knows the difference converts
public record Span(long fromNanos, long toNanos) {
    public Span {
        if (toNanos < fromNanos) {
            throw new IllegalArgumentException("ends before it begins");
        }
    }
}
