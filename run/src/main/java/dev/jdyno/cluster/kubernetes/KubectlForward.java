package dev.jdyno.cluster.kubernetes;

import dev.jdyno.cluster.up.UserProgram;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A running `kubectl port-forward`. It ends with this process, also if this process is killed: a
/// shell waits for the end of its own input, which the kernel closes then.
///
/// The shell ends only the process that it has started: another process can have its id later.
/// Where the system has no `/proc`, the id alone decides.
///
/// Ctrl-C does not end it, because the run still talks to its agent then. So it has a session of
/// its own, where the system has `setsid`.
final class KubectlForward implements PortForward {
    private static final String SHELL =
            """
            trap '' INT HUP
            s=
            command -v setsid >/dev/null 2>&1 && s=setsid
            $s "$@" </dev/null &
            p=$!
            begun() {
              l=
              { IFS= read -r l </proc/$p/stat; } 2>/dev/null
              set -- ${l##*) }
              echo "${20-}"
            }
            b=$(begun)
            exec >/dev/null 2>&1
            cat >/dev/null
            [ "$(begun)" = "$b" ] && kill $p
            wait $p
            """;

    // Forwarding from 127.0.0.1:40123 -> 8080
    private static final Pattern LINE =
            Pattern.compile("Forwarding from 127\\.0\\.0\\.1:(\\d{1,5}) -> (\\d{1,5})");

    /// Maximum time until all ports are there.
    private static final Duration START_LIMIT = Duration.ofSeconds(30);

    private static final Duration STOP_LIMIT = Duration.ofSeconds(5);
    private static final long CHECK_INTERVAL_MS = 50;
    private static final int MAX_PORT = 65_535;

    /// Maximum length of a line. `kubectl` writes one for each connection.
    private static final int MAX_LINE = 1_000;

    private final Process process;
    private final Map<Integer, Integer> ports = new ConcurrentHashMap<>();
    private volatile String lastError = "";
    private final CompletableFuture<Void> output;
    private final CompletableFuture<Void> errors;

    private KubectlForward(Process process) {
        this.process = process;
        this.output = read(process.getInputStream(), this::printed);
        this.errors = read(process.getErrorStream(), line -> lastError = line);
    }

    /// @param program the Kubernetes client
    /// @param stop true ends the wait for the ports
    static PortForward.Opening by(String program, BooleanSupplier stop) {
        return (place, pod, remote) -> {
            List<String> words = new ArrayList<>(List.of("sh", "-c", SHELL, "sh", program));
            words.addAll(place);
            words.addAll(words(pod, remote));
            Process process;
            try {
                process = new ProcessBuilder(words).start();
            } catch (IOException e) {
                throw UserError.usage(
                                "cannot start sh", e.toString(), "let the PATH have a shell, sh")
                        .causedBy(e);
            }
            var forward = new KubectlForward(process);
            try {
                forward.await(pod, remote, stop);
                return forward;
            } catch (RuntimeException notOpened) {
                forward.close();
                throw notOpened;
            }
        };
    }

    /// The command after the options for the place.
    static List<String> words(String pod, List<Integer> remote) {
        List<String> words =
                new ArrayList<>(List.of("port-forward", "--address=127.0.0.1", "pod/" + pod));
        remote.forEach(port -> words.add(":" + port));
        return words;
    }

    private void await(String pod, List<Integer> remote, BooleanSupplier stop) {
        long looks = START_LIMIT.toMillis() / CHECK_INTERVAL_MS;
        for (long i = 0; !ports.keySet().containsAll(remote); i++) {
            if (stop.getAsBoolean()) {
                throw UserError.target("the port-forward", "interrupted", "run it again");
            }
            Optional<String> end = ended();
            if (end.isPresent() || i >= looks) {
                throw UserError.target(
                        "cannot forward ports of pod " + pod,
                        end.orElse("no port is there after " + START_LIMIT.toSeconds() + " s"),
                        "see that this works: kubectl port-forward pod/"
                                + pod
                                + " :"
                                + remote.getFirst());
            }
            pause();
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(CHECK_INTERVAL_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw UserError.target("the port-forward", "interrupted", "run it again").causedBy(e);
        }
    }

    private void printed(String line) {
        Matcher m = LINE.matcher(line);
        if (m.matches()) {
            int local = Integer.parseInt(m.group(1));
            int remote = Integer.parseInt(m.group(2));
            if (local > 0 && local <= MAX_PORT) {
                Integer _ = ports.putIfAbsent(remote, local);
            }
        }
    }

    @Override
    public int local(int remote) {
        return Objects.requireNonNull(ports.get(remote));
    }

    @Override
    public Optional<String> ended() {
        if (!output.isDone()) {
            return Optional.empty();
        }
        awaitErrors();
        return Optional.of(lastError.isBlank() ? "kubectl has ended" : Pod.sentence("", lastError));
    }

    /// Waits shortly for the rest of the error output, which a child of `kubectl` can keep open.
    private void awaitErrors() {
        try {
            errors.get(UserProgram.PIPES_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException open) {
            // the last line so far is the reason
        } catch (ExecutionException failed) {
            throw new IllegalStateException(failed);
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    /// Reads lines until the end. The rest of a line that is too long is dropped.
    private static CompletableFuture<Void> read(InputStream from, Consumer<String> lines) {
        return CompletableFuture.runAsync(
                () -> {
                    try (from) {
                        byte[] line = new byte[MAX_LINE];
                        int length = 0;
                        byte[] chunk = new byte[MAX_LINE];
                        for (int n = from.read(chunk); n >= 0; n = from.read(chunk)) {
                            for (int i = 0; i < n; i++) {
                                if (chunk[i] == '\n') {
                                    lines.accept(
                                            new String(line, 0, length, StandardCharsets.UTF_8));
                                    length = 0;
                                } else if (length < MAX_LINE) {
                                    line[length++] = chunk[i];
                                }
                            }
                        }
                    } catch (IOException ended) {
                        // the process was ended by us
                    }
                },
                r -> Thread.ofVirtual().name("jdyno-forward").start(r));
    }

    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            if (process.waitFor(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (IOException ended) {
            // it does not wait for input any more
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
