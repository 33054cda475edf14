package dev.jdyno.doctor;

import java.util.Locale;
import java.util.stream.Collectors;

/// Checks for other processes that use cores which client and target need.
final class NeighbourCheck implements Check {
    /// Minimum shares of the machine for a note, and for a bad finding.
    private static final double VISIBLE = 0.05;

    private static final double SPOILS = 0.2;

    @Override
    public Finding check(Host host, CpuWindow window) {
        if (!window.seen()) {
            return Finding.unseen("neighbours", "no /proc/stat");
        }
        String names =
                window.busiest().stream()
                        .map(b ->
                                String.format(
                                        Locale.ROOT, "%s (%d) %.2f", b.name(), b.pid(), b.cores()))
                        .collect(Collectors.joining(", "));
        String says =
                String.format(Locale.ROOT, "other processes use %.2f cores", window.otherCores())
                        + (names.isEmpty() ? "" : ": " + names);
        double share = window.otherCores() / window.cpus();
        String fix =
                "stop them, or name the one that is your target; else expect the verdict"
                        + " cpu-neighbour";
        if (share >= SPOILS) {
            return Finding.bad("neighbours", says, fix);
        }
        return share >= VISIBLE
                ? Finding.note("neighbours", says, fix)
                : Finding.ok("neighbours", says);
    }
}
