package dev.jdyno.observe.threads;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Unseen;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.observe.gc.GcCounters;
import dev.jdyno.observe.stacks.SourceLines;
import dev.jdyno.observe.stacks.ThreadDump;
import dev.jdyno.target.Target;
import java.util.Optional;
import java.util.function.Supplier;

/// The thread dumps of one window. Each of them may fail. Failures are counted and reported;
/// earlier dumps and other data are not affected. A JVM without free file descriptors, for example,
/// accepts no connection from jdyno.
public final class Dumps {
    /// Number of failures in a row after which no more dumps are requested. The rest of the window
    /// is needed for other data.
    static final int FAILED_IN_A_ROW = 2;

    private final Target target;
    private final NanoClock clock;
    private final Supplier<Optional<GcCounters>> counters;
    private final SourceLines lines = new SourceLines();
    private int asked;
    private int failed;
    private int failedInARow;
    private String why = "";

    /// @param counters the JVM's own counters, which contain the length of its stops
    public Dumps(Target target, NanoClock clock, Supplier<Optional<GcCounters>> counters) {
        this.target = target;
        this.clock = clock;
        this.counters = counters;
    }

    /// @param pauseMs time for which the target was stopped
    /// @param syncMs time until its last thread had stopped: long if its threads do not get a core
    public record Dumped(ThreadDump dump, double pauseMs, double syncMs) {}

    /// The next dump; empty when it failed.
    public Optional<Dumped> take() throws InterruptedException {
        if (failedInARow >= FAILED_IN_A_ROW) {
            return Optional.empty();
        }
        asked++;
        try {
            Dumped dumped = dump();
            failedInARow = 0;
            return Optional.of(dumped);
        } catch (UserError refused) {
            failed++;
            failedInARow++;
            why = refused.why();
            return Optional.empty();
        }
    }

    private Dumped dump() throws InterruptedException {
        Optional<GcCounters> before = counters.get();
        long start = clock.nanos();
        String text = target.jcmd().run("Thread.print");
        double tookMs = (clock.nanos() - start) / 1e6;
        lines.addDump(text);
        Optional<GcCounters> after = counters.get();
        if (before.isEmpty() || after.isEmpty()) {
            return new Dumped(ThreadDump.parse(text), tookMs, 0);
        }
        double pauseMs = Math.min(tookMs, stoppedMs(before.get(), after.get()));
        double syncMs =
                (after.get().safepointSyncNanos() - before.get().safepointSyncNanos()) / 1e6;
        return new Dumped(
                ThreadDump.parse(text), pauseMs, Math.clamp(syncMs, 0.0, tookMs - pauseMs));
    }

    /// Time at safepoints for other reasons than the collector.
    private static double stoppedMs(GcCounters before, GcCounters after) {
        long safepoints = after.safepointNanos() - before.safepointNanos();
        long collector = after.pauseNanosSince(before);
        return Math.max(0, safepoints - collector) / 1e6;
    }

    /// The source lines of the methods in the dumps.
    public SourceLines lines() {
        return lines;
    }

    /// The missing dumps, with the last reason; empty when no dump failed.
    public Optional<Unseen> missing() {
        if (failed == 0) {
            return Optional.empty();
        }
        String last = failedInARow >= FAILED_IN_A_ROW ? "; then no more were asked for" : "";
        return Optional.of(
                new Unseen(
                        "thread dumps",
                        failed == asked
                                ? why + "; what its threads wait for was not seen"
                                : failed
                                        + " of "
                                        + asked
                                        + " failed, the last one for: "
                                        + why
                                        + last));
    }
}
