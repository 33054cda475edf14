package dev.jdyno.gclog;

import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.gc.GcLogFigures;
import dev.jdyno.measure.text.UserError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Adds the figures of the GC log in a run's folder to the run's result.
public final class GcLogReading {
    private GcLogReading() {}

    /// The result with the log's figures. If the log cannot be read, the result has the reason
    /// among its missing values. Without a log, or with a log without collections, the result is
    /// unchanged.
    public static RunResult added(RunResult result, Path folder) {
        Path log = folder.resolve("gc.log");
        if (!Files.isRegularFile(log)) {
            return result;
        }
        try {
            GcLogFigures figures = GcLog.read(List.of(log), GcLog.Options.DEFAULT).figures();
            return figures.collections().isEmpty()
                    ? result
                    : result.withGcLog(figures.withRunBegan(runBegan(result)));
        } catch (UserError unread) {
            TargetFacts facts = result.target();
            return result.withTarget(
                    facts.with(
                            List.of(), List.of("gc.log: " + unread.what() + ": " + unread.why())));
        }
    }

    /// Start of the run in seconds since the JVM started, which is the clock of its log.
    private static Optional<Double> runBegan(RunResult result) {
        return result.target()
                .jvmStart()
                .map(start -> Duration.between(start, result.jdyno().startedAt()).toNanos() / 1e9);
    }
}
