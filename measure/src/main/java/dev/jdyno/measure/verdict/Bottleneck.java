package dev.jdyno.measure.verdict;

import java.util.Optional;
import java.util.stream.Stream;

/// The names a verdict can give; the taxonomy is in docs/bottlenecks.md.
public enum Bottleneck {
    LOAD("load"),
    CLIENT("client"),
    PORTS("ports"),
    ACCEPT_QUEUE("accept-queue"),
    CPU("cpu"),
    CPU_QUOTA("cpu-quota"),
    CPU_NEIGHBOUR("cpu-neighbour"),
    EVENT_LOOP("event-loop"),
    LOCK("lock"),
    THREAD_POOL("thread-pool"),
    POOL_STARVATION("pool-starvation"),
    CONNECTION_POOL("connection-pool"),
    DOWNSTREAM("downstream"),
    DOWNSTREAM_SERIAL("downstream-serial"),
    DATABASE("database"),
    DNS("dns"),
    RATE_LIMIT("rate-limit"),
    LOGGING("logging"),
    DISK("disk"),
    GC_ALLOCATION("gc-allocation"),
    GC_PROMOTION("gc-promotion"),
    GC_LIVE_SET("gc-live-set"),
    GC_LEAK("gc-leak"),
    GC_EXPLICIT("gc-explicit"),
    GC_HUMONGOUS("gc-humongous"),
    GC_STALL("gc-stall"),
    SAFEPOINT("safepoint"),
    CLASS_LOADING("class-loading"),
    JIT("jit"),
    THREAD_CHURN("thread-churn"),
    VIRTUAL_THREAD_PINNING("virtual-thread-pinning"),
    NETWORK("network"),
    MEMORY("memory"),
    UNKNOWN("unknown");

    private final String key;

    Bottleneck(String key) {
        this.key = key;
    }

    /// The name in `result.json` and on the terminal.
    public String key() {
        return key;
    }

    /// The bottleneck with this name; empty if this version has none.
    public static Optional<Bottleneck> of(String key) {
        return Stream.of(values()).filter(b -> b.key.equals(key)).findFirst();
    }
}
