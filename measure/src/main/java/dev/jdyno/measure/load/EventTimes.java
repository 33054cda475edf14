package dev.jdyno.measure.load;

import dev.jdyno.measure.statistics.Latency;

/// The events of the streams of one window: those of `text/event-stream`, or chunks where these
/// were asked for. Streams count from their first event on, also those that had not ended.
///
/// @param events in all
/// @param perS events per second, of all streams together
/// @param firstMs from the intended start of a request to its first event
/// @param betweenMs from an event to the next of the same stream; 0 for events of one read
public record EventTimes(long events, double perS, Latency firstMs, Latency betweenMs) {}
