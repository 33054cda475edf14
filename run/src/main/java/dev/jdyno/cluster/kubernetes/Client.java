package dev.jdyno.cluster.kubernetes;

import dev.jdyno.cluster.up.UserProgram;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// Runs one command of `kubectl`.
@FunctionalInterface
interface Client {
    /// @param input standard input of the command
    /// @throws dev.jdyno.measure.text.UserError if it cannot be started or does not end
    UserProgram.Answer run(List<String> words, byte[] input);

    /// Gives a client whose command ends as soon as `stop` is true.
    @FunctionalInterface
    interface Source {
        Client stoppedBy(BooleanSupplier stop);
    }

    /// Maximum length of an answer. A pod has about 8 KiB of JSON, and a run at most 1,000.
    int MAX_BYTES = 32 << 20;

    /// Maximum time of a command; `kubectl` itself gives each request to the API half of it.
    Duration LIMIT = Duration.ofSeconds(60);

    /// The client of this system.
    ///
    /// @param program found on the `PATH`
    static Source of(String program) {
        return stop -> {
            var client =
                    new UserProgram(
                            "install kubectl (Debian: apt-get install kubernetes-client), so that"
                                    + " the PATH has it",
                            MAX_BYTES,
                            stop);
            return (words, input) ->
                    client.run(
                            "kubectl",
                            Stream.concat(Stream.of(program), words.stream()).toList(),
                            to -> to.write(input),
                            LIMIT);
        };
    }
}
