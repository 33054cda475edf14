package dev.jdyno.measure;

/// What one young collection found and copied.
///
/// @param edenBytes allocated since the collection before
/// @param survivorsBeforeBytes in survivor spaces before it
/// @param copiedBytes into survivor spaces and into old
public record YoungCopy(double edenBytes, double survivorsBeforeBytes, double copiedBytes) {}
