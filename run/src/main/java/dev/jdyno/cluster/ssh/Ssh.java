package dev.jdyno.cluster.ssh;

import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// The OpenSSH client of this system. It is not interactive: a host with an unknown key, or one
/// that asks for a password, is an error.
///
/// @param program the client
/// @param configuration used in place of the user's `~/.ssh/config`
/// @param stop ends the running command
record Ssh(String program, Optional<Path> configuration, BooleanSupplier stop) {
    private static final List<String> FIXED =
            List.of(
                    "-T",
                    "-oBatchMode=yes",
                    "-oConnectTimeout=15",
                    "-oServerAliveInterval=5",
                    "-oServerAliveCountMax=4",
                    // a master process that stays in the background would hold our pipes open
                    "-oControlPath=none",
                    "-oClearAllForwardings=yes",
                    "-oForwardAgent=no",
                    "-oForwardX11=no",
                    "-oPermitLocalCommand=no",
                    "-oEscapeChar=none",
                    "-oRequestTTY=no",
                    "-oLogLevel=ERROR");

    /// Maximum length of a host's answer; the rest is not read.
    private static final int MOST_BYTES = 64 << 10;

    private static final long LOOK_MS = 100;
    private static final int NO_CONNECTION = 255;

    /// Writes the standard input of a command.
    @FunctionalInterface
    interface Input {
        void into(OutputStream to) throws IOException;
    }

    /// @param text standard output, at most 64 KiB of it
    record Answer(int code, String text, String errors) {}

    /// The words of one call. Only the last one is for a shell, the one of the host.
    List<String> words(Login login, String command) {
        List<String> words = new ArrayList<>();
        words.add(program);
        words.addAll(FIXED);
        configuration.ifPresent(c -> words.addAll(List.of("-F", c.toAbsolutePath().toString())));
        if (login.port() != 0) {
            words.addAll(List.of("-p", Integer.toString(login.port())));
        }
        if (!login.user().isEmpty()) {
            words.addAll(List.of("-l", login.user()));
        }
        words.addAll(List.of("--", login.host(), command));
        return words;
    }

    /// @throws UserError if there is no ssh, no connection, or no end within this time
    Answer run(Login login, String command, Input input, Duration atMost) {
        Process process;
        try {
            process = new ProcessBuilder(words(login, command)).start();
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot start " + program,
                            e.toString(),
                            "install the OpenSSH client (Debian: apt-get install openssh-client)")
                    .causedBy(e);
        }
        try {
            CompletableFuture<String> out = text(process.getInputStream());
            CompletableFuture<String> err = text(process.getErrorStream());
            CompletableFuture<Optional<IOException>> given = given(input, process);
            await(process, login, atMost);
            Answer answer = new Answer(process.exitValue(), out.join(), err.join());
            if (answer.code() == NO_CONNECTION) {
                throw UserError.target(
                        "ssh does not reach " + login,
                        said(answer),
                        "try: ssh -oBatchMode=yes " + login.host() + " true");
            }
            Optional<IOException> cut = given.join();
            if (cut.isPresent() && answer.code() == 0) {
                throw UserError.target(
                                "host " + login + " did not take all of it",
                                cut.get().toString(),
                                "run it again")
                        .causedBy(cut.get());
            }
            return answer;
        } finally {
            process.destroyForcibly();
        }
    }

    /// The last line of a host's error output.
    static String said(Answer answer) {
        return answer.errors()
                .lines()
                .filter(l -> !l.isBlank())
                .reduce((_, last) -> last)
                .map(Printable::line)
                .orElse("exit code " + answer.code());
    }

    private void await(Process process, Login login, Duration atMost) {
        long looks = atMost.toMillis() / LOOK_MS;
        try {
            for (long i = 0; !process.waitFor(LOOK_MS, TimeUnit.MILLISECONDS); i++) {
                if (stop.getAsBoolean()) {
                    throw interrupted(login);
                }
                if (i >= looks) {
                    throw UserError.target(
                            "host " + login + " does not answer",
                            String.format(
                                    Locale.ROOT, "nothing came of it in %d s", atMost.toSeconds()),
                            "look at the host, and run it again");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted(login).causedBy(e);
        }
    }

    private static UserError interrupted(Login login) {
        return UserError.target("host " + login, "interrupted", "run it again");
    }

    private static CompletableFuture<Optional<IOException>> given(Input input, Process process) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try (OutputStream to = process.getOutputStream()) {
                        input.into(to);
                        return Optional.empty();
                    } catch (IOException closed) {
                        // the host ended the command: its exit code is more precise
                        return Optional.of(closed);
                    }
                },
                r -> Thread.ofVirtual().name("jdyno-ssh-input").start(r));
    }

    private static CompletableFuture<String> text(InputStream from) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try (from) {
                        byte[] first = from.readNBytes(MOST_BYTES);
                        // a host that keeps sending must not block on a full pipe
                        from.transferTo(OutputStream.nullOutputStream());
                        return new String(first, StandardCharsets.UTF_8);
                    } catch (IOException ended) {
                        // the process was ended by us: its caller reports why
                        return "";
                    }
                },
                r -> Thread.ofVirtual().name("jdyno-ssh-output").start(r));
    }
}
