package dev.jdyno.measure.gc;

/// One collection of the young generation by generational ZGC, alone or as the first part of a
/// major collection: what the tables of `-Xlog:gc*` say of it. Bytes are those in the whole heap
/// unless they are said to be young.
///
/// @param cause as the log words it: `Allocation Rate`, `Allocation Stall`, `Warmup`, `Proactive`,
///   …
/// @param major whether the old generation was collected along with it
/// @param startS uptime in seconds
/// @param seconds from its begin to its end
/// @param markS of `seconds`: marking beside the application
/// @param relocateS of `seconds`: relocation beside the application
/// @param oldS how long collecting the old generation took; 0 in a minor collection
/// @param usedBytes when marking began
/// @param usedAfterBytes when relocation had ended
/// @param youngBytes used by the young generation when marking began
/// @param youngAfterBytes the same when relocation had ended
/// @param freeBytes when marking began
/// @param freeMarkedBytes when marking had ended
/// @param freeAfterBytes when relocation had ended
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

    /// By the application while it ran.
    public double allocated() {
        return allocatedMarking + allocatedSelecting + allocatedRelocating;
    }

    /// What was left in the young generation of what was in it when marking began.
    public double survivedBytes() {
        return Math.max(0, youngAfterBytes - allocated());
    }

    /// Used by the old generation when marking began.
    public double oldBytes() {
        return Math.max(0, usedBytes - youngBytes);
    }
}
