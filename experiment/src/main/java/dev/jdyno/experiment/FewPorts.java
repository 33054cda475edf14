package dev.jdyno.experiment;

import dev.jdyno.experiment.server.ServerProcess;
import dev.jdyno.load.LoadLimits;
import dev.jdyno.target.Inherited;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Runs an experiment with few local ports, without changing this machine. The experiment runs in a
/// separate process, in a network namespace (unshare(1)) with a small port range. The namespace
/// ends with that process.
public final class FewPorts {
    static final int PORTS = 200;

    /// Tolerance of the figures that are judged with few ports.
    static final double TOLERANCE = 0.05;

    /// Shell commands that set up the namespace. With them, a port in TIME_WAIT is free again after
    /// 60 s. The loopback device's default is 1 s.
    private static final String SETUP =
            "ip link set lo up"
                    + " && echo 32768 "
                    + (32768 + PORTS - 1)
                    + " > /proc/sys/net/ipv4/ip_local_port_range"
                    + " && echo 0 > /proc/sys/net/ipv4/tcp_tw_reuse"
                    + " && exec \"$@\"";

    private static final int CHECK_INTERVAL_MILLIS = 100;

    /// Number of checks in two minutes, which is the time limit.
    private static final int CHECKS = 1200;

    private FewPorts() {}

    /// True if this process is the one with few ports.
    public static boolean areHere() {
        long ports = LoadLimits.ports();
        return ports > 0 && ports <= PORTS;
    }

    /// Returns the experiment's measurements with few ports; empty if no such namespace can be
    /// created.
    static Optional<List<Comparison.Row>> run(String experiment, Bench bench)
            throws InterruptedException {
        Path folder = bench.folder();
        return output(
                        List.of(
                                "lab",
                                experiment,
                                "--json",
                                "--out",
                                folder.resolve("few-ports").toString()),
                        folder,
                        bench.stop())
                .filter(json -> !json.isBlank())
                .map(FewPorts::rows);
    }

    /// Returns what jdyno prints when run with few ports; empty if no such namespace can be
    /// created.
    ///
    /// @param verb the command line after `jdyno`
    /// @param folder folder for its files
    /// @param stop ends the run if true
    public static Optional<String> output(List<String> verb, Path folder, BooleanSupplier stop)
            throws InterruptedException {
        Path output = folder.resolve("few-ports.out");
        Path complaints = folder.resolve("few-ports.err");
        try {
            var builder =
                    new ProcessBuilder(command(verb))
                            .redirectOutput(output.toFile())
                            .redirectError(complaints.toFile());
            Inherited.byJdyno(builder.environment());
            Process process = builder.start();
            try {
                for (int i = 0; i < CHECKS && process.isAlive() && !stop.getAsBoolean(); i++) {
                    process.waitFor(CHECK_INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
                }
                if (process.isAlive()) {
                    return Optional.empty();
                }
            } finally {
                process.descendants().forEach(ProcessHandle::destroy);
                ServerProcess.end(process);
            }
            return Optional.of(Files.readString(output, StandardCharsets.UTF_8));
        } catch (IOException noUnshare) {
            return Optional.empty();
        }
    }

    private static List<String> command(List<String> verb) {
        String path = System.getProperty("java.class.path");
        List<String> command =
                new ArrayList<>(
                        List.of("unshare", "--map-root-user", "--net", "sh", "-c", SETUP, "sh"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        String started = System.getProperty("sun.java.command", "").split(" ", -1)[0];
        command.addAll(
                started.endsWith(".jar")
                        ? List.of("-jar", path)
                        : List.of("--enable-native-access=ALL-UNNAMED", "-cp", path, started));
        command.addAll(verb);
        return command;
    }

    private static List<Comparison.Row> rows(String json) {
        List<Comparison.Row> rows = new ArrayList<>();
        for (JsonNode row : JsonMapper.shared().readTree(json).path("rows")) {
            rows.add(
                    new Comparison.Row(
                            row.path("figure").asString(),
                            number(row.path("published")),
                            number(row.path("predicted")),
                            row.path("measured").asDouble(),
                            row.path("unit").asString(),
                            row.path("holds").isBoolean()
                                    ? Optional.of(
                                            new Comparison.Judged(
                                                    row.path("holds").asBoolean(), TOLERANCE))
                                    : Optional.empty()));
        }
        return rows;
    }

    private static Optional<Double> number(JsonNode node) {
        return node.isNumber() ? Optional.of(node.asDouble()) : Optional.empty();
    }
}
