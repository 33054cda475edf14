package dev.jdyno.cluster.load;

import dev.jdyno.cluster.Duty;
import dev.jdyno.cluster.Facts;
import dev.jdyno.cluster.Group;
import dev.jdyno.cluster.Handlers;
import dev.jdyno.cluster.Repeated;
import dev.jdyno.load.LoadSession;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.request.LoadSpecBuilder;
import dev.jdyno.load.statistics.WindowText;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.locks.LockSupport;

/// An agent's share of a load: the load engine of this process, under orders.
///
/// It sends load only while it has a lease from the founder. The lease ends when the founder ends
/// it or is silent for {@link Group#SILENCE}: a dead man's switch. Leases have rising numbers, and
/// an ended one never begins again, even if an order arrives late.
public final class LoadDuty implements Duty {
    private static final long CHECK_INTERVAL_MS = 100;

    /// Maximum time by which an order may precede its instant; an order further ahead is refused.
    private static final long MAX_AHEAD_NANOS = Duration.ofSeconds(3).toNanos();

    /// Maximum time by which an order may be late; a later one was delayed on its way.
    private static final long MAX_LATENESS_NANOS = Duration.ofSeconds(1).toNanos();

    private record Lease(long number, LoadSession session) {}

    private final Allowance allowance;
    private final NanoClock clock;
    private final ExecutorService orders =
            Executors.newSingleThreadExecutor(
                    r -> Thread.ofPlatform().name("jdyno-load-orders").daemon().unstarted(r));
    private final ScheduledExecutorService watch =
            Executors.newSingleThreadScheduledExecutor(
                    r -> Thread.ofPlatform().name("jdyno-dead-man").daemon().unstarted(r));
    private Optional<Lease> lease = Optional.empty();
    private long highest;

    public LoadDuty(Allowance allowance, NanoClock clock) {
        this.allowance = allowance;
        this.clock = clock;
    }

    @Override
    public Facts.Role role() {
        return Facts.Role.LOAD;
    }

    @Override
    public void handle(Handlers handlers) {
        handlers.answer(LoadCalls.ASSIGN, orders, (_, a) -> assign(a))
                .answer(LoadCalls.LEVEL, orders, (_, order) -> level(order))
                .answer(LoadCalls.CUT, orders, (_, cut) -> cut(cut))
                .on(LoadCalls.END, orders, (_, done) -> end(done.lease()));
    }

    @Override
    public void begin(Group group) {
        Repeated.every(
                watch,
                CHECK_INTERVAL_MS,
                () -> {
                    if (group.isFounderSilent()) {
                        end();
                    }
                },
                group::fail);
    }

    private synchronized LoadCalls.Ready assign(Assignment wanted) {
        if (wanted.lease() <= highest) {
            throw lapsed(wanted.lease());
        }
        highest = wanted.lease();
        end();
        LoadSpecBuilder spec = wanted.spec();
        allowance.check(URI.create(wanted.url()));
        LoadSession session =
                LoadSession.start(spec.build(), clock, new SplittableRandom(wanted.seed()));
        session.take(); // the start-up is not part of the first window
        lease = Optional.of(new Lease(wanted.lease(), session));
        return new LoadCalls.Ready(session.transport());
    }

    private LoadCalls.Done level(LevelOrder order) {
        Level level = order.level();
        allowance.check(level);
        if (!(level instanceof Level.Idle)) { // an end is never too late
            await(order.lease(), order.atNanos());
        }
        synchronized (this) {
            current(order.lease()).apply(level);
        }
        return new LoadCalls.Done(order.lease());
    }

    private String cut(LoadCalls.Cut cut) {
        await(cut.lease(), cut.atNanos());
        synchronized (this) {
            return WindowText.of(current(cut.lease()).take());
        }
    }

    /// Waits for the instant without holding the lock, because the dead man's switch must not wait.
    private void await(long number, long atNanos) {
        LoadSession _ = current(number);
        long ahead = atNanos - clock.nanos();
        if (ahead > MAX_AHEAD_NANOS || ahead < -MAX_LATENESS_NANOS) {
            throw new UserError(
                    UserError.Kind.INVALID,
                    "an order came at the wrong time",
                    "it was for " + ahead / 1_000_000 + " ms from now",
                    "see whether the hosts' connection is overloaded");
        }
        while (ahead > 0) {
            LockSupport.parkNanos(ahead);
            ahead = atNanos - clock.nanos();
        }
    }

    private synchronized LoadSession current(long number) {
        return lease.filter(l -> l.number() == number)
                .map(Lease::session)
                .orElseThrow(() -> lapsed(number));
    }

    private static UserError lapsed(long number) {
        return new UserError(
                UserError.Kind.INVALID,
                "its lease has ended",
                "lease "
                        + number
                        + " is over: no message came from the run for "
                        + Group.SILENCE.toMillis()
                        + " ms, or has ended it",
                "run again");
    }

    private synchronized void end(long number) {
        if (lease.filter(l -> l.number() == number).isPresent()) {
            end();
        }
    }

    private synchronized void end() {
        Optional<Lease> ending = lease;
        lease = Optional.empty();
        ending.ifPresent(l -> l.session().close());
    }

    @Override
    public void close() {
        watch.shutdownNow();
        orders.shutdownNow();
        end();
    }
}
