package dev.jdyno.measure.verdict;

import dev.jdyno.measure.verdict.Validity.Warning;
import java.util.Arrays;

/// The warnings that may change a decision although they do not spoil the result: part of the load
/// was not served properly, or a figure may be wrong.
public enum DecidingWarning {
    /// Other processes used much of the machine before any load was sent.
    CROWDED(Validity.OTHER_PROCESSES),
    /// The run ended before all loads were tested.
    SEARCH_CUT(Validity.SEARCH_CUT),
    /// Replies at some loads differ from those at others.
    OTHER_ANSWERS("other-answers"),
    /// Fewer requests were in flight than the load has, by Little's law.
    UNANSWERED("unanswered"),
    /// The service answered nothing in a diagnostic window.
    SILENT_LATER("silent-later"),
    /// Throughput in a diagnostic window is far from that of its round.
    UNSTEADY("unsteady"),
    /// Throughput fell since the warm-up.
    FELL_SINCE_WARM_UP("fell-since-warmup"),
    /// The service was still warming up in the first rounds.
    NOT_WARM("not-warm"),
    /// Other processes disturbed rounds.
    DISTURBED("disturbed"),
    /// Other processes disturbed a diagnostic window.
    DISTURBED_WINDOW("disturbed-window"),
    /// A round was repeated.
    ROUND_AGAIN("round-again"),
    /// The machine's speed varies.
    NOISE("noise"),
    /// The hypervisor took CPU time.
    STEAL("steal"),
    /// Other processes used CPU at saturation.
    NEIGHBOURS("neighbours"),
    /// Rates of a search ran beside different neighbours.
    NEIGHBOURS_MOVED("neighbours-moved"),
    /// Another jdyno measured on this machine.
    BESIDE_ANOTHER("beside-another"),
    /// Something of an earlier run is still active in the target.
    LEFTOVER_RUNNING("leftover-running"),
    /// Something of this run is still active in the target.
    LEFT_RUNNING("left-running"),
    /// A pool has not got its former size back.
    POOL_NOT_RESTORED("pool-not-restored"),
    /// A load generator of a group was limited.
    AGENT_LIMITED("agent-limited"),
    /// A diagnostic window lacks thread dumps.
    THREAD_DUMPS("census");

    private final String id;

    DecidingWarning(String id) {
        this.id = id;
    }

    /// The id of the warning in `result.json`.
    public String id() {
        return id;
    }

    /// True if the warning is this one.
    public boolean is(Warning warning) {
        return warning.id().equals(id);
    }

    /// True if the warning may change a decision.
    public static boolean decides(Warning warning) {
        return Arrays.stream(values()).anyMatch(w -> w.is(warning));
    }
}
