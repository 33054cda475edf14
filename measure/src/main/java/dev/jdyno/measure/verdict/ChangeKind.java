package dev.jdyno.measure.verdict;

/// Kinds of changes. All predictions for changes of one kind are made and checked in the same way.
/// {@link KnownChange} has the kind of each change.
public enum ChangeKind {
    /// A request takes less CPU time.
    LESS_CPU("less-cpu"),
    MORE_CORES("more-cores"),
    /// A lock or a pooled resource is held for a shorter time.
    SHORTER_HOLD("shorter-hold"),
    /// More threads, connections or permits.
    MORE_PLACES("more-places"),
    /// The wait of a thread becomes shorter, or no longer blocks the thread.
    SHORTER_WAIT("shorter-wait"),
    /// The service at the other side of a call, or a limiter, allows more requests.
    FASTER_PEER("faster-peer"),
    LESS_LOGGING("less-logging"),
    /// A request allocates fewer bytes, or keeps fewer bytes or for a shorter time.
    LESS_GARBAGE("less-garbage"),
    /// Sizes of the heap and of its parts.
    HEAP("heap"),
    OTHER("other");

    private final String key;

    ChangeKind(String key) {
        this.key = key;
    }

    /// True if a change of this kind does not affect the CPU time of a request. Changes of all
    /// other kinds may reduce it.
    public boolean keepsCpu() {
        return switch (this) {
            case SHORTER_HOLD, MORE_PLACES, SHORTER_WAIT, FASTER_PEER -> true;
            case LESS_CPU, MORE_CORES, LESS_LOGGING, LESS_GARBAGE, HEAP, OTHER -> false;
        };
    }

    /// The key in the record of predictions.
    public String key() {
        return key;
    }

    /// The kind of a recommendation's change; {@link #OTHER} if it belongs to no kind.
    public static ChangeKind of(Recommendation recommendation) {
        return recommendation.change().name().kind();
    }
}
