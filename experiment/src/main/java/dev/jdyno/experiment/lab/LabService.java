package dev.jdyno.experiment.lab;

import dev.jdyno.experiment.server.ServerProcess;
import dev.jdyno.measure.text.UserError;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One running service of the lab: a process that has printed its port.
public final class LabService implements Lab.Running {
    private static final Pattern LISTENING = Pattern.compile("listening on (\\d+)");
    private static final int START_SECONDS = 60;

    private final Process process;
    private final int port;

    private LabService(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static LabService start(String name, List<String> command, Path folder) {
        Path errors = folder.resolve(name + ".err");
        Process process;
        try {
            process =
                    ServerProcess.sample(command)
                            .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
                            .start();
        } catch (IOException e) {
            throw UserError.target(
                            "cannot start the lab's " + name,
                            String.valueOf(e.getMessage()),
                            "check that " + command.getFirst() + " runs")
                    .causedBy(e);
        }
        var reader =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        var port = new CompletableFuture<Integer>();
        // not a virtual thread: reading a pipe blocks its carrier, and there are only as many as
        // cores
        Thread.ofPlatform().daemon().name("lab-output").start(() -> read(reader, port));
        try {
            return new LabService(process, port.get(START_SECONDS, TimeUnit.SECONDS));
        } catch (ExecutionException | TimeoutException e) {
            process.destroyForcibly();
            throw UserError.target(
                            "the lab's " + name + " did not start",
                            tail(errors, e),
                            "fix the cause in that message, then run it again")
                    .causedBy(e);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw UserError.target("interrupted", "while " + name + " started", "run it again")
                    .causedBy(e);
        }
    }

    /// Reads the output to its end, so that the service never blocks on a full pipe.
    private static void read(BufferedReader reader, CompletableFuture<Integer> port) {
        try (reader) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                Matcher m = LISTENING.matcher(line);
                if (m.find()) {
                    port.complete(Integer.parseInt(m.group(1)));
                }
            }
            port.completeExceptionally(new IOException("it ended before it listened"));
        } catch (IOException e) {
            port.completeExceptionally(e);
        }
    }

    private static String tail(Path errors, Exception e) {
        try {
            List<String> lines = Files.readAllLines(errors, StandardCharsets.UTF_8);
            if (!lines.isEmpty()) {
                return String.join(
                        " | ", lines.subList(Math.max(0, lines.size() - 3), lines.size()));
            }
        } catch (IOException unreadable) {
            e.addSuppressed(unreadable);
        }
        return String.valueOf(e.getMessage());
    }

    public long pid() {
        return process.pid();
    }

    /// CPU time since the start of the service, in seconds; 0 if the system does not report it.
    public double cpuSeconds() {
        return process.info().totalCpuDuration().map(d -> d.toNanos() / 1e9).orElse(0.0);
    }

    public int port() {
        return port;
    }

    public URI url(String pathAndQuery) {
        return URI.create("http://127.0.0.1:" + port + pathAndQuery);
    }

    @Override
    public void close() {
        ServerProcess.end(process);
    }
}
