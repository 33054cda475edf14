package dev.jdyno.measure.verdict;

import dev.jdyno.measure.thread.Cause;
import java.util.Optional;

/// The changes that every run predicts unasked, in the order in which results show them: to what
/// limits, then to CPU, the waits and the cores.
public enum StandardChange {
    LOCK("lock × 0.5", "lock*0.5"),
    LOGGING("logging × 0.5", "logging*0.5"),
    DISK("disk × 0.5", "disk*0.5"),
    /// Twice the threads of an executor whose tasks requests wait for.
    INNER_POOL("inner pool × 2", ""),
    /// Twice the connections that threads borrow.
    POOL("pool × 2", "pool*2"),
    THREADS("threads × 2", "threads*2"),
    CPU("cpu × 0.5", "cpu*0.5"),
    DOWNSTREAM("downstream × 0.5", "downstream*0.5"),
    WAITS("waits × 0.5", "waits*0.5"),
    CORES("cores × 2", "cores*2");

    private final String says;
    private final String term;

    /// @param term as `jdyno whatif` and recommendations write it; empty where none does
    StandardChange(String says, String term) {
        this.says = says;
        this.term = term;
    }

    /// Half of the time that a request takes of this cause, where it is predicted.
    public static Optional<StandardChange> half(Cause cause) {
        return switch (cause) {
            case LOCK -> Optional.of(LOCK);
            case LOGGING -> Optional.of(LOGGING);
            case DISK -> Optional.of(DISK);
            case CPU -> Optional.of(CPU);
            case DOWNSTREAM -> Optional.of(DOWNSTREAM);
            case RUN_QUEUE, POOL, FUTURE, DATABASE, DNS, SLEEP, NETWORK -> Optional.empty();
            case CLASS_LOADING, THREAD_START, GC, SAFEPOINT, JVM_MUTEX, OTHER -> Optional.empty();
        };
    }

    /// Whether a recommendation makes this change: by its term, of the cores by their number, and of
    /// log lines by its id, for `logging*0.5` leaves the CPU of the lines as it is.
    public boolean isMadeBy(Recommendation recommendation) {
        return (!term.isEmpty() && recommendation.change().equals(term))
                || (this == LOGGING && recommendation.id().equals("logging-less"))
                || (this == CORES
                        && recommendation.changes().stream()
                                .anyMatch(c ->
                                        c instanceof Change.Cores(double from, double to)
                                                && to == 2 * from));
    }

    /// As `jdyno whatif` takes it and recommendations write it; empty where none does.
    public String term() {
        return term;
    }

    /// As in results.
    public String says() {
        return says;
    }
}
