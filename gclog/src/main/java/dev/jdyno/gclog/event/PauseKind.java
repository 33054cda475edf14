package dev.jdyno.gclog.event;

/// What a stop of the application by the collector was for. A closed set over all collectors.
public enum PauseKind {
    YOUNG("young"),
    /// A young collection that also starts G1's concurrent marking.
    CONCURRENT_START("concurrentStart"),
    /// G1's last young collection before the mixed ones.
    PREPARE_MIXED("prepareMixed"),
    MIXED("mixed"),
    FULL("full"),
    /// The first stop of a CMS cycle.
    INITIAL_MARK("initialMark"),
    REMARK("remark"),
    CLEANUP("cleanup"),
    /// Shenandoah gave up running beside the application and finished the cycle with it stopped.
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

    /// Whether the young generation alone was collected.
    public boolean isYoung() {
        return this == YOUNG || this == CONCURRENT_START || this == PREPARE_MIXED;
    }

    /// Whether the pause evacuates or compacts: it has a heap before and after that differ by
    /// garbage.
    public boolean collects() {
        return isYoung() || this == MIXED || this == FULL || this == DEGENERATED;
    }
}
