package dev.jdyno.measure.gc;

/// One collection of the young generation by generational ZGC, from the tables of `-Xlog:gc*`. It
/// ran alone or as the first part of a major collection. Bytes are those in the whole heap unless
/// they are called young.
///
/// @param cause as the log words it: `Allocation Rate`, `Allocation Stall`, `Warmup`, `Proactive`,
///   …
/// @param major whether the old generation was collected along with it
/// @param startS uptime in seconds
/// @param seconds from its begin to its end
/// @param markS part of `seconds`: concurrent marking
/// @param relocateS part of `seconds`: concurrent relocation
/// @param oldS duration of the old generation's collection; 0 in a minor collection
/// @param usedBytes used when marking began
/// @param usedAfterBytes used when relocation had ended
/// @param youngBytes used by the young generation when marking began
/// @param youngAfterBytes the same when relocation had ended
/// @param freeBytes free when marking began
/// @param freeMarkedBytes free when marking had ended
/// @param freeAfterBytes free when relocation had ended
/// @param allocatedMarking by the application until marking had ended
/// @param allocatedSelecting by the application from then until relocation began
/// @param allocatedRelocating by the application from then until relocation had ended
public record ZgcYoung(
        String cause,
        boolean major,
        double startS,
        double seconds,
        double markS,
        double relocateS,
        double oldS,
        double usedBytes,
        double usedAfterBytes,
        double youngBytes,
        double youngAfterBytes,
        double freeBytes,
        double freeMarkedBytes,
        double freeAfterBytes,
        double allocatedMarking,
        double allocatedSelecting,
        double allocatedRelocating) {
    public double endS() {
        return startS + seconds;
    }

    /// Bytes that the application allocated during the collection.
    public double allocated() {
        return allocatedMarking + allocatedSelecting + allocatedRelocating;
    }

    /// Part of the young generation's bytes at the begin of marking that remained in it.
    public double survivedBytes() {
        return Math.max(0, youngAfterBytes - allocated());
    }

    /// Bytes used by the old generation when marking began.
    public double oldBytes() {
        return Math.max(0, usedBytes - youngBytes);
    }
}
