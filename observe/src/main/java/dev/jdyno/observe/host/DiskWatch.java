package dev.jdyno.observe.host;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.thread.DiskUse;
import dev.jdyno.target.ProcFs;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The use of the disks with the target's files, from one call to the next. To find these disks,
/// all descriptors of the target are read, so this is done only once a minute.
public final class DiskWatch {
    private static final double FIND_EVERY_S = 60;

    private final DiskDevices devices;
    private final NanoClock clock;
    private Map<String, DiskDevices.Totals> before;
    private long beforeNanos;
    private Set<String> ofTarget;
    private long foundNanos;

    DiskWatch(DiskDevices devices, NanoClock clock) {
        this.devices = devices;
        this.clock = clock;
        this.before = devices.read();
        this.beforeNanos = clock.nanos();
        this.ofTarget = devices.ofTarget();
        this.foundNanos = beforeNanos;
    }

    /// Begins now.
    public static DiskWatch of(long pid, NanoClock clock) {
        return new DiskWatch(new DiskDevices(ProcFs.SYSTEM, pid), clock);
    }

    /// Returns the use since the last call, or since the beginning. Disks of which the kernel has
    /// no counters are left out.
    public List<DiskUse> take() {
        if (clock.secondsSince(foundNanos) >= FIND_EVERY_S) {
            ofTarget = devices.ofTarget();
            foundNanos = clock.nanos();
        }
        Map<String, DiskDevices.Totals> now = devices.read();
        double seconds = clock.secondsSince(beforeNanos);
        List<DiskUse> used =
                devices.between(before, now, seconds, ofTarget).stream()
                        .filter(DiskUse::ofTarget)
                        .toList();
        before = now;
        beforeNanos = clock.nanos();
        return used;
    }
}
