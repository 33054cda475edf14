package dev.jdyno.gclog.event;

/// What went wrong inside a collection, by the words of the log.
public enum Trouble {
    /// G1 found no room to copy to. JDK 7–17 write `to-space exhausted`, later ones `Evacuation
    /// Failure`.
    EVACUATION_FAILURE("evacuationFailure"),
    /// G1 could not move a region because native code pinned it (JDK 22+); no lack of room.
    PINNED_REGION("pinnedRegion"),
    PROMOTION_FAILED("promotionFailed"),
    CONCURRENT_MODE_FAILURE("concurrentModeFailure"),
    CONCURRENT_MODE_INTERRUPTED("concurrentModeInterrupted"),
    /// A full collection ended G1's marking cycle before it was through.
    MARKING_ABORTED("markingAborted"),
    /// System.gc() or a tool, not the collector's own need, started a cycle of ZGC.
    ASKED_CYCLE("askedCycle");

    private final String key;

    Trouble(String key) {
        this.key = key;
    }

    /// The key in JSON.
    public String key() {
        return key;
    }
}
