package dev.jdyno.doctor;

/// Checks whether there are enough cores for client and target side by side.
final class CoresCheck implements Check {
    /// Minimum number of cores for client, target and its downstream to have separate cores.
    private static final int MIN_CORES = 4;

    @Override
    public Finding check(Host host, CpuWindow window) {
        int cores = host.processors();
        String says =
                window.seen() && window.cpus() > cores
                        ? "may use " + cores + " of the machine's " + window.cpus() + " cores"
                        : cores == 1 ? "1 core" : cores + " cores";
        if (cores >= MIN_CORES) {
            return Finding.ok("cores", says);
        }
        return Finding.note(
                "cores",
                says
                        + ": client and target share them; trust ratios and demands, not the highest QPS",
                "load from another machine for absolute figures");
    }
}
