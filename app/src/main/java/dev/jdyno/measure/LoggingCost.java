package dev.jdyno.measure;

/// A part of a logging configuration that makes each line dear (E10).
///
/// @param file where it stands: a path, or a jar and its entry
/// @param part `caller-data`, `flush`, `synchronous`, `small-queue`
/// @param says what it costs and why
/// @param change what to write instead
public record LoggingCost(String file, String part, String says, String change) {}
