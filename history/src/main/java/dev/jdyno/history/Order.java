package dev.jdyno.history;

/// The order of results from old to new. Results may be imported late, so their own time decides. A
/// result whose time is in the future was measured with a wrong clock: it follows directly after
/// the newest result that was stored before it.
final class Order {
    /// Name of the statement parameter for the present time, in ms.
    static final String NOW = "now";

    /// SQL for the time that decides the order, in ms.
    static final String TIME =
            "CASE WHEN run.at_ms <= :now THEN run.at_ms ELSE (SELECT COALESCE(MAX(earlier.at_ms), 0)"
                    + " FROM run earlier WHERE earlier.seq < run.seq AND earlier.at_ms <= :now) END";

    /// Of results with the same time, the one that was stored later is newer.
    static final String NEWEST_FIRST = " ORDER BY " + TIME + " DESC, run.seq DESC, run.id DESC";

    private Order() {}
}
