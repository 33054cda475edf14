package dev.jdyno.measure.gc;

import java.util.OptionalDouble;

/// Bytes found and copied by one young collection.
///
/// @param edenBytes allocated since the collection before
/// @param survivorsBeforeBytes in survivor spaces before it
/// @param copiedBytes copied into survivor spaces and into old
/// @param stayedBytes part of `survivorsBeforeBytes` that is still in survivor spaces; empty if
///   some went into old or there is no age table
public record YoungCopy(
        double edenBytes,
        double survivorsBeforeBytes,
        double copiedBytes,
        OptionalDouble stayedBytes) {}
