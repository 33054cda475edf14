package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.CannotStart;
import dev.jdyno.lab.service.Running;
import dev.jdyno.lab.work.DownstreamClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/// A new connection for each call to another service, with few local ports.
final class PortsDownstream implements Case {
    private static final Path RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
    private static final Path REUSE = Path.of("/proc/sys/net/ipv4/tcp_tw_reuse");

    private static final int LINE_MAX = 64;

    /// Maximum number of free ports: more would not run out within a short run.
    private static final int PORTS_MAX = 2000;

    @Override
    public Label label() {
        return Label.of(
                        "ports-downstream",
                        "ports",
                        20,
                        "127.0.0.1",
                        "a new connection for each call, with few ephemeral ports")
                .needs("network namespace: few ephemeral ports, not used again (docs/planted.md)");
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int millis = caseSetup.vary().between("callMs", 1, 8);
        requireFewPorts();
        URI downstream = caseSetup.startDownstream("--slots", "" + Integer.MAX_VALUE);
        return caseSetup.serve(query -> {
            try (DownstreamClient once = new DownstreamClient(downstream, 1)) {
                once.await(millis);
            }
            return "ok\n";
        });
    }

    private static void requireFewPorts() throws IOException {
        int[] range = numbers(RANGE);
        int ports = range[1] - range[0] + 1;
        int reuse = numbers(REUSE)[0];
        if (ports > PORTS_MAX || reuse != 0) {
            throw new CannotStart(
                    "ports would not run out",
                    "there are %d, and tcp_tw_reuse is %d".formatted(ports, reuse),
                    "start tool and service in a network namespace of their own: docs/planted.md");
        }
    }

    private static int[] numbers(Path file) throws IOException {
        // read in one call: a second read of a sysctl returns nothing
        try (InputStream in = Files.newInputStream(file)) {
            String text = new String(in.readNBytes(LINE_MAX), StandardCharsets.US_ASCII);
            return Arrays.stream(text.trim().split("\\s+")).mapToInt(Integer::parseInt).toArray();
        }
    }
}
