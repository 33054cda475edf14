package dev.jdyno.cluster.up;

import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.text.UserError;
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

/// A client program of the user, such as `ssh`: one command at a time, without a terminal, with
/// limits for its time and its output.
///
/// @param install how to install the program, for the error if it is missing
/// @param mostBytes maximum length of an output; the rest is read and not kept
/// @param stop ends the running command
public record UserProgram(String install, int mostBytes, BooleanSupplier stop) {
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

    private record Kept(String text, boolean whole) {}

    /// @param peer what the command is about, for messages
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
            CompletableFuture<Kept> out = kept(process.getInputStream());
            CompletableFuture<Kept> err = kept(process.getErrorStream());
            CompletableFuture<Optional<IOException>> given = given(input, process);
            await(CompletableFuture.allOf(process.onExit(), out, err, given), peer, atMost);
            Kept text = out.join();
            return new Answer(
                    process.exitValue(),
                    text.text(),
                    err.join().text(),
                    text.whole(),
                    given.join());
        } finally {
            // first its children, which nothing names once it has ended
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /// Waits for the process and for the ends of its pipes, which a child of it can keep open.
    private void await(CompletableFuture<Void> end, String peer, Duration atMost) {
        long looks = atMost.toMillis() / CHECK_INTERVAL_MS;
        try {
            for (long i = 0; !isDone(end); i++) {
                if (stop.getAsBoolean()) {
                    throw interrupted(peer);
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

    private CompletableFuture<Kept> kept(InputStream from) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try (from) {
                        byte[] first = from.readNBytes(mostBytes);
                        // a peer that keeps sending must not block on a full pipe
                        long more = from.transferTo(OutputStream.nullOutputStream());
                        return new Kept(new String(first, StandardCharsets.UTF_8), more == 0);
                    } catch (IOException ended) {
                        // the process was ended by us: its caller reports why
                        return new Kept("", false);
                    }
                },
                r -> Thread.ofVirtual().name("jdyno-client-output").start(r));
    }
}
