package dev.jdyno.measure.verdict;

/// The changes that every run predicts unasked, in the order in which results show them: to what
/// limits, then to CPU, the waits and the cores.
public enum StandardChange {
    LOCK("lock × 0.5"),
    /// Twice the threads of an executor whose tasks requests wait for.
    INNER_POOL("inner pool × 2"),
    /// Twice the connections that threads borrow.
    POOL("pool × 2"),
    THREADS("threads × 2"),
    CPU("cpu × 0.5"),
    DOWNSTREAM("downstream × 0.5"),
    WAITS("waits × 0.5"),
    CORES("cores × 2");

    private final String says;

    StandardChange(String says) {
        this.says = says;
    }

    /// As in results.
    public String says() {
        return says;
    }
}
