package dev.jdyno.gclog.event;

/// A problem inside a collection, named as in the log.
public enum Trouble {
    /// G1 found no free space to copy objects to. JDK 7–17 write `to-space exhausted`, later JDKs
    /// `Evacuation Failure`.
    EVACUATION_FAILURE("evacuationFailure"),
    /// G1 could not move a region because native code pinned it (JDK 22+). Free space was not
    /// missing.
    PINNED_REGION("pinnedRegion"),
    PROMOTION_FAILED("promotionFailed"),
    CONCURRENT_MODE_FAILURE("concurrentModeFailure"),
    CONCURRENT_MODE_INTERRUPTED("concurrentModeInterrupted"),
    /// A full collection ended G1's marking cycle before it was complete.
    MARKING_ABORTED("markingAborted"),
    /// System.gc() or a tool started a cycle of ZGC.
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
