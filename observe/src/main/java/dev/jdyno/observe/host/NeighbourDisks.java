package dev.jdyno.observe.host;

import dev.jdyno.measure.Neighbour;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.observe.probe.Probe;
import dev.jdyno.target.ProcFs;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Bytes that other processes of this machine read from disks and write to them, by name. They show
/// what keeps a device busy. Only root may read the processes of other users.
public final class NeighbourDisks {
    /// Minimum bytes per second of a process for it to be named.
    static final double NAMED_FROM = 64 * 1024;

    private final ProcFs proc;
    private final Set<Long> ours;

    /// @param ours processes that are not neighbours: the target and this tool
    public NeighbourDisks(ProcFs proc, Set<Long> ours) {
        this.proc = proc;
        this.ours = Set.copyOf(ours);
    }

    /// Bytes of every other process that can be read.
    public Map<Long, Long> read() {
        Map<Long, Long> bytes = new HashMap<>();
        for (long pid : proc.pids()) {
            if (!ours.contains(pid)) {
                proc.text(pid, "io").ifPresent(io -> bytes.put(pid, bytes(io)));
            }
        }
        return bytes;
    }

    // read_bytes: 4096
    // write_bytes: 8192
    private static long bytes(String io) {
        return io.lines()
                .filter(l -> l.startsWith("read_bytes: ") || l.startsWith("write_bytes: "))
                .mapToLong(l -> Long.parseLong(l.substring(l.indexOf(' ') + 1).trim()))
                .sum();
    }

    private record Use(long pid, double bytesPerS) {}

    /// Use by processes that existed at both readings; nothing if no process reached the minimum.
    public Signals between(Map<Long, Long> from, Map<Long, Long> to, double seconds) {
        List<Use> users =
                to.entrySet().stream()
                        .filter(e -> from.containsKey(e.getKey()))
                        .map(e ->
                                new Use(
                                        e.getKey(),
                                        (e.getValue() - from.getOrDefault(e.getKey(), e.getValue()))
                                                / seconds))
                        .filter(u -> u.bytesPerS() >= NAMED_FROM)
                        .sorted(Comparator.comparingDouble(Use::bytesPerS).reversed())
                        .toList();
        if (users.isEmpty() || seconds < Probe.SHORTEST_FOR_RATES_S) {
            return Signals.NONE;
        }
        String names =
                users.stream()
                        .limit(Neighbour.NAMED)
                        .map(u ->
                                Neighbours.name(proc, u.pid())
                                        + " (pid "
                                        + u.pid()
                                        + ") "
                                        + new Bytes(Math.round(u.bytesPerS()))
                                        + "/s")
                        .collect(Collectors.joining(", "));
        return new Signals(
                Map.of(
                        Sign.NEIGHBOUR_DISK_BYTES_PER_S,
                        users.stream().mapToDouble(Use::bytesPerS).sum()),
                Map.of(Sign.NEIGHBOUR_DISK_BYTES_PER_S, names));
    }
}
