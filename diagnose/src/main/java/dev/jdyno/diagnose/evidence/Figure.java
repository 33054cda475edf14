package dev.jdyno.diagnose.evidence;

import dev.jdyno.measure.verdict.Verdict.EvidenceLine;

/// The figures of evidence, each with its unit. A `share` is a share of the quantity that its line
/// names. `*` in a key stands for a cause, or for the place in a ranked list.
public enum Figure {
    ACCEPT_QUEUE("accept-queue", "sockets"),
    AFTER_FULL("after-full", "share"),
    AFTER_FULL_RISE("after-full-rise", "share"),
    AFTER_FULL_TREND("after-full-trend", "Mann–Kendall z"),
    ALLOCATION("allocation", "bytes/s"),
    AWAITING_ITSELF("awaiting-itself", "threads"),
    BESIDE_THE_POOL("beside-the-pool", "threads"),
    BUSY("busy-*", "threads"),
    BUSY_IN_LOCKS("busy-in-locks", "share"),
    CALL("call-*", "ms"),
    CALLS("calls", "share"),
    CALLS_PER_REQUEST("calls-per-request-*", "calls"),
    CALLS_GROWTH("calls-growth", "ratio"),
    CARRIERS_KEPT("carriers-kept", "share"),
    CHILD_CORES("child-cores", "cores"),
    CLASSES_LOADED("classes-loaded", "1/s"),
    CLASSES_PER_REQUEST("classes-per-request", "classes"),
    CLASS_LOADING_SHARE("class-loading-share", "share"),
    CLIENT_CORES("client-cores", "cores"),
    CLIENT_CORE_WAIT("client-core-wait", "share"),
    CLIENT_LOOP("client-loop", "share"),
    COMPILER_OFF("compiler-off", "flag"),
    COMPILER_WAIT("compiler-wait", "cores"),
    COMPILE_QUEUE("compile-queue", "methods"),
    COMPILING("compiling", "share"),
    CONNECTING("connecting", "share"),
    CONNECTIONS("connections", "share"),
    CONNECTIONS_OPENED("connections-opened", "connections"),
    CORES_WANTED("cores-wanted", "threads/core"),
    CPU_UTILISATION("cpu-utilisation", "share"),
    DEADLOCKED_THREADS("deadlocked-threads", "threads"),
    DELAYED_ACKS("delayed-acks", "share"),
    DISK_FLUSHES("disk-flushes", "1/s"),
    DISK_LIMITS("disk-limits", "limits"),
    DISK_OTHERS("disk-others", "share"),
    DISK_RUN_QUEUE("disk-run-queue", "threads"),
    DISK_UTILISATION("disk-utilisation", "share"),
    DISK_WAIT("disk-wait", "ms"),
    ERRORS("errors", "share"),
    EXCEPTIONS("exceptions-*", "exceptions/request"),
    EXECUTOR_IDLE("executor-idle", "share"),
    FD_SHARE("fd-share", "share"),
    FRONT_CONNECTIONS("front-connections", "share"),
    FRONT_INSIDE("front-inside", "requests"),
    FULL_IN("full-in", "s"),
    FUTURE_SHARE("future-share", "share"),
    GC_ASKED_FOR("gc-asked-for", "share"),
    GC_ASKING("gc-asking", "share"),
    GC_CORES("gc-cores", "cores"),
    GC_COST("gc-cost", "share"),
    GC_CYCLES("gc-cycles", "1/s"),
    GC_FULL("gc-full", "1/s"),
    GC_HUMONGOUS("gc-humongous", "share"),
    GC_INSPECTIONS("gc-inspections", "share"),
    GC_PAUSE_SHARE("gc-pause-share", "share"),
    GREW_WITH_LOAD("grew-with-load", "ratio"),
    GROWTH("*-growth", "ratio"),
    HANDED_IN("handed-in-*", "threads"),
    HELD_TIME("held-time", "ms"),
    HOLDER_STACK("holder-stack", "frames"),
    HOT("hot-*", "share"),
    HOT_PATH("hot-path", "callers"),
    HOT_SAMPLES("hot-samples", "samples"),
    INSIDE("inside", "share"),
    INTERPRETED("interpreted", "share"),
    IN_FLIGHT("in-flight", "requests"),
    IN_FLIGHT_SHARE("in-flight", "share"),
    IN_USE("in-use", "share"),
    KEPT_BEYOND_REQUESTS("kept-beyond-requests", "ratio"),
    LATE_COLLECTIONS("late-collections", "share"),
    LEFT_BY_FULL("left-by-full", "share"),
    LEVEL_AFTER_FULL("level-after-full", "bytes/s"),
    LIMIT("limit", "1/s"),
    LISTEN_OVERFLOWS("listen-overflows", "1/s"),
    LIVE_GROWTH("live-growth", "bytes/s"),
    LIVE_HELD("live-held", "share"),
    LIVE_LARGEST("live-largest", "share"),
    LIVE_OWN("live-own", "instances"),
    LIVE_MADE("live-made", "share"),
    LIVE_PER_REQUEST("live-per-request", "bytes"),
    LIVE_STEADY_GROWTH("live-steady-growth", "bytes/s"),
    LOCK_WAITERS("lock-waiters", "share"),
    LOGGED_BELOW_INFO("logged-below-info", "share"),
    LONE_REQUEST("lone-request", "ms"),
    LONE_REQUEST_PART("lone-request-*", "ms"),
    LOOP_CORES("loop-cores", "cores"),
    LOOP_WAITING("loop-waiting", "share"),
    MAJOR_FAULTS("major-faults", "1/s"),
    MARKS_IN_VAIN("marks-in-vain", "1/s"),
    MEMORY_PRESSURE("memory-pressure", "share"),
    NEIGHBOURS("neighbours", "cores"),
    NOWHERE("nowhere", "share"),
    NO_PORT("no-port", "share"),
    OLD_RISE("old-rise", "bytes"),
    OLD_USED("old-used", "share"),
    OTHERS("others", "share"),
    OWN_DUMPS("own-dumps", "share"),
    PARALLEL_SAVES("parallel-saves", "share"),
    PINNED("pinned-*", "threads"),
    POOL_IDLE("pool-idle", "share"),
    PORTS_HELD("ports-held", "share"),
    PORTS_OPENED("ports-opened", "share"),
    PROMOTION("promotion", "bytes/s"),
    QUEUED("queued", "share"),
    QUOTA_USED("quota-used", "share"),
    REPORTED_ENDPOINT("reported-endpoint", "share"),
    REPORTED_POOL("reported-pool", "share"),
    REQUEST_PART("request-*", "ms"),
    RUN_QUEUE("run-queue", "threads"),
    SAFEPOINTS("safepoints", "1/s"),
    SAFEPOINT_STOPPED("safepoint-stopped", "share"),
    SAFEPOINT_SYNC("safepoint-sync", "share"),
    SCALING("scaling", "ratio"),
    SCALING_2N("scaling-2n", "ratio"),
    SENT("sent", "bytes/s"),
    SERIAL_TIME("serial-time", "ms"),
    SHARE("*-share", "share"),
    SHARED_CORES("shared-cores", "share"),
    STALLED("stalled", "share"),
    STUCK("stuck", "share"),
    SYSTEM_SHARE("system-share", "share"),
    TASKS_ALLOW("tasks-allow", "1/s"),
    THREADS_PER_REQUEST("threads-per-request", "threads"),
    THREADS_STARTED("threads-started", "1/s"),
    THREAD_START_SHARE("thread-start-share", "share"),
    THROTTLED("throttled", "share"),
    THROUGHPUT_LEFT("throughput-left", "ratio"),
    TIMEOUTS("timeouts", "exceptions/request"),
    TIME_WAIT("time-wait", "sockets"),
    TURN_SHARE("turn-share", "share"),
    UNREAD_REQUESTS("unread-requests", "sockets"),
    UNSENT("unsent", "share"),
    VIRTUAL_THREADS("virtual-threads", "threads"),
    WAITING("waiting", "share"),
    WAITING_OUTSIDE("waiting-outside", "share"),
    WAITS_FOR_ITSELF("waits-for-itself", "threads"),
    WRITES_TO_OUTPUT("writes-to-output", "threads");

    private final String key;
    private final String unit;

    Figure(String key, String unit) {
        this.key = key;
        this.unit = unit;
    }

    String unit() {
        return unit;
    }

    /// The id of the figure in JSON.
    ///
    /// @param of the cause, or the place in the list; empty for a figure that occurs only once
    String id(String of) {
        return key.replace("*", of);
    }

    /// True if a line of evidence has this figure.
    public boolean isOf(EvidenceLine line) {
        return line.id().equals(key);
    }
}
