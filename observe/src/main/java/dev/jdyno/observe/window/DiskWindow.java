package dev.jdyno.observe.window;

import dev.jdyno.measure.thread.DiskUse;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.observe.host.DiskDevices;
import dev.jdyno.observe.host.NeighbourDisks;
import dev.jdyno.target.ProcFs;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// One diagnostic window of the disks: the activity of each disk from its beginning to its end, and
/// the other processes that caused it.
final class DiskWindow {
    private final DiskDevices devices;
    private final NeighbourDisks neighbours;
    private final Map<String, DiskDevices.Totals> devicesBefore;
    private final Map<Long, Long> neighboursBefore;

    private DiskWindow(DiskDevices devices, NeighbourDisks neighbours) {
        this.devices = devices;
        this.neighbours = neighbours;
        this.devicesBefore = devices.read();
        this.neighboursBefore = neighbours.read();
    }

    static DiskWindow begin(ProcFs proc, long pid) {
        return new DiskWindow(
                new DiskDevices(proc, pid),
                new NeighbourDisks(proc, Set.of(pid, ProcessHandle.current().pid())));
    }

    /// @param seconds length of the window
    Signals end(double seconds) {
        List<DiskUse> used = devices.between(devicesBefore, devices.read(), seconds);
        return neighbours.between(neighboursBefore, neighbours.read(), seconds).withDisks(used);
    }
}
