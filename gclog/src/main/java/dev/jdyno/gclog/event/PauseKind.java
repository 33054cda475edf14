package dev.jdyno.gclog.event;

/// The purpose of a stop of the application by the collector, for all collectors.
public enum PauseKind {
    YOUNG("young"),
    /// A young collection that also starts G1's concurrent marking.
    CONCURRENT_START("concurrentStart"),
    /// G1's last young collection before the mixed collections.
    PREPARE_MIXED("prepareMixed"),
    MIXED("mixed"),
    FULL("full"),
    /// The first stop of a CMS cycle.
    INITIAL_MARK("initialMark"),
    REMARK("remark"),
    CLEANUP("cleanup"),
    /// Shenandoah gave up concurrent work and finished the cycle while the application was stopped.
    DEGENERATED("degenerated"),
    /// One of the short stops in a cycle of ZGC or Shenandoah.
    STEP("step");

    private final String key;

    PauseKind(String key) {
        this.key = key;
    }

    /// The key in JSON.
    public String key() {
        return key;
    }

    /// True if only the young generation was collected.
    public boolean isYoung() {
        return this == YOUNG || this == CONCURRENT_START || this == PREPARE_MIXED;
    }

    /// True if the pause evacuates or compacts, so that garbage is the difference between its heap
    /// before and after.
    public boolean collects() {
        return isYoung() || this == MIXED || this == FULL || this == DEGENERATED;
    }
}
