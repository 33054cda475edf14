package dev.jdyno.target;

import dev.jdyno.measure.NanoClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;

/// A command line of the user's that ends by itself, such as a build. Processes that it started and
/// left running are ended with it, because a build's daemon would take CPU time from later
/// measurements. None of its processes outlives jdyno.
public final class Errand {
    /// Time between two checks for a wish to stop.
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(100);

    private Errand() {}

    /// The outcome.
    public sealed interface End {
        /// Ended with exit code 0.
        record Done() implements End {}

        /// @param why the reason with the last lines of its output
        record Failed(String why) implements End {}

        /// Ended on request.
        record Stopped() implements End {}
    }

    /// Runs the command line as a shell would.
    ///
    /// @param folder working folder
    /// @param output file for its standard output and error
    /// @param max maximum duration
    /// @param stop checked ten times a second; true ends it
    /// @throws dev.jdyno.measure.text.UserError when there is no shell to run it
    public static End run(
            String commandLine,
            Path folder,
            Path output,
            Duration max,
            NanoClock clock,
            BooleanSupplier stop)
            throws InterruptedException {
        long began = clock.nanos();
        Launched launched =
                Launched.start(
                        List.of("sh", "-c", commandLine),
                        Optional.of(folder),
                        output,
                        ProcFs.SYSTEM);
        try {
            while (!stop.getAsBoolean()) {
                OptionalInt code = launched.awaitExit(CHECK_INTERVAL);
                if (code.isPresent()) {
                    return code.getAsInt() == 0
                            ? new End.Done()
                            : new End.Failed(
                                    "exit code "
                                            + code.getAsInt()
                                            + "; its last words were"
                                            + launched.lastLines());
                }
                if (clock.nanos() - began > max.toNanos()) {
                    return new End.Failed(
                            "it had not ended after "
                                    + max.toMinutes()
                                    + " min; its last words were"
                                    + launched.lastLines());
                }
            }
            return new End.Stopped();
        } finally {
            var _ = launched.end(Target.STOP_LIMIT, clock);
        }
    }
}
