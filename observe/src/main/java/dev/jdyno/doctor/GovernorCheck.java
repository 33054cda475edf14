package dev.jdyno.doctor;

/// Checks whether a core's frequency is independent of the load.
final class GovernorCheck implements Check {
    @Override
    public Finding check(Host host, CpuWindow window) {
        var governor = host.text("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
        if (governor.isEmpty()) {
            return Finding.unseen(
                    "governor", "frequency scaling is not visible (a virtual machine?)");
        }
        if (governor.get().equals("performance")) {
            return Finding.ok("governor", "performance");
        }
        return Finding.note(
                "governor",
                governor.get() + ": low rounds run on slower cores, CPU per request looks larger",
                "sudo cpupower frequency-set -g performance");
    }
}
