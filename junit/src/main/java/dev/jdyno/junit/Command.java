package dev.jdyno.junit;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// The `jdyno` command and how to start it.
///
/// @param words program and first arguments
record Command(List<String> words) {
    static final String PROPERTY = "jdyno.command";
    static final String VARIABLE = "JDYNO_COMMAND";

    /// Exit code of a measurement that cannot be trusted.
    static final int INVALID = 3;

    /// Exit codes with a printed result: valid, invalid, regression.
    private static final Set<Integer> MEASURED = Set.of(0, INVALID, 4);

    /// JDK of the command; older ones run the tests, but not its jar.
    private static final int JDK = 25;

    private static final Duration TO_END = Duration.ofSeconds(10);

    /// The output of a command that has ended.
    record Ended(int exitCode, String output, Path folder) {}

    /// @throws DynoException when the command is not found
    static Command found() {
        return found(
                Optional.ofNullable(System.getProperty(PROPERTY)),
                Optional.ofNullable(System.getenv(VARIABLE)),
                Optional.ofNullable(System.getenv("PATH")).orElse(""));
    }

    static Command found(Optional<String> property, Optional<String> variable, String path) {
        if (property.isPresent()) {
            return of(property.get(), "the system property " + PROPERTY);
        }
        if (variable.isPresent()) {
            return of(variable.get(), "the environment variable " + VARIABLE);
        }
        for (String folder : path.split(File.pathSeparator)) {
            Path file = Path.of(folder, "jdyno");
            if (!folder.isEmpty() && Files.isExecutable(file) && Files.isRegularFile(file)) {
                return new Command(List.of(file.toString()));
            }
        }
        throw new DynoException(
                "the jdyno command is missing: it is neither in the system property "
                        + PROPERTY
                        + ", nor in the environment variable "
                        + VARIABLE
                        + ", nor on the PATH\n  fix: install jdyno, or give the path of its launcher"
                        + " (-D"
                        + PROPERTY
                        + "=/opt/jdyno/jdyno) or of jdyno.jar");
    }

    private static Command of(String text, String from) {
        Path file = Path.of(text).toAbsolutePath();
        if (!Files.isRegularFile(file)) {
            throw new DynoException(from + " names " + text + ", which is not a file");
        }
        if (text.endsWith(".jar")) {
            if (Runtime.version().feature() < JDK) {
                throw new DynoException(
                        from
                                + " names a jar, which needs JDK "
                                + JDK
                                + "; the tests run on "
                                + Runtime.version().feature()
                                + "\n  fix: name the launcher jdyno in the same folder, which finds a"
                                + " JDK");
            }
            return new Command(
                    List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                            "--enable-native-access=ALL-UNNAMED",
                            "-jar",
                            file.toString()));
        }
        if (!Files.isExecutable(file)) {
            throw new DynoException(from + " names " + text + ", which cannot be executed");
        }
        return new Command(List.of(file.toString()));
    }

    /// Runs the command to its end. On interrupt or timeout it ends the command, which ends what it
    /// started.
    ///
    /// @throws DynoException unless a result was printed
    Ended run(List<String> arguments, Map<String, String> env, Path folder, Duration timeout) {
        List<String> line = new ArrayList<>(words);
        line.addAll(arguments);
        Process process = started(line, env);
        try {
            CompletableFuture<String> output = text(process.getInputStream());
            CompletableFuture<String> errors = text(process.getErrorStream());
            if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new DynoException(
                        String.join(" ", line) + " took longer than " + timeout.toSeconds() + " s");
            }
            if (!MEASURED.contains(process.exitValue())) {
                throw new DynoException(
                        "jdyno "
                                + arguments.get(0)
                                + " ended with code "
                                + process.exitValue()
                                + "\n"
                                + errors.join().strip()
                                + "\n  command: "
                                + String.join(" ", line));
            }
            return new Ended(process.exitValue(), output.join(), folder);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DynoException("interrupted while jdyno measured", e);
        } finally {
            end(process);
        }
    }

    private static Process started(List<String> line, Map<String, String> env) {
        var builder = new ProcessBuilder(line);
        builder.environment().putAll(env);
        builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        try {
            return builder.start();
        } catch (IOException e) {
            throw new DynoException("cannot start " + line.get(0) + ": " + e.getMessage(), e);
        }
    }

    private static CompletableFuture<String> text(InputStream stream) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try (stream) {
                        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                task -> {
                    var thread = new Thread(task, "jdyno output");
                    thread.setDaemon(true);
                    thread.start();
                });
    }

    private static void end(Process process) {
        if (!process.isAlive()) {
            return;
        }
        boolean interrupted = Thread.interrupted();
        process.destroy();
        try {
            if (!process.waitFor(TO_END.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            interrupted = true;
            process.destroyForcibly();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
