package dev.jdyno.measure.verdict;

import java.util.List;
import java.util.stream.Stream;

/// Kinds of changes whose predictions are made, and judged, in one way.
public enum ChangeKind {
    /// A request takes less CPU time.
    LESS_CPU(
            "less-cpu",
            List.of(
                    "cpu-halve",
                    "exceptions-cheap",
                    "stack-trace-asked",
                    "regex-backtracks",
                    "classes-keep",
                    "threads-reuse",
                    "compiler-on",
                    "interpreted-code",
                    "code-cache",
                    "warm-up")),
    MORE_CORES(
            "more-cores",
            List.of("cores-double", "quota-raise", "neighbour-move", "client-elsewhere")),
    /// A lock, or what is lent from a pool, is held for a shorter time.
    SHORTER_HOLD(
            "shorter-hold",
            List.of(
                    "lock-shorter",
                    "lock-split",
                    "lock-call",
                    "lock-call-less",
                    "lock-connections",
                    "lock-read",
                    "lock-force",
                    "pool-shorter",
                    "pool-query",
                    "pool-no-sleep",
                    "pool-call-outside",
                    "pool-holders")),
    /// More threads, connections or permits.
    MORE_PLACES(
            "more-places",
            List.of(
                    "pool-double",
                    "threads",
                    "executor-larger",
                    "executor-own",
                    "loops-more",
                    "carriers-double",
                    "accept-threads")),
    /// What a thread waits for takes a shorter time, or no longer holds the thread.
    SHORTER_WAIT(
            "shorter-wait",
            List.of(
                    "downstream-halve",
                    "queries-faster",
                    "queries-fewer",
                    "wait-shorter",
                    "task-shorter",
                    "calls-parallel",
                    "loop-unblock",
                    "loop-offload")),
    /// The other side of a call, or a limiter, lets more through.
    FASTER_PEER(
            "faster-peer",
            List.of("downstream-double", "limit-double", "disk-faster", "logging-sink")),
    LESS_LOGGING("less-logging", List.of("logging-less", "logging-level", "logging-drop")),
    /// A request allocates less, or holds less for a shorter time.
    LESS_GARBAGE(
            "less-garbage",
            List.of("allocate-less", "live-less", "hold-less", "arrays-smaller", "builder-grows")),
    /// Sizes of the heap and of its parts.
    HEAP("heap", List.of("heap-double", "young", "survivors", "regions-larger", "memory-more")),
    OTHER("other", List.of());

    private final String key;

    @SuppressWarnings("ImmutableEnumChecker") // List.of
    private final List<String> ids;

    ChangeKind(String key, List<String> ids) {
        this.key = key;
        this.ids = ids;
    }

    /// As in the record of predictions.
    public String key() {
        return key;
    }

    /// The kind of a recommendation's change; {@link #OTHER} for one that is in no kind.
    public static ChangeKind of(Recommendation recommendation) {
        return Stream.of(values())
                .filter(k -> k.ids.contains(recommendation.id()))
                .findFirst()
                .orElse(OTHER);
    }
}
