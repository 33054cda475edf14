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

/// Whether the target runs at all: one that was stopped answers nothing, and looks like a service
/// at its limit. Looked at five times a second by a thread of ours, in every phase; the target does
/// nothing for it.
final class StandstillWatch implements AutoCloseable {
    static final Duration LOOK_EVERY = Duration.ofMillis(200);

    /// One look may meet a tracer at work (`jstack -F`, `strace`), for which it stands a moment.
    private static final int LOOKS = 2;

    /// As many are reported one by one; later ones become part of the last one.
    private static final int MOST = 100;

    private final ProcFs proc;
    private final long pid;
    private final NanoClock clock;
    private final Freezer freezer;
    private final Thread looker;
    private final List<Span> spans = new ArrayList<>();
    private Optional<Span> suspected = Optional.empty();
    private int looks;

    /// @param toNanos empty while it lasts
    private record Span(By by, long fromNanos, Optional<Long> toNanos) {
        Span until(long nanos) {
            return new Span(by, fromNanos, Optional.of(nanos));
        }
    }

    /// Looks at nothing yet.
    StandstillWatch(ProcFs proc, long pid, NanoClock clock) {
        this.proc = proc;
        this.pid = pid;
        this.clock = clock;
        this.freezer = Freezer.of(proc, pid);
        this.looker = Thread.ofPlatform().name("jdyno-standstill").daemon().unstarted(this::watch);
    }

    static StandstillWatch over(ProcFs proc, long pid, NanoClock clock) {
        var watch = new StandstillWatch(proc, pid, clock);
        watch.looker.start();
        return watch;
    }

    private void watch() {
        try {
            while (!Thread.interrupted()) {
                look();
                Thread.sleep(LOOK_EVERY);
            }
        } catch (InterruptedException closed) {
            // close() ends this thread so
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

    /// @param by what one look found
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
        if (looks == LOOKS) {
            spans.add(
                    spans.size() < MOST
                            ? suspected.get()
                            : new Span(by.get(), spans.removeLast().fromNanos(), Optional.empty()));
        }
    }

    private Optional<Span> lasting() {
        return spans.isEmpty() || spans.getLast().toNanos().isPresent()
                ? Optional.empty()
                : Optional.of(spans.getLast());
    }

    /// Since when it is stopped; empty when it runs.
    ///
    /// @param originNanos on our clock, from where seconds are counted
    synchronized Optional<Standstill> now(long originNanos) {
        return lasting().map(s -> standstill(s, originNanos));
    }

    /// All that were seen, in order.
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
        looker.interrupt();
    }
}
