package dev.jdyno.measure.load;

/// A request that can be found in a trace viewer.
///
/// @param traceId 32 lower-case hexadecimal digits (W3C Trace Context)
/// @param ms from its intended start to its last byte
/// @param ttfbMs from its intended start to the first byte of the reply
public record SlowRequest(String traceId, double ms, double ttfbMs) {}
