package dev.jdyno.measure.gc;

import java.util.OptionalDouble;

/// What one young collection found and copied.
///
/// @param edenBytes allocated since the collection before
/// @param survivorsBeforeBytes in survivor spaces before it
/// @param copiedBytes into survivor spaces and into old
/// @param stayedBytes of the survivors before, those that are survivors still; empty where some
///   went into old or no age table tells
public record YoungCopy(
        double edenBytes,
        double survivorsBeforeBytes,
        double copiedBytes,
        OptionalDouble stayedBytes) {}
