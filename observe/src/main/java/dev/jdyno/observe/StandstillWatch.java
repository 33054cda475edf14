package dev.jdyno.observe;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Standstill;
import dev.jdyno.measure.Standstill.By;
import dev.jdyno.observe.host.Freezer;
import dev.jdyno.target.ProcFs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Detects whether the target is stopped. A stopped target answers nothing, and looks like a
/// saturated service. A thread of jdyno checks five times a second, in every phase; the target does
/// no work for it.
final class StandstillWatch implements AutoCloseable {
    static final Duration CHECK_INTERVAL = Duration.ofMillis(200);

    /// The same for an observation of days: stops of less than two seconds are not found.
    static final Duration SPARING_INTERVAL = Duration.ofSeconds(1);

    /// Number of checks in a row that must find the target stopped. A single check may coincide
    /// with a tracer (`jstack -F`, `strace`) that stops the target for a moment.
    private static final int CHECKS = 2;

    /// Maximum number of stops that are reported separately. A later stop extends the last one.
    private static final int MAX = 100;

    private final ProcFs proc;
    private final long pid;
    private final NanoClock clock;
    private final Freezer freezer;
    private final Duration interval;
    private final Thread watcher;
    private final List<Span> spans = new ArrayList<>();
    private Optional<Span> suspected = Optional.empty();
    private int looks;

    /// @param toNanos empty while the standstill lasts
    private record Span(By by, long fromNanos, Optional<Long> toNanos) {
        Span until(long nanos) {
            return new Span(by, fromNanos, Optional.of(nanos));
        }
    }

    /// Creates a watch that is not started yet.
    StandstillWatch(ProcFs proc, long pid, NanoClock clock) {
        this(proc, pid, clock, CHECK_INTERVAL);
    }

    private StandstillWatch(ProcFs proc, long pid, NanoClock clock, Duration interval) {
        this.interval = interval;
        this.proc = proc;
        this.pid = pid;
        this.clock = clock;
        this.freezer = Freezer.of(proc, pid);
        this.watcher = Thread.ofPlatform().name("jdyno-standstill").daemon().unstarted(this::watch);
    }

    static StandstillWatch over(ProcFs proc, long pid, NanoClock clock) {
        return over(proc, pid, clock, CHECK_INTERVAL);
    }

    static StandstillWatch over(ProcFs proc, long pid, NanoClock clock, Duration interval) {
        var watch = new StandstillWatch(proc, pid, clock, interval);
        watch.watcher.start();
        return watch;
    }

    private void watch() {
        try {
            while (!Thread.interrupted()) {
                look();
                Thread.sleep(interval);
            }
        } catch (InterruptedException closed) {
            // close() ends this thread in this way
        }
    }

    private Optional<By> stoppedBy() {
        return proc.stat(pid)
                .flatMap(s ->
                        switch (s[0]) {
                            case "T" -> Optional.of(By.SIGNAL);
                            case "t" -> Optional.of(By.DEBUGGER);
                            default ->
                                    freezer.frozen()
                                            ? Optional.of(By.CGROUP)
                                            : Optional.<By>empty();
                        });
    }

    private void look() {
        seen(stoppedBy(), clock.nanos());
    }

    /// Adds the result of one check.
    ///
    /// @param by what stopped the target; empty when it runs
    synchronized void seen(Optional<By> by, long nowNanos) {
        if (by.isEmpty()) {
            if (lasting().isPresent()) {
                spans.add(spans.removeLast().until(nowNanos));
            }
            suspected = Optional.empty();
            looks = 0;
            return;
        }
        if (suspected.isEmpty()) {
            suspected = Optional.of(new Span(by.get(), nowNanos, Optional.empty()));
        }
        looks++;
        if (looks == CHECKS) {
            spans.add(
                    spans.size() < MAX
                            ? suspected.get()
                            : new Span(by.get(), spans.removeLast().fromNanos(), Optional.empty()));
        }
    }

    private Optional<Span> lasting() {
        return spans.isEmpty() || spans.getLast().toNanos().isPresent()
                ? Optional.empty()
                : Optional.of(spans.getLast());
    }

    /// The present stop; empty when the target runs.
    ///
    /// @param originNanos time on jdyno's clock from which seconds are counted
    synchronized Optional<Standstill> now(long originNanos) {
        return lasting().map(s -> standstill(s, originNanos));
    }

    /// All stops that were detected, in order.
    synchronized List<Standstill> all(long originNanos) {
        return spans.stream().map(s -> standstill(s, originNanos)).toList();
    }

    private static Standstill standstill(Span span, long originNanos) {
        return new Standstill(
                span.by(),
                seconds(span.fromNanos(), originNanos),
                span.toNanos().map(n -> seconds(n, originNanos)));
    }

    private static double seconds(long nanos, long originNanos) {
        return Math.max(0, (nanos - originNanos) / 1e9);
    }

    @Override
    public void close() {
        watcher.interrupt();
    }
}
