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

/// A machine with few local ports, without touching this one: the experiment runs again, as a
/// process of its own in a network namespace (unshare(1)) whose port range is small. The namespace
/// ends with that process.
public final class FewPorts {
    static final int PORTS = 200;

    /// Of the figures that are judged with few ports.
    static final double TOLERANCE = 0.05;

    /// A port in TIME_WAIT is free again after 60 s, not after 1 s as the loopback device has it.
    private static final String SETUP =
            "ip link set lo up"
                    + " && echo 32768 "
                    + (32768 + PORTS - 1)
                    + " > /proc/sys/net/ipv4/ip_local_port_range"
                    + " && echo 0 > /proc/sys/net/ipv4/tcp_tw_reuse"
                    + " && exec \"$@\"";

    private static final int LOOK_EVERY_MILLIS = 100;

    /// Two minutes.
    private static final int LOOKS = 1200;

    private FewPorts() {}

    /// Whether this process is the one with few ports.
    public static boolean areHere() {
        long ports = LoadLimits.ports();
        return ports > 0 && ports <= PORTS;
    }

    /// What the experiment measured with few ports; empty where there is no such namespace to be
    /// had.
    static Optional<List<Comparison.Row>> run(String experiment, Bench bench)
            throws InterruptedException {
        Path folder = bench.folder();
        return said(
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

    /// What jdyno prints when it is run with few ports; empty where there is no such namespace to
    /// be had.
    ///
    /// @param verb the command line after `jdyno`
    /// @param folder for its files
    /// @param stop ends it
    public static Optional<String> said(List<String> verb, Path folder, BooleanSupplier stop)
            throws InterruptedException {
        Path said = folder.resolve("few-ports.out");
        Path complaints = folder.resolve("few-ports.err");
        try {
            var builder =
                    new ProcessBuilder(command(verb))
                            .redirectOutput(said.toFile())
                            .redirectError(complaints.toFile());
            Inherited.byJdyno(builder.environment());
            Process process = builder.start();
            try {
                for (int i = 0; i < LOOKS && process.isAlive() && !stop.getAsBoolean(); i++) {
                    process.waitFor(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
                }
                if (process.isAlive()) {
                    return Optional.empty();
                }
            } finally {
                process.descendants().forEach(ProcessHandle::destroy);
                ServerProcess.end(process);
            }
            return Optional.of(Files.readString(said, StandardCharsets.UTF_8));
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
