package dev.jdyno.doctor;

import java.util.Locale;
import java.util.Set;

/// Checks whether the clock is read in user space: the load engine reads it several times per
/// request.
final class ClockCheck implements Check {
    /// Clock sources that need a system call and a device for every reading.
    private static final Set<String> SLOW =
            Set.of("hpet", "acpi_pm", "pit", "jiffies", "refined-jiffies");

    /// Maximum time of a reading in ns: a reading in user space takes 20 to 40 ns, a system call
    /// hundreds.
    private static final double SLOW_NANOS = 200;

    /// Readings in a batch, which takes much less than a time slice of the scheduler.
    private static final int READINGS = 5_000;

    private static final int BATCHES = 100;

    @Override
    public Finding check(Host host, CpuWindow window) {
        String source =
                host.text("sys/devices/system/clocksource/clocksource0/current_clocksource")
                        .orElse("unnamed");
        double nanos = nanosPerReading(host);
        String says = String.format(Locale.ROOT, "clock %s, %.0f ns a reading", source, nanos);
        if (SLOW.contains(source) || nanos > SLOW_NANOS) {
            return Finding.note(
                    "clock",
                    says + ": the client pays it for every request",
                    "boot with clocksource=tsc where the CPU's counter is steady");
        }
        return Finding.ok("clock", says);
    }

    /// Time of one reading of the clock in ns: the minimum over all batches, because on a busy
    /// machine most batches are interrupted.
    private static double nanosPerReading(Host host) {
        double min = Double.MAX_VALUE;
        for (int batch = 0; batch < BATCHES; batch++) {
            long start = host.clock().nanos();
            long last = start;
            for (int i = 0; i < READINGS; i++) {
                last = host.clock().nanos();
            }
            min = Math.min(min, (double) (last - start) / READINGS);
        }
        return min;
    }
}
