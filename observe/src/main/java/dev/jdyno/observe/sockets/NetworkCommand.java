package dev.jdyno.observe.sockets;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A command that the system runs in a network namespace: in jdyno's, or in the separate one of a
/// process, such as a container.
public record NetworkCommand(List<String> words) {
    private static final long ENDS_WITHIN_S = 5;

    public NetworkCommand {
        words = List.copyOf(words);
    }

    public static NetworkCommand here(List<String> words) {
        return new NetworkCommand(words);
    }

    /// The command in the network namespace of a process; `nsenter` (util-linux) needs root.
    public static NetworkCommand inNetworkOf(long pid, List<String> words) {
        return new NetworkCommand(
                Stream.concat(
                                Stream.of("nsenter", "--target", Long.toString(pid), "--net"),
                                words.stream())
                        .toList());
    }

    /// The output of the command; empty if it is not installed, fails, or takes longer than five
    /// seconds.
    public Optional<String> output() throws InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(words)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            try {
                process.getOutputStream().close();
                // killing the process also ends the read below
                CompletableFuture.delayedExecutor(ENDS_WITHIN_S, TimeUnit.SECONDS)
                        .execute(process::destroyForcibly);
                String output =
                        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                return process.waitFor(ENDS_WITHIN_S, TimeUnit.SECONDS) && process.exitValue() == 0
                        ? Optional.of(output)
                        : Optional.empty();
            } finally {
                process.destroy();
            }
        } catch (IOException notInstalled) {
            return Optional.empty();
        }
    }
}
