package dev.jdyno.gclog.event;

/// One phase of the collections over the whole log.
///
/// @param maxMs the longest occurrence
public record PhaseTotal(String name, long count, double totalMs, double maxMs) {}
