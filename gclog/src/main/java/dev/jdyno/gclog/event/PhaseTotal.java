package dev.jdyno.gclog.event;

/// One phase of the collections, over the whole log.
///
/// @param maxMs the longest single one
public record PhaseTotal(String name, long count, double totalMs, double maxMs) {}
