package dev.jdyno.inside;

import java.net.URI;
import java.util.function.BooleanSupplier;

/// Settings of diagnostic windows.
///
/// @param asked URL to which the load goes; a proxy in front of the target may listen there
/// @param profile whether the profiler is wanted
/// @param stop true ends a window early, with the data so far
public record WindowSettings(URI asked, boolean profile, BooleanSupplier stop) {}
