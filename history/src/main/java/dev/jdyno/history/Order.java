package dev.jdyno.history;

/// Which result is newer. Results that are imported later may be of an earlier day, so their own
/// time decides; but one whose time is still to come was measured under a wrong clock, and stands
/// behind the newest of those that were stored before it.
final class Order {
    /// Names the time of the question in a statement, in ms.
    static final String NOW = "now";

    /// The time that counts, in ms.
    static final String TIME =
            "CASE WHEN run.at_ms <= :now THEN run.at_ms ELSE (SELECT COALESCE(MAX(earlier.at_ms), 0)"
                    + " FROM run earlier WHERE earlier.seq < run.seq AND earlier.at_ms <= :now) END";

    /// Of one time the one that was stored later is newer.
    static final String NEWEST_FIRST = " ORDER BY " + TIME + " DESC, run.seq DESC, run.id DESC";

    private Order() {}
}
