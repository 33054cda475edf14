package dev.jdyno.measure;

import java.util.Optional;

/// Threads of the target in one round.
///
/// @param live Java or native threads at its end
/// @param startedPerS started threads per second; empty where the JVM does not count them
/// @param runQueueThreads mean number of threads that waited for a core
public record ThreadCounts(int live, Optional<Double> startedPerS, double runQueueThreads) {}
