package dev.jdyno.measure.verdict;

import java.util.Locale;
import java.util.Optional;

/// The size of a change that a prediction assumes. jdyno chooses the factor, because no measurement
/// gives it. So a report states the assumption before the gain.
public enum Assumption {
    LOCK_HALF_AS_LONG,
    CONNECTION_HALF_AS_LONG,
    QUERY_HALF_AS_LONG,
    HALF_THE_QUERIES,
    CALLS_HALF_AS_LONG,
    WAIT_HALF_AS_LONG,
    HALF_THE_LINES,
    HALF_THE_CPU,
    DISK_TWICE_AS_FAST,
    PEER_TWICE_AS_MUCH,
    LIMIT_TWICE_AS_HIGH,
    TWICE_THE_CONNECTIONS,
    TWICE_THE_THREADS,
    TWICE_THE_CORES;

    /// The factor of every assumption: twice as much, or half as much.
    public static final double FACTOR = 2;

    /// The text form, as in JSON: `query-half-as-long`.
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// The assumption of a recommendation's prediction. Empty if the change has a known size.
    public static Optional<Assumption> of(Recommendation recommendation) {
        if (!(recommendation.change().name() instanceof KnownChange known)) {
            return Optional.empty();
        }
        return switch (known) {
            case LOCK_SHORTER, LOCK_FORCE -> Optional.of(LOCK_HALF_AS_LONG);
            case POOL_SHORTER -> Optional.of(CONNECTION_HALF_AS_LONG);
            case POOL_QUERY, QUERIES_FASTER -> Optional.of(QUERY_HALF_AS_LONG);
            case QUERIES_FEWER -> Optional.of(HALF_THE_QUERIES);
            case DOWNSTREAM_HALVE -> Optional.of(CALLS_HALF_AS_LONG);
            case WAIT_SHORTER, TASK_SHORTER -> Optional.of(WAIT_HALF_AS_LONG);
            case LOGGING_LESS -> Optional.of(HALF_THE_LINES);
            case CPU_HALVE -> Optional.of(HALF_THE_CPU);
            case DISK_FASTER -> Optional.of(DISK_TWICE_AS_FAST);
            case DOWNSTREAM_DOUBLE, STREAMS_MORE -> Optional.of(PEER_TWICE_AS_MUCH);
            case LIMIT_DOUBLE -> Optional.of(LIMIT_TWICE_AS_HIGH);
            case POOL_DOUBLE -> Optional.of(TWICE_THE_CONNECTIONS);
            case CARRIERS_DOUBLE -> Optional.of(TWICE_THE_THREADS);
            case THREADS, EXECUTOR_LARGER, ACCEPT_THREADS ->
                    Optional.of(TWICE_THE_THREADS).filter(_ -> doubles(recommendation));
            case CORES_DOUBLE -> Optional.of(TWICE_THE_CORES);
            default -> Optional.empty();
        };
    }

    /// True if the pool's new size is assumed. A pool that gets a certain number of threads has
    /// this number from a formula.
    private static boolean doubles(Recommendation recommendation) {
        return recommendation.changes().stream()
                .anyMatch(c ->
                        c instanceof Change.PoolSize size
                                && size.to() instanceof Change.Amount.Times);
    }
}
