package dev.jdyno.load;

import dev.jdyno.measure.NanoClock;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// One thread with users and connections of its own. Everything in it but {@link #execute} and
/// {@link #failure} belongs to that thread, so nothing is locked.
final class EventLoop implements Runnable {
    /// Connections being made at a time; more would only overflow the server's accept queue.
    private static final int MOST_CONNECTING = 256;

    /// Bytes read at a time. Bodies are skipped, so a larger buffer only saves calls.
    private static final int READ_BYTES = 64 * 1024;

    /// Timeouts are looked for this often per timeout, which is how late one can be noticed.
    private static final int SWEEPS_PER_TIMEOUT = 20;

    private static final long SWEEP_LEAST_NANOS = 2_000_000L;
    private static final long SWEEP_MOST_NANOS = 100_000_000L;

    final LoadSpec spec;
    final HeadMemory heads = new HeadMemory();
    final byte[] buffer = new byte[READ_BYTES];

    /// What HTTP/2 connections hand to the kernel passes through here.
    final byte[] sending = new byte[READ_BYTES];

    /// The time of the last look at the clock.
    long now;

    /// When the replies being handled were reported ready.
    long batchStart;

    int connecting;

    /// Idle connections that broke instead of closing in order; no request was out.
    long idleFailures;

    LoopStats stats;
    Pacing pacing = new IdlePacing();

    private final NanoClock clock;
    private final Poller poller;
    private final List<SocketAddress> addresses;
    private final Optional<SSLContext> tls;
    private final byte[] request;
    private final Optional<Journeys> journeys;
    private final RequestBudget budget;
    private final RandomGenerator random;
    private final int mostBacklog;
    private final int number;
    private final List<User> users = new ArrayList<>();
    private final List<Http2Group> groups = new ArrayList<>();
    private final ArrayDeque<User> toOpen = new ArrayDeque<>();
    private final DueQueue delayed = new DueQueue();
    private final ConcurrentLinkedQueue<Runnable> mail = new ConcurrentLinkedQueue<>();
    private final long requestTimeoutNanos;
    private final long connectTimeoutNanos;
    private final long sweepNanos;
    private int wanted;
    private long nextSweep;
    private boolean stopping;
    private long spinNanos;
    private volatile @Nullable Throwable failure;

    EventLoop(
            int number,
            LoadSpec spec,
            Poller poller,
            List<SocketAddress> addresses,
            Optional<SSLContext> tls,
            Optional<Journeys> journeys,
            RequestBudget budget,
            RandomGenerator random,
            NanoClock clock) {
        this.number = number;
        this.spec = spec;
        this.poller = poller;
        this.addresses = addresses;
        this.tls = tls;
        this.budget = budget;
        this.random = random;
        this.clock = clock;
        this.request = spec.encode(spec.parts());
        this.journeys = journeys;
        this.mostBacklog = Math.max(1, spec.mostBacklog() / spec.loops());
        this.requestTimeoutNanos = spec.requestTimeout().toNanos();
        this.connectTimeoutNanos = spec.connectTimeout().toNanos();
        this.sweepNanos =
                Math.clamp(
                        Math.min(requestTimeoutNanos, connectTimeoutNanos) / SWEEPS_PER_TIMEOUT,
                        SWEEP_LEAST_NANOS,
                        SWEEP_MOST_NANOS);
        this.now = clock.nanos();
        this.stats = new LoopStats(now, steps());
    }

    /// Has the loop run something; callable from any thread.
    void execute(Runnable command) {
        mail.add(command);
        poller.wakeup();
    }

    /// What the loop died of; empty while it lives.
    Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    @Override
    public void run() {
        try {
            if (poller instanceof EpollPoller) {
                Kernel.preciseTimers();
            }
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
        runDelayed();
        pacing.fire(now);
        if (now >= nextSweep) {
            sweep();
        }
        openMore();
        long before = tick();
        int ready = poller.poll(timeoutNanos(before));
        batchStart = tick();
        stats.waitedNanos += batchStart - before;
        for (int i = 0; i < ready; i++) {
            WireOwner owner = poller.ready(i);
            if (owner != null) {
                owner.onReady();
                if (now >= pacing.nextArrival()) {
                    pacing.fire(now);
                }
            }
        }
    }

    private void runMail() {
        Runnable command;
        while ((command = mail.poll()) != null) {
            command.run();
        }
    }

    private void runDelayed() {
        while (delayed.first() <= now) {
            long due = delayed.first();
            User user = delayed.poll();
            if (user != null) {
                user.due(due, now);
            }
        }
    }

    private void openMore() {
        while (connecting < MOST_CONNECTING && !toOpen.isEmpty()) {
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
    }

    /// How long the poller may sleep. Before a due arrival it wakes early by the spin, and polls
    /// without sleeping from there: a sleeping thread is woken some 10–60 µs late.
    private long timeoutNanos(long from) {
        long others = Math.min(nextSweep, delayed.first()) - from;
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

    Wire connect(SocketAddress address, SocketSettings settings, WireOwner owner)
            throws SocketFailure {
        Wire wire = poller.connect(address, settings, owner);
        return tls.isPresent()
                ? new TlsWire(
                        wire,
                        spec.tls()
                                .engine(
                                        tls.get(),
                                        spec.url().getHost(),
                                        spec.port(),
                                        spec.protocol().alpn()))
                : wire;
    }

    /// Lets a user wait.
    void delay(User user, long due) {
        user.waiting = true;
        delayed.add(due, user);
    }

    /// Whether the level no longer wants this user.
    boolean isSurplus(User user) {
        return user.index() >= wanted;
    }

    /// Whether one more request may be sent.
    boolean takeBudget() {
        return budget.take();
    }

    /// Changes the load. Users that are kept stay connected; surplus ones finish what they do and
    /// close.
    ///
    /// @param share connections of this loop
    /// @param loops loops that share an open model's rate
    void apply(Level level, int share, int loops) {
        tick();
        boolean toIdle = level instanceof Level.Idle;
        Backlog kept = dropBacklogUnless(level);
        pacing =
                switch (level) {
                    case Level.Closed closed -> new ClosedPacing(this, closed.think().toNanos());
                    case Level.Open open when share > 0 -> openPacing(open, loops, kept);
                    case Level.Open _ -> new ClosedPacing(this, 0);
                    case Level.Idle _ -> new IdlePacing();
                };
        spinNanos = spec.spin().toNanos();
        if (toIdle) {
            toOpen.clear();
            return;
        }
        wanted = share * spec.streams();
        for (User user : users) {
            user.parked = false;
            if (user.isFree()) {
                resume(user);
            }
        }
        while (users.size() < wanted) {
            User user = newUser(users.size());
            users.add(user);
            resume(user);
        }
    }

    /// Puts a free user to work: connected ones and those that connect per request at once, the
    /// others after they are connected, so that no latency contains the first connect.
    private void resume(User user) {
        if (user.isConnected() || !spec.keepAlive() || isSurplus(user)) {
            pacing.free(user, now);
        } else {
            toOpen.add(user);
        }
    }

    private User newUser(int index) {
        int global = index * spec.loops() + number;
        Script script =
                journeys.isPresent()
                        ? journeys.get().script(global, random)
                        : new OneRequest(request, spec.parts());
        int hops = spec.mostRedirects();
        Script followed = hops > 0 ? new Redirects(script, spec, hops) : script;
        return new User(this, index, followed, this::carrier);
    }

    private Carrier carrier(User user) {
        int connection = user.index() / spec.streams();
        int global = connection * spec.loops() + number;
        Optional<InetAddress> source =
                spec.sources().isEmpty()
                        ? Optional.empty()
                        : Optional.of(spec.sources().get(global % spec.sources().size()));
        SocketAddress address = addresses.get(global % addresses.size());
        var settings = new SocketSettings(spec.receiveBufferBytes(), source);
        if (spec.protocol() == Protocol.HTTP_1_1) {
            return new Http1Connection(this, user, address, settings);
        }
        if (connection == groups.size()) {
            groups.add(new Http2Group(this, address, settings));
        }
        return groups.get(connection).stream(user);
    }

    private int steps() {
        return journeys.map(j -> j.stepNames().size()).orElse(0);
    }

    private OpenPacing openPacing(Level.Open open, int loops, Backlog kept) {
        ArrivalTimes times = ArrivalTimes.of(open.arrivals(), open.ratePerS() / loops, random);
        return new OpenPacing(this, times, kept, origin(open));
    }

    /// From when on the gaps of a new rate count. A constant schedule goes on from its last
    /// arrival, so that a ramp of many small changes loses none. A new one starts a part of a gap
    /// later in each loop, so that the loops together are one even schedule. A Poisson process has
    /// no memory.
    private long origin(Level.Open open) {
        if (open.arrivals() == Arrivals.POISSON) {
            return now;
        }
        if (pacing instanceof OpenPacing running) {
            return running.lastDueNanos();
        }
        return now + (long) (number * 1e9 / open.ratePerS());
    }

    private Backlog dropBacklogUnless(Level next) {
        if (pacing instanceof OpenPacing open) {
            if (next instanceof Level.Open) {
                return open.arrivals();
            }
            open.expire(now, Long.MIN_VALUE); // however short they waited, nobody will send them
        }
        return new Backlog(mostBacklog);
    }

    /// Hands over what was counted since the last time and starts anew.
    LoopStats takeStats() {
        LoopStats taken = stats;
        taken.endNanos = tick();
        taken.inFlight = inFlight();
        taken.cpuNanos = ThreadCpu.ofCurrentThread();
        stats = new LoopStats(taken.endNanos, steps());
        return taken;
    }

    /// Requests that are out or wait to go out.
    long inFlight() {
        long busy = pacing.backlog();
        for (User user : users) {
            if (user.hasRequest()) {
                busy++;
            }
        }
        return busy;
    }

    String transport() {
        return poller.name();
    }

    /// Ends the loop; requests that are out are cut off.
    void stop() {
        stopping = true;
    }
}
