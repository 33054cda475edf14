package dev.jdyno.cli.options;

import dev.jdyno.load.LoadLimits;
import dev.jdyno.load.request.LoadSpecBuilder;
import dev.jdyno.load.request.SlowClients;
import dev.jdyno.measure.text.Problems;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of `jdyno load` for many connections and for slow ones.
final class ConnectionOptions {
    /// Maximum number of processes, far above the needs of any machine. More processes than cores
    /// only wait for each other.
    private static final int MAX_PROCESSES = 64;

    @Option(
            names = "--active",
            paramLabel = "SHARE",
            description =
                    "This share of the connections sends requests; the others are only held open."
                            + " Default: ${DEFAULT-VALUE}")
    private String active = "100%";

    @Option(
            names = "--read-rate",
            paramLabel = "SIZE",
            description = "Slow clients: read no more than this per second and connection.")
    private @Nullable String readRate;

    @Option(
            names = "--receive-buffer",
            paramLabel = "SIZE",
            description =
                    "Slow clients: receive buffer of a connection, e.g. 4k, so that the server waits"
                            + " for this client instead of the kernel. Default: the system's choice")
    private @Nullable String receiveBuffer;

    @Option(
            names = "--slow-clients",
            paramLabel = "SHARE",
            description =
                    "Slow clients: --read-rate and --receive-buffer apply to this share of the"
                            + " sending connections. Default: ${DEFAULT-VALUE}")
    private String slowShare = "100%";

    @Option(
            names = "--processes",
            paramLabel = "N",
            description =
                    "Divide the load among this number of processes on this machine. Default: as"
                            + " many as the limit of open files requires, usually 1")
    private @Nullable Integer processes;

    void read(OptionTexts values, boolean keepAlive, LoadSpecBuilder spec) {
        Problems problems = values.problems();
        double share = values.share("--active", active);
        if (share <= 0) {
            problems.add(
                    "--active " + active,
                    "no connection would send a request",
                    "give more than 0 %");
        } else {
            spec.activeShare(share);
        }
        if (share < 1 && !keepAlive) {
            problems.add(
                    "--active, --no-keepalive",
                    "a connection per request cannot be held open",
                    "leave one of them out");
        }
        if (readRate != null || receiveBuffer != null) {
            long rate = readRate == null ? 0 : values.size("--read-rate", readRate);
            long buffer =
                    receiveBuffer == null ? 0 : values.size("--receive-buffer", receiveBuffer);
            spec.slow(
                    new SlowClients(
                            values.share("--slow-clients", slowShare),
                            rate,
                            (int) Math.min(Integer.MAX_VALUE, buffer)));
        }
        if (processes != null && (processes < 1 || processes > MAX_PROCESSES)) {
            problems.add("--processes " + processes, "must be 1…" + MAX_PROCESSES, "e.g. 2");
        }
    }

    /// Number of processes that share this number of connections.
    int processes(int connections) {
        return processes != null ? processes : LoadLimits.processes(connections);
    }
}
