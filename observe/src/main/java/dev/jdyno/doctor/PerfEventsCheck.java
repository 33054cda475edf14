package dev.jdyno.doctor;

import java.util.regex.Pattern;

/// Checks whether CPU profiles can have kernel frames and hardware counters.
final class PerfEventsCheck implements Check {
    /// Maximum value of `kernel.perf_event_paranoid` at which an ordinary user may sample his own
    /// processes with kernel frames.
    private static final long OPEN = 1;

    /// CAP_SYS_ADMIN (21) and CAP_PERFMON (38): either of them bypasses the setting.
    private static final long PASSES = 1L << 21 | 1L << 38;

    // CapEff:	000001ffffffffff
    private static final Pattern CAPABILITIES = Pattern.compile("(?m)^CapEff:\\s+([0-9a-f]{16})$");

    @Override
    public Finding check(Host host, CpuWindow window) {
        var paranoid = host.number("proc/sys/kernel/perf_event_paranoid");
        if (paranoid.isEmpty()) {
            return Finding.unseen("perf-events", "no kernel.perf_event_paranoid");
        }
        String says = "kernel.perf_event_paranoid is " + paranoid.getAsLong();
        if (paranoid.getAsLong() <= OPEN) {
            return Finding.ok("perf-events", says);
        }
        var m = CAPABILITIES.matcher(host.text("proc/self/status").orElse(""));
        if (m.find() && (Long.parseUnsignedLong(m.group(1), 16) & PASSES) != 0) {
            return Finding.ok("perf-events", says + ", but this user's capabilities override it");
        }
        return Finding.note(
                "perf-events",
                says + ": CPU profiles lack kernel frames",
                "sudo sysctl kernel.perf_event_paranoid=1 kernel.kptr_restrict=0");
    }
}
