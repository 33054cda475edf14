package dev.jdyno.load.loop;

import dev.jdyno.load.journey.Scripts;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.reply.HeadMemory;
import dev.jdyno.load.request.GrpcCalls;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.statistics.LoopStats;
import dev.jdyno.load.wire.Poller;
import dev.jdyno.load.wire.ThreadCpu;
import dev.jdyno.load.wire.WireOwner;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.load.Until;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// One thread with its own users and connections. Only {@link #execute} and {@link #failure} may be
/// called by other threads, so no locks are needed.
public final class EventLoop implements Runnable {
    /// Maximum number of connections that are being made at a time. More would only overflow the
    /// server's accept queue.
    private static final int MAX_CONNECTING = 256;

    /// Size of the read buffer in bytes. Bodies are skipped, so a larger buffer only saves calls.
    private static final int READ_BYTES = 64 * 1024;

    /// Number of checks for timeouts within one timeout. It limits how late a timeout is detected.
    private static final int SWEEPS_PER_TIMEOUT = 20;

    private static final long MIN_SWEEP_NANOS = 2_000_000L;
    private static final long MAX_SWEEP_NANOS = 100_000_000L;

    /// Time above which a turn counts as a stall. A turn handles at most 256 replies, which takes a
    /// millisecond or two.
    private static final long STALL_NANOS = 5_000_000L;

    final LoadSpec spec;
    final HeadMemory heads = new HeadMemory();
    final byte[] buffer = new byte[READ_BYTES];

    /// Buffer for bytes that HTTP/2 connections write to the kernel.
    final byte[] sending = new byte[READ_BYTES];

    /// The time of the last reading of the clock.
    long now;

    /// Time at which the replies that are being handled were reported ready.
    long batchStart;

    int connecting;

    /// Number of connections that broke while they had no request in flight.
    long idleFailures;

    /// Source of the trace ids.
    final RandomGenerator ids = new SplittableRandom();

    /// Time limit of a reply whose head has arrived.
    final long longestReplyNanos;

    LoopStats stats;
    Pacing pacing = new IdlePacing();

    private final NanoClock clock;
    private final Poller poller;
    private final int steps;
    private final RequestBudget budget;
    final Wires wires;
    private final LoopUsers making;
    private final Pacings pacings;
    private final Urgency urgency;
    private final List<User> users = new ArrayList<>();
    private final ArrayDeque<User> toOpen = new ArrayDeque<>();
    final Waiting waiting = new Waiting();
    final Unread unread = new Unread();
    private final ConcurrentLinkedQueue<Runnable> mail = new ConcurrentLinkedQueue<>();
    final long requestTimeoutNanos;
    private final long connectTimeoutNanos;

    /// True if a gRPC call may be answered by any number of messages.
    final boolean streamed;

    /// Deadline of a gRPC call, counted from its send. Infinite without a deadline.
    final long deadlineNanos;

    private final long sweepNanos;
    private int wanted;
    private long nextSweep;
    private boolean stopping;
    private long spinNanos;
    private volatile @Nullable Throwable failure;

    public EventLoop(
            int number,
            LoadSpec spec,
            Poller poller,
            List<SocketAddress> addresses,
            Optional<SSLContext> tls,
            Optional<? extends Scripts> journeys,
            RequestBudget budget,
            RandomGenerator random,
            NanoClock clock) {
        this.spec = spec;
        this.poller = poller;
        this.budget = budget;
        this.clock = clock;
        this.steps = LoopUsers.stepNames(spec, journeys).size();
        this.wires = new Wires(this, poller, tls);
        this.requestTimeoutNanos = spec.requestTimeout().toNanos();
        this.connectTimeoutNanos = spec.connectTimeout().toNanos();
        this.streamed = spec.isStreamed();
        this.deadlineNanos =
                spec.grpc()
                        .flatMap(GrpcCalls::deadline)
                        .map(Duration::toNanos)
                        .orElse(Long.MAX_VALUE);
        this.longestReplyNanos =
                spec.replies().until().orElse(null) instanceof Until.Time(Duration length)
                        ? length.toNanos()
                        : Long.MAX_VALUE;
        this.sweepNanos =
                Math.clamp(
                        Math.min(
                                        Math.min(longestReplyNanos, deadlineNanos),
                                        Math.min(requestTimeoutNanos, connectTimeoutNanos))
                                / SWEEPS_PER_TIMEOUT,
                        MIN_SWEEP_NANOS,
                        MAX_SWEEP_NANOS);
        this.now = clock.nanos();
        this.batchStart = now;
        this.stats = new LoopStats(now, steps);
        this.making = new LoopUsers(this, number, addresses, journeys, random);
        this.pacings = new Pacings(this, number, random);
        this.urgency = new Urgency(poller);
    }

    /// Runs a command on the loop's thread; callable from any thread.
    public void execute(Runnable command) {
        mail.add(command);
        poller.wakeup();
    }

    /// The exception that ended the loop; empty while it runs.
    public Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    @Override
    public void run() {
        try {
            poller.onItsThread(false);
            while (!stopping) {
                turn();
            }
        } catch (Throwable e) {
            failure = e;
        } finally {
            poller.close();
        }
    }

    private void turn() {
        runMail();
        tick();
        waiting.runDue(now);
        pacing.fire(now);
        if (now >= nextSweep) {
            sweep();
        }
        openMore();
        long before = tick();
        stalled(before - batchStart);
        long timeout = timeoutNanos(before);
        int ready = poller.poll(timeout);
        batchStart = tick();
        stats.waitedNanos += batchStart - before;
        if (ready == 0) {
            stalled(batchStart - before - timeout);
        }
        for (int i = 0; i < ready; i++) {
            WireOwner owner = poller.ready(i);
            if (owner != null) {
                owner.onReady();
                if (now >= pacing.nextArrival()) {
                    pacing.fire(now);
                }
            }
        }
        unread.readOn();
    }

    /// Counts a turn that took too long, or a sleep that ended too late, as a stall. The cause is a
    /// GC or safepoint of this process, or another process on the core.
    private void stalled(long nanos) {
        if (nanos > STALL_NANOS) {
            stats.stallNanos += nanos;
            stats.stalls++;
        }
    }

    private void runMail() {
        Runnable command;
        while ((command = mail.poll()) != null) {
            command.run();
        }
    }

    private void openMore() {
        while (connecting < MAX_CONNECTING && !toOpen.isEmpty()) {
            User user = toOpen.poll();
            if (user.isFree() && !isSurplus(user)) {
                user.open(now);
            }
        }
    }

    private void sweep() {
        nextSweep = now + sweepNanos;
        for (int i = 0; i < users.size(); i++) {
            users.get(i).checkTimeout(now, connectTimeoutNanos, requestTimeoutNanos);
        }
        pacing.expire(now, requestTimeoutNanos);
        urgency.look(now);
    }

    /// Maximum time for which the poller may sleep. It wakes before a due arrival by the spin time
    /// and then polls without sleeping, because a sleeping thread is woken 10–60 µs late.
    private long timeoutNanos(long from) {
        if (!unread.isEmpty()) {
            return 0;
        }
        long others = Math.min(nextSweep, waiting.first()) - from;
        long arrival = pacing.nextArrival();
        if (arrival == Long.MAX_VALUE) {
            return Math.max(0, others);
        }
        return Math.max(0, Math.min(others, arrival - spinNanos - from));
    }

    long tick() {
        now = clock.nanos();
        return now;
    }

    /// Queues a user without a connection. The loop connects it in its turn.
    void openLater(User user) {
        toOpen.add(user);
    }

    /// True if every connection of the level has been tried.
    public boolean isSettled() {
        return connecting == 0 && toOpen.isEmpty();
    }

    /// True if the level no longer needs this user.
    boolean isSurplus(User user) {
        return user.index() >= wanted;
    }

    /// True if one more request may be sent; takes it from the budget.
    boolean takeBudget() {
        return budget.take();
    }

    /// Changes the load. Users that are kept stay connected. Surplus users finish their request and
    /// close.
    ///
    /// @param share number of connections of this loop
    /// @param loops number of loops that share the rate of an open model
    public void apply(Level level, int share, int loops) {
        tick();
        boolean toIdle = level instanceof Level.Idle;
        boolean onTime = level instanceof Level.Open || level instanceof Level.Replay;
        urgency.onTime(onTime, now);
        pacing = pacings.next(pacing, level, share, loops);
        spinNanos = spec.spin().toNanos();
        if (toIdle) {
            toOpen.clear();
            return;
        }
        wanted = share * spec.usersPerConnection();
        for (User user : users) {
            user.parked = false;
            if (user.isFree()) {
                resume(user);
            }
        }
        while (users.size() < wanted) {
            User user = making.user(users.size());
            users.add(user);
            resume(user);
        }
    }

    /// Gives a free user work. Users that are connected, or that connect per request, start at
    /// once. The others start when they are connected, so that no latency includes the first
    /// connect.
    private void resume(User user) {
        if (user.isConnected() || !spec.keepAlive() || isSurplus(user)) {
            user.free(now);
        } else {
            toOpen.add(user);
        }
    }

    /// Returns the statistics since the last call and resets them.
    public LoopStats takeStats() {
        LoopStats taken = stats;
        taken.endNanos = tick();
        taken.inFlight = inFlight();
        taken.open = open();
        taken.cpuNanos = ThreadCpu.ofCurrentThread();
        taken.coreWaitNanos = ThreadCpu.waitOfCurrentThread();
        stats = new LoopStats(taken.endNanos, steps);
        stats.leastReplyNanos = taken.leastReplyNanos;
        return taken;
    }

    /// Number of requests that are in flight or wait to be sent.
    public long inFlight() {
        long busy = pacing.backlog();
        for (User user : users) {
            if (user.hasRequest()) {
                busy++;
            }
        }
        return busy;
    }

    private long open() {
        long open = 0;
        for (User user : users) {
            if (user.isConnected() || user.isBusy()) {
                open++;
            }
        }
        return open / spec.streams();
    }

    public String transport() {
        return poller.name();
    }

    /// Ends the loop and cuts off requests in flight.
    public void stop() {
        stopping = true;
    }
}
