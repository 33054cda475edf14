package dev.jdyno.inside;

/// A period of time.
///
/// @param fromNanos on the caller's clock; a target on another host has another clock, and the side
///   that knows the offset converts
public record Span(long fromNanos, long toNanos) {
    public Span {
        if (toNanos < fromNanos) {
            throw new IllegalArgumentException("ends before it begins");
        }
    }
}
