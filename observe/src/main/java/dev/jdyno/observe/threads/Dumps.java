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

/// The thread dumps of one window. Each may fail, which is counted and said, and costs neither
/// those before it nor what is known without dumps: a JVM that has run out of file descriptors
/// takes no connection of ours either.
public final class Dumps {
    /// So many in a row that failed are the last that are asked for: the window has other things to
    /// look at than a JVM that is silent.
    static final int FAILED_IN_A_ROW = 2;

    private final Target target;
    private final NanoClock clock;
    private final Supplier<Optional<GcCounters>> counters;
    private final SourceLines lines = new SourceLines();
    private int asked;
    private int failed;
    private int failedInARow;
    private String why = "";

    /// @param counters the JVM's own, which say how long it stood still
    public Dumps(Target target, NanoClock clock, Supplier<Optional<GcCounters>> counters) {
        this.target = target;
        this.clock = clock;
        this.counters = counters;
    }

    /// @param pauseMs for which the target stood still
    /// @param syncMs until its last thread had stopped: long when its threads do not get a core
    public record Dumped(ThreadDump dump, double pauseMs, double syncMs) {}

    /// The next one; empty when it could not be had.
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

    /// Time at safepoints that was not for the collector.
    private static double stoppedMs(GcCounters before, GcCounters after) {
        long safepoints = after.safepointNanos() - before.safepointNanos();
        long collector = after.pauseNanosSince(before);
        return Math.max(0, safepoints - collector) / 1e6;
    }

    /// At which lines the methods stood.
    public SourceLines lines() {
        return lines;
    }

    /// What was not seen, with the last reason; empty when every dump was given.
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
