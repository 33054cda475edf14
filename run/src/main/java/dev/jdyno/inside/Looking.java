package dev.jdyno.inside;

import java.net.URI;
import java.util.function.BooleanSupplier;

/// What diagnostic windows need to know.
///
/// @param asked where the load goes, which something in front of the target may listen on
/// @param profile whether the profiler is wanted
/// @param stop ends a window early, with what it has
public record Looking(URI asked, boolean profile, BooleanSupplier stop) {}
