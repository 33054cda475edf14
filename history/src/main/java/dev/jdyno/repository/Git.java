package dev.jdyno.repository;

import dev.jdyno.foreign.ForeignText;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/// Runs git as a child process with fixed arguments. Everything that a repository's configuration
/// could make git run is switched off: hooks, pagers, file system monitors, programs for diffs and
/// signatures, transports. Environment variables that name another repository are removed.
final class Git {
    private static final int MAX_BYTES = 64 << 20;
    private static final int MAX_ERROR_BYTES = 1 << 20;

    /// Time limit: copying the files of a large repository takes minutes.
    private static final long MAX_MINUTES = 10;

    private static final List<String> FIXED =
            List.of(
                    "git",
                    "--no-pager",
                    "--no-replace-objects",
                    "-c",
                    "core.hooksPath=/dev/null",
                    "-c",
                    "core.fsmonitor=false",
                    "-c",
                    "core.pager=cat",
                    "-c",
                    "core.sshCommand=false",
                    "-c",
                    "core.quotePath=false",
                    "-c",
                    "protocol.allow=never",
                    "-c",
                    "submodule.recurse=false",
                    "-c",
                    "log.showSignature=false",
                    "-c",
                    "gc.auto=0",
                    "-c",
                    "maintenance.auto=false",
                    "-c",
                    "color.ui=false",
                    "-c",
                    "diff.external=",
                    "-c",
                    "i18n.logOutputEncoding=UTF-8");

    private final Path folder;

    /// @param folder folder in which git runs
    Git(Path folder) {
        this.folder = folder;
    }

    /// The output and exit code of git.
    ///
    /// @param output decoded as UTF-8; wrong bytes are replaced
    /// @param error error output of git
    record Output(int code, String output, String error) {
        boolean isGood() {
            return code == 0;
        }
    }

    /// Runs git and returns its output.
    ///
    /// @throws UserError if git fails
    String ask(List<String> arguments) throws InterruptedException {
        Output answer = run(arguments);
        if (!answer.isGood()) {
            throw UserError.usage(
                    "git " + arguments.getFirst() + " fails in " + folder,
                    answer.error().isBlank()
                            ? "exit code " + answer.code()
                            : answer.error().strip(),
                    "run the same git command there by hand");
        }
        return answer.output();
    }

    /// @throws UserError if git is missing, does not end, or prints too much
    Output run(List<String> arguments) throws InterruptedException {
        List<String> command = new ArrayList<>(FIXED);
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
        builder.environment().put("GIT_TERMINAL_PROMPT", "0");
        builder.environment().put("LC_ALL", "C");
        try {
            Process process = builder.start();
            try {
                process.getOutputStream().close();
                var output = read(process.getInputStream(), MAX_BYTES);
                var error = read(process.getErrorStream(), MAX_ERROR_BYTES);
                if (!process.waitFor(MAX_MINUTES, TimeUnit.MINUTES)) {
                    throw UserError.usage(
                            "git " + arguments.getFirst() + " does not end",
                            "it had not after " + MAX_MINUTES + " minutes",
                            "run the same git command in " + folder + " by hand");
                }
                return new Output(process.exitValue(), output.join(), error.join());
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException noGit) {
            throw UserError.usage(
                            "cannot run git in " + folder,
                            String.valueOf(noGit.getMessage()),
                            "install git, or put it on the PATH")
                    .causedBy(noGit);
        } catch (CompletionException unread) {
            throw UserError.usage(
                            "cannot read what git " + arguments.getFirst() + " prints",
                            Optional.ofNullable(unread.getCause())
                                    .map(c -> String.valueOf(c.getMessage()))
                                    .orElse(""),
                            "give commits that are nearer to each other")
                    .causedBy(unread);
        }
    }

    /// Reads in another thread, because the process would block on a full pipe.
    private static CompletableFuture<String> read(InputStream from, int max) {
        CompletableFuture<String> text = new CompletableFuture<>();
        Thread _ =
                Thread.ofVirtual()
                        .start(() -> {
                            try (from) {
                                text.complete(
                                        new String(
                                                ForeignText.bytes(from, max),
                                                StandardCharsets.UTF_8));
                            } catch (IOException | RuntimeException unread) {
                                text.completeExceptionally(unread);
                            }
                        });
        return text;
    }
}
