package dev.jdyno.doctor;

import java.util.Locale;

/// Checks the CPU time that the hypervisor gives to other machines: it increases the scatter of
/// every figure.
final class StealCheck implements Check {
    /// Steal in percent. Above the first value, throughput measured for ten seconds scatters
    /// visibly. Above the second one, confidence intervals are too wide to be useful.
    private static final double VISIBLE = 1;

    private static final double SPOILS = 5;

    @Override
    public Finding check(Host host, CpuWindow window) {
        if (!window.seen()) {
            return Finding.unseen("steal", "no /proc/stat");
        }
        String says =
                String.format(
                        Locale.ROOT,
                        "the hypervisor took %.1f %% over %d s",
                        window.stealPct(),
                        Doctor.WATCH.toSeconds());
        String fix = "measure at a quieter time, or on a machine with cores of its own";
        if (window.stealPct() >= SPOILS) {
            return Finding.bad("steal", says + ": figures measured now mislead", fix);
        }
        return window.stealPct() >= VISIBLE
                ? Finding.note("steal", says + ": expect wide intervals", fix)
                : Finding.ok("steal", says);
    }
}
