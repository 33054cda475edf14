package dev.jdyno.measure.thread;

/// A cause of the time of a request. The set is closed: breakdown, thread samples and verdict use
/// the same causes.
public enum Cause {
    CPU("cpu"),
    RUN_QUEUE("runQueue"),
    LOCK("lock"),
    POOL("pool"),
    FUTURE("future"),
    DOWNSTREAM("downstream"),
    DATABASE("database"),
    DNS("dns"),
    DISK("disk"),
    LOGGING("logging"),
    SLEEP("sleep"),
    NETWORK("network"),
    CLASS_LOADING("classLoading"),
    THREAD_START("threadStart"),
    GC("gc"),
    SAFEPOINT("safepoint"),
    /// A mutex of the JVM itself, for example to allocate, to enter compiled code, or to reach a
    /// safepoint.
    JVM_MUTEX("jvmMutex"),
    OTHER("other");

    private final String key;

    Cause(String key) {
        this.key = key;
    }

    /// True if a request in this state waits outside the service's own queues.
    public boolean isElsewhere() {
        return switch (this) {
            case DOWNSTREAM, DATABASE, DNS, DISK, LOGGING, SLEEP, NETWORK -> true;
            case CPU, RUN_QUEUE, LOCK, POOL, FUTURE -> false;
            case CLASS_LOADING, THREAD_START, GC, SAFEPOINT, JVM_MUTEX, OTHER -> false;
        };
    }

    /// The key in `result.json`.
    public String key() {
        return key;
    }
}
