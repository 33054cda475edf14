package dev.jdyno.target;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The processes of a launched command: the command itself, processes in its session, processes
/// with its mark, and all descendants of these.
///
/// The session identifies processes with an empty environment; the mark identifies processes that
/// leave the session or lose their parent. Only a process that does both, and whose parent has
/// ended, is not found.
///
/// @param pid pid of the command
/// @param startTicks start of the command, since the machine's start; no member started before
/// @param ownSession whether it leads a session, whose number is its pid
record LaunchTree(ProcFs proc, long pid, long startTicks, boolean ownSession, LaunchMark mark) {
    private record Row(long pid, long parent, String session, long startTicks) {}

    /// All living members, each after its parent; a zombie is not living.
    List<Long> living() {
        List<Row> rows = rows();
        boolean sessionIsOurs = ownSession && isOurs();
        Set<Long> members = new HashSet<>();
        for (Row row : rows) {
            boolean first = row.pid == pid && row.startTicks == startTicks;
            boolean inSession = sessionIsOurs && row.session.equals(Long.toString(pid));
            if (first || inSession || mark.isOn(proc, row.pid)) {
                members.add(row.pid);
            }
        }
        Map<Long, List<Row>> children = new HashMap<>();
        rows.forEach(r -> children.computeIfAbsent(r.parent, _ -> new ArrayList<>()).add(r));
        List<Long> open = new ArrayList<>(members);
        while (!open.isEmpty()) {
            for (Row child : children.getOrDefault(open.removeLast(), List.of())) {
                if (members.add(child.pid)) {
                    open.add(child.pid);
                }
            }
        }
        return rows.stream().map(Row::pid).filter(members::contains).toList();
    }

    /// False if another process has the pid: it may lead a session with the same number.
    private boolean isOurs() {
        return proc.startTicks(pid).map(t -> Long.parseLong(t) == startTicks).orElse(true);
    }

    /// The processes that did not start before the command, in the order of their start.
    private List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (long process : proc.pids()) {
            proc.stat(process)
                    .filter(ProcFs::isAlive)
                    .map(s -> new Row(process, Long.parseLong(s[1]), s[3], Long.parseLong(s[19])))
                    .filter(row -> row.startTicks >= startTicks)
                    .ifPresent(rows::add);
        }
        rows.sort(Comparator.comparingLong(Row::startTicks).thenComparingLong(Row::pid));
        return rows;
    }
}
