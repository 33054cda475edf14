package dev.jdyno.measure.load;

import dev.jdyno.measure.statistics.Latency;

/// The events of the streams of one window: events of `text/event-stream`, or chunks if the user
/// requested to count them. A stream counts from its first event on, even if it has not ended.
///
/// @param events total number
/// @param perS events per second, of all streams together
/// @param firstMs time from the intended start of a request to its first event
/// @param betweenMs time from an event to the next one of the same stream; 0 between events that
///   arrived in one read
public record EventTimes(long events, double perS, Latency firstMs, Latency betweenMs) {}
