package dev.jdyno.measure.verdict;

import dev.jdyno.measure.thread.Cause;
import java.util.Optional;

/// The changes that every run predicts by default, in the order of results: changes of the limit,
/// then of CPU, waits and cores.
public enum StandardChange implements PredictedChange {
    LOCK("lock × 0.5", "lock", 0.5),
    LOGGING("logging × 0.5", "logging", 0.5),
    DISK("disk × 0.5", "disk", 0.5),
    /// Twice the threads of an executor that runs tasks for waiting requests.
    INNER_POOL("inner pool × 2"),
    /// Twice the connections that threads borrow.
    POOL("pool × 2", "pool", 2),
    THREADS("threads × 2", "threads", 2),
    CPU("cpu × 0.5", "cpu", 0.5),
    DOWNSTREAM("downstream × 0.5", "downstream", 0.5),
    WAITS("waits × 0.5", "waits", 0.5),
    CORES("cores × 2", "cores", 2);

    private final String says;

    @SuppressWarnings("ImmutableEnumChecker") // a record
    private final Optional<WhatIfChange> asked;

    StandardChange(String says, String resource, double factor) {
        this.says = says;
        this.asked = Optional.of(new WhatIfChange.Scale(resource, factor));
    }

    /// A change for which `jdyno whatif` has no term.
    StandardChange(String says) {
        this.says = says;
        this.asked = Optional.empty();
    }

    /// The change that halves the time of a request due to this cause; empty if it is not
    /// predicted.
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

    /// True if the recommendation makes this change: its text is the same, or it doubles the cores.
    /// Halving the log lines has no text, because `logging*0.5` does not include their CPU.
    public boolean isMadeBy(Recommendation recommendation) {
        return isWrittenAs(recommendation.change().written())
                || (this == LOGGING && recommendation.change().name() == KnownChange.LOGGING_LESS)
                || (this == CORES
                        && recommendation.changes().stream()
                                .anyMatch(c ->
                                        c instanceof Change.Cores(double from, double to)
                                                && to == 2 * from));
    }

    /// True if this is the text of the change.
    public boolean isWrittenAs(WrittenChange written) {
        return asked.filter(written::equals).isPresent();
    }

    /// The change in the syntax of `jdyno whatif` and of recommendations.
    ///
    /// @throws java.util.NoSuchElementException if there is no term for this change
    public WhatIfChange asked() {
        return asked.orElseThrow();
    }

    @Override
    public String says() {
        return says;
    }
}
