package dev.jdyno.cli.gc;

import dev.jdyno.gclog.FollowedLog;
import dev.jdyno.gclog.GcLog;
import dev.jdyno.gclog.LiveTally;
import dev.jdyno.gclog.LogFiles;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.report.terminal.GcText;
import java.io.PrintWriter;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Follows a growing log until it is asked to stop. It prints a line if there are new events, at
/// most every few seconds.
final class GcFollow {
    private static final long CHECK_INTERVAL_NANOS = 250_000_000;

    /// Number of checks of the log per printed line. With four checks a second, a line is printed
    /// at most every 5 s.
    private static final int CHECKS_PER_LINE = 20;

    private final PrintWriter progress;
    private final BooleanSupplier stop;

    /// @param stop checked four times a second
    GcFollow(PrintWriter progress, BooleanSupplier stop) {
        this.progress = progress;
        this.stop = stop;
    }

    Analysis follow(LogFiles.Log log, GcLog.Options options) {
        LiveTally tally = new LiveTally();
        var counting = new GcLog.Options(options.pauseGoalMs(), options.also().andThen(tally));
        try (FollowedLog followed = new FollowedLog(log, counting)) {
            for (long look = 0; ; look++) {
                followed.poll();
                if (look % CHECKS_PER_LINE == 0) {
                    tally.take().map(GcText::line).ifPresent(progress::println);
                }
                if (stop.getAsBoolean()) {
                    return followed.finish();
                }
                LockSupport.parkNanos(CHECK_INTERVAL_NANOS);
            }
        }
    }
}
