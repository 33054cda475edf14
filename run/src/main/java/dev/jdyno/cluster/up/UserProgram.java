package dev.jdyno.cluster.up;

import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.text.UserError;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/// A client program of the user, such as `ssh`: one command at a time, without a terminal, with
/// limits for its time and its output.
///
/// @param install how to install the program, for the error if it is missing
/// @param mostBytes maximum length of an output; the rest is read and not kept
/// @param stop ends the running command
public record UserProgram(String install, int mostBytes, BooleanSupplier stop) {
    /// Maximum time without output after the end of a command whose pipes a child keeps open.
    public static final Duration PIPES_LIMIT = Duration.ofSeconds(1);

    private static final long CHECK_INTERVAL_MS = 100;
    private static final int MAX_OUTPUT_CHARS = 300;

    /// Writes the standard input of a command.
    @FunctionalInterface
    public interface Input {
        void into(OutputStream to) throws IOException;
    }

    /// The result of a command. Its texts come from another host, and are not checked.
    ///
    /// @param text standard output, at most the limit
    /// @param errors standard error, at most the limit
    /// @param whole false if the standard output was longer than the limit
    /// @param cut the failure if the program closed its input before all was written
    public record Answer(
            int code, String text, String errors, boolean whole, Optional<IOException> cut) {
        /// The last line of the error output, without characters that a terminal obeys, and at most
        /// {@value #MAX_OUTPUT_CHARS} characters of it.
        public String lastError() {
            return errors.lines()
                    .filter(l -> !l.isBlank())
                    .reduce((_, last) -> last)
                    .map(Printable::line)
                    .map(l ->
                            l.length() <= MAX_OUTPUT_CHARS
                                    ? l
                                    : l.substring(0, MAX_OUTPUT_CHARS) + "…")
                    .orElse("exit code " + code);
        }
    }

    /// An output so far.
    private static final class Output {
        private final ByteArrayOutputStream first = new ByteArrayOutputStream();
        private final int mostBytes;
        private long length;
        private boolean failed;

        Output(int mostBytes) {
            this.mostBytes = mostBytes;
        }

        /// Adds bytes. After the limit they are only counted: a peer that keeps sending must not
        /// block on a full pipe.
        synchronized void add(byte[] chunk, int count) {
            first.write(chunk, 0, Math.min(count, mostBytes - first.size()));
            length += count;
        }

        synchronized void fail() {
            failed = true;
        }

        synchronized long length() {
            return length;
        }

        synchronized boolean isWhole() {
            return !failed && length <= mostBytes;
        }

        synchronized String text() {
            return first.toString(StandardCharsets.UTF_8);
        }
    }

    /// @param peer subject of the command, for messages
    /// @param words the program and its arguments
    /// @throws UserError if the program cannot be started, is stopped, or does not end in time
    public Answer run(String peer, List<String> words, Input input, Duration atMost) {
        Process process;
        try {
            process = new ProcessBuilder(words).start();
        } catch (IOException e) {
            throw UserError.usage("cannot start " + words.getFirst(), e.toString(), install)
                    .causedBy(e);
        }
        try {
            var out = new Output(mostBytes);
            var err = new Output(mostBytes);
            CompletableFuture<Optional<IOException>> given = given(input, process);
            CompletableFuture<Void> end =
                    CompletableFuture.allOf(
                            process.onExit(),
                            read(process.getInputStream(), out),
                            read(process.getErrorStream(), err),
                            given);
            await(process, end, () -> out.length() + err.length(), peer, atMost);
            return new Answer(
                    process.exitValue(),
                    out.text(),
                    err.text(),
                    out.isWhole(),
                    given.getNow(Optional.of(new IOException("its input is not read"))));
        } finally {
            // its children first, because they cannot be found once it has ended
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /// Waits for the process and for the ends of its pipes. A child of it can keep them open: then
    /// the wait ends when no byte has come for {@link #PIPES_LIMIT}.
    private void await(
            Process process,
            CompletableFuture<Void> end,
            LongSupplier length,
            String peer,
            Duration atMost) {
        long looks = atMost.toMillis() / CHECK_INTERVAL_MS;
        long quiet = 0;
        long before = 0;
        try {
            for (long i = 0; !isDone(end); i++) {
                if (stop.getAsBoolean()) {
                    throw interrupted(peer);
                }
                long now = length.getAsLong();
                quiet = process.isAlive() || now != before ? 0 : quiet + 1;
                before = now;
                if (quiet > PIPES_LIMIT.toMillis() / CHECK_INTERVAL_MS) {
                    return;
                }
                if (i >= looks) {
                    throw UserError.target(
                            peer + " does not answer",
                            String.format(
                                    Locale.ROOT, "it did not end within %d s", atMost.toSeconds()),
                            "look at it, and run this again");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted(peer).causedBy(e);
        }
    }

    private static boolean isDone(CompletableFuture<Void> end) throws InterruptedException {
        try {
            end.get(CHECK_INTERVAL_MS, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException notYet) {
            return false;
        } catch (ExecutionException failed) {
            return true; // the part that failed reports it where its result is taken
        }
    }

    private static UserError interrupted(String peer) {
        return UserError.target(peer, "interrupted", "run it again");
    }

    private static CompletableFuture<Optional<IOException>> given(Input input, Process process) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try (OutputStream to = process.getOutputStream()) {
                        input.into(to);
                        return Optional.empty();
                    } catch (IOException closed) {
                        // the program has ended: its exit code is more precise
                        return Optional.of(closed);
                    }
                },
                r -> Thread.ofVirtual().name("jdyno-client-input").start(r));
    }

    private static CompletableFuture<Void> read(InputStream from, Output to) {
        return CompletableFuture.runAsync(
                () -> {
                    try (from) {
                        byte[] chunk = new byte[1 << 13];
                        for (int n = from.read(chunk); n >= 0; n = from.read(chunk)) {
                            to.add(chunk, n);
                        }
                    } catch (IOException ended) {
                        // the process was ended by us: its caller reports why
                        to.fail();
                    }
                },
                r -> Thread.ofVirtual().name("jdyno-client-output").start(r));
    }
}
