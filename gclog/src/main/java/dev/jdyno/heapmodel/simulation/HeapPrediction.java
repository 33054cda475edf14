package dev.jdyno.heapmodel.simulation;

import java.util.OptionalDouble;

/// The result of a simulated run.
///
/// @param requests number of completed requests
/// @param elapsedSeconds time from the first request's start to the last one's end
/// @param youngGcs number of minor collections as the JVM counts them
/// @param promotedBytes bytes copied from young to old
/// @param directBytes bytes allocated in the old generation directly, because they are too large
///   for Eden
/// @param copiedBytes bytes copied within the young generation
/// @param fullGcIntervalSeconds time between full collections if the run continued as in its second
///   half; empty if nothing flows into old
/// @param steadyInflow share of the allocated bytes that filled old in the run's second half; 0 if
///   all objects of requests die young
/// @param outOfMemory true if the program would end with an `OutOfMemoryError`
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
    /// Interval below which full collections are frequent. It is Jifa's limit and separates the
    /// published bad cases (E6 32 s, E21 7 s and 50 s) from the good case (E6 3600 s).
    public static final double FREQUENT_FULL_GC_SECONDS = 60;

    public double gcSeconds() {
        return youngGcSeconds + fullGcSeconds;
    }

    public double requestsPerSecond() {
        return elapsedSeconds > 0 ? requests / elapsedSeconds : 0;
    }

    /// Mean time between two minor collections; empty if there were none.
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
