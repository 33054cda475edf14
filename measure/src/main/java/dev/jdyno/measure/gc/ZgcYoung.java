package dev.jdyno.measure.gc;

/// One collection of the young generation by generational ZGC, from the tables of `-Xlog:gc*`. It
/// ran alone or as the first part of a major collection. Bytes are those in the whole heap unless
/// they are called young.
///
/// @param cause cause in the words of the log: `Allocation Rate`, `Allocation Stall`, `Warmup`,
///   `Proactive`, …
/// @param major whether it is part of a major collection, which also collects the old generation
/// @param startS uptime in seconds
/// @param seconds duration of the collection
/// @param markS part of `seconds`: concurrent marking
/// @param relocateS part of `seconds`: concurrent relocation
/// @param oldS duration of the old generation's collection; 0 in a minor collection
/// @param usedBytes used when marking began
/// @param usedAfterBytes used when relocation had ended
/// @param youngBytes used by the young generation when marking began
/// @param youngAfterBytes used by the young generation when relocation had ended
/// @param freeBytes free when marking began
/// @param freeMarkedBytes free when marking had ended
/// @param freeAfterBytes free when relocation had ended
/// @param allocatedMarking allocated by the application until marking had ended
/// @param allocatedSelecting allocated from the end of marking until relocation began
/// @param allocatedRelocating allocated from the begin of relocation until its end
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

    /// Bytes of the young generation at the begin of marking that were still in it at the end.
    public double survivedBytes() {
        return Math.max(0, youngAfterBytes - allocated());
    }

    /// Bytes used by the old generation when marking began.
    public double oldBytes() {
        return Math.max(0, usedBytes - youngBytes);
    }
}
