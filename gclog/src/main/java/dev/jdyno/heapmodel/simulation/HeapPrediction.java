package dev.jdyno.heapmodel.simulation;

import java.util.OptionalDouble;

/// What a simulated run did.
///
/// @param requests completed
/// @param elapsedSeconds from the first request's start to the last one's end
/// @param youngGcs minor collections as the JVM counts them
/// @param promotedBytes copied from young to old
/// @param directBytes allocated in the old generation at once, being too large for Eden
/// @param copiedBytes copied within the young generation
/// @param fullGcIntervalSeconds time from one full collection to the next if the run went on as in
///   its second half; empty when nothing flows into old
/// @param steadyInflow share of the allocated bytes that went on to fill old in the run's second
///   half; 0 is a heap where requests die young
/// @param outOfMemory the program would end with an `OutOfMemoryError`
public record HeapPrediction(
        HeapLayout layout,
        int requests,
        double elapsedSeconds,
        int youngGcs,
        int fullGcs,
        long promotedBytes,
        long directBytes,
        long copiedBytes,
        double youngGcSeconds,
        double fullGcSeconds,
        OptionalDouble fullGcIntervalSeconds,
        double steadyInflow,
        boolean outOfMemory) {
    /// Full collections more often than this are frequent: Jifa's limit, and the side on which the
    /// published bad cases lie (E6 32 s, E21 7 s and 50 s, against 3600 s in E6's good case).
    public static final double FREQUENT_FULL_GC_SECONDS = 60;

    public double gcSeconds() {
        return youngGcSeconds + fullGcSeconds;
    }

    public double requestsPerSecond() {
        return elapsedSeconds > 0 ? requests / elapsedSeconds : 0;
    }

    /// Mean time between two minor collections; empty when there was none.
    public OptionalDouble youngIntervalSeconds() {
        return youngGcs == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(elapsedSeconds / youngGcs);
    }

    public double gcShare() {
        return elapsedSeconds > 0 ? gcSeconds() / elapsedSeconds : 0;
    }

    public boolean fullGcsFrequent() {
        return outOfMemory
                || (fullGcIntervalSeconds.isPresent()
                        && fullGcIntervalSeconds.getAsDouble() < FREQUENT_FULL_GC_SECONDS);
    }
}
