package dev.jdyno.serve.mcp;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// The client of a call.
///
/// @param progress gets each line of progress as it comes
/// @param cancelled becomes true when the client no longer wants the answer
public record Caller(Consumer<String> progress, BooleanSupplier cancelled) {}
