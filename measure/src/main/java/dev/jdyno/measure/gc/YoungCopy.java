package dev.jdyno.measure.gc;

import java.util.OptionalDouble;

/// Bytes found and copied by one young collection.
///
/// @param edenBytes bytes allocated in Eden since the previous collection
/// @param survivorsBeforeBytes bytes in survivor spaces before the collection
/// @param copiedBytes bytes copied into survivor spaces and into the old generation
/// @param stayedBytes part of `survivorsBeforeBytes` that is still in survivor spaces; empty if
///   some of them moved into the old generation, or the log has no age table
public record YoungCopy(
        double edenBytes,
        double survivorsBeforeBytes,
        double copiedBytes,
        OptionalDouble stayedBytes) {}
