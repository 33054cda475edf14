package dev.jdyno.measure.load;

/// A request that can be found in a trace viewer.
///
/// @param traceId 32 lower-case hexadecimal digits (W3C Trace Context)
/// @param ms time from the intended start of the request to its last byte
/// @param ttfbMs time from the intended start of the request to the first byte of the reply
public record SlowRequest(String traceId, double ms, double ttfbMs) {}
