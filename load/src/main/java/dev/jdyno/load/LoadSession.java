package dev.jdyno.load;

import dev.jdyno.load.journey.Journeys;
import dev.jdyno.load.journey.Scripts;
import dev.jdyno.load.loop.EventLoop;
import dev.jdyno.load.loop.LoopUsers;
import dev.jdyno.load.loop.RequestBudget;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.request.ServerAddresses;
import dev.jdyno.load.statistics.ClientMeter;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.load.statistics.LoopStats;
import dev.jdyno.load.statistics.LoopSums;
import dev.jdyno.load.wire.Poller;
import dev.jdyno.load.wire.Pollers;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/// A running load engine: event loops with their connections. It holds a {@link Level}, which may
/// change at any time, and returns its measurements as {@link LoadWindow}s.
///
/// ```java
/// try (LoadSession s = LoadSession.start(LoadSpec.to(url).build(), NanoClock.SYSTEM)) {
///     s.apply(new Level.Closed(20, Duration.ZERO));
///     …
///     LoadWindow w = s.take(); // everything since the last take
/// }
/// ```
public final class LoadSession implements LoadGenerator {
    /// Maximum wait for an answer of a loop. A loop that takes longer is stuck; a turn takes well
    /// under a millisecond.
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private record RunningLoop(EventLoop loop, Thread thread) {}

    private final LoadSpec spec;
    private final ServerAddresses servers;
    private final List<String> steps;
    private final List<RunningLoop> loops;
    private final RequestBudget budget;
    private final ClientMeter meter = new ClientMeter();

    private LoadSession(
            LoadSpec spec,
            ServerAddresses servers,
            List<String> steps,
            List<RunningLoop> loops,
            RequestBudget budget) {
        this.steps = steps;
        this.spec = spec;
        this.servers = servers;
        this.loops = loops;
        this.budget = budget;
    }

    /// Resolves the host and starts the event loops, without sending requests.
    ///
    /// @throws UserError when the URL cannot be loaded or its host has no address
    public static LoadSession start(LoadSpec spec, NanoClock clock) {
        return start(spec, clock, new SplittableRandom());
    }

    /// Starts a session with a given source of randomness for Poisson arrivals.
    public static LoadSession start(LoadSpec spec, NanoClock clock, SplittableRandom random) {
        Optional<Journeys> journeys = spec.workload().map(w -> new Journeys(spec, w));
        return start(spec, clock, random, journeys);
    }

    /// Starts a session with given scripts instead of the workload of the spec.
    static LoadSession start(
            LoadSpec spec,
            NanoClock clock,
            SplittableRandom random,
            Optional<? extends Scripts> scripts) {
        if (!spec.isTls() && !"http".equalsIgnoreCase(spec.url().getScheme())) {
            throw UserError.usage(
                    "cannot load " + spec.url(),
                    "its scheme is '" + spec.url().getScheme() + "'",
                    "write it as http://host:port/path or https://…");
        }
        ServerAddresses servers = ServerAddresses.of(spec);
        Optional<SSLContext> tls =
                spec.isTls() ? Optional.of(spec.tls().context()) : Optional.empty();
        var budget = new RequestBudget(spec.mostRequests());
        List<RunningLoop> running = new ArrayList<>();
        List<Poller> pollers = pollers(spec);
        for (int i = 0; i < spec.loops(); i++) {
            var loop =
                    new EventLoop(
                            i,
                            spec,
                            pollers.get(i),
                            servers.used(),
                            tls,
                            scripts,
                            budget,
                            random.split(),
                            clock);
            Thread thread = Thread.ofPlatform().name("load-" + i).daemon().unstarted(loop);
            running.add(new RunningLoop(loop, thread));
        }
        running.forEach(r -> r.thread().start());
        List<String> steps = LoopUsers.stepNames(spec, scripts);
        return new LoadSession(spec, servers, steps, List.copyOf(running), budget);
    }

    /// Opens one poller for each loop. If one cannot be opened, closes the others.
    private static List<Poller> pollers(LoadSpec spec) {
        List<Poller> open = new ArrayList<>();
        try {
            for (int i = 0; i < spec.loops(); i++) {
                open.add(Pollers.open(spec.transport()));
            }
            return open;
        } catch (RuntimeException | Error e) {
            open.forEach(Poller::close);
            throw e;
        }
    }

    /// Changes the load from now on. Connections that the new level needs are kept. Surplus
    /// connections finish their request and close.
    ///
    /// @throws UserError when this machine cannot hold that many connections
    @Override
    public synchronized void apply(Level level) {
        LoadLimits.check(
                level.connections(),
                servers.used().size(),
                Math.max(1, spec.sources().size()),
                spec.unixSocket().isEmpty());
        int n = loops.size();
        int sharing = Math.min(n, Math.max(1, level.connections()));
        onEach((loop, i) -> {
            int share = level.connections() / n + (i < level.connections() % n ? 1 : 0);
            loop.apply(level, share, sharing);
            return true;
        });
    }

    @Override
    public synchronized LoadWindow take() {
        List<LoopStats> taken = onEach((loop, _) -> loop.takeStats());
        return LoopSums.window(taken, steps, meter.since(taken));
    }

    @Override
    public Addresses addresses() {
        return new Addresses(
                ServerAddresses.text(servers.used()), ServerAddresses.text(servers.unanswered()));
    }

    /// True if all requests that the spec allows have been sent and have ended.
    public synchronized boolean isFinished() {
        return budget.isSpent()
                && onEach((loop, _) -> loop.inFlight()).stream().allMatch(n -> n == 0);
    }

    /// True if every connection of the level has been tried.
    synchronized boolean isSettled() {
        return onEach((loop, _) -> loop.isSettled()).stream().allMatch(settled -> settled);
    }

    /// The transport of the event loops: `epoll` or `nio`.
    public String transport() {
        return loops.getFirst().loop().transport();
    }

    private interface LoopCall<T> {
        T on(EventLoop loop, int number);
    }

    private <T> List<T> onEach(LoopCall<T> call) {
        List<CompletableFuture<T>> answers = new ArrayList<>();
        for (int i = 0; i < loops.size(); i++) {
            EventLoop loop = loops.get(i).loop();
            int number = i;
            var answer = new CompletableFuture<T>();
            answers.add(answer);
            loop.execute(() -> complete(answer, () -> call.on(loop, number)));
        }
        List<T> results = new ArrayList<>();
        for (int i = 0; i < answers.size(); i++) {
            results.add(await(answers.get(i), loops.get(i).loop()));
        }
        return results;
    }

    /// Completes the answer. A failure goes to the caller and also to the loop, because the loop's
    /// state may be broken.
    private static <T> void complete(CompletableFuture<T> answer, Supplier<T> call) {
        try {
            answer.complete(call.get());
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
            throw e;
        }
    }

    private static <T> T await(CompletableFuture<T> answer, EventLoop loop) {
        long left = PATIENCE.toMillis();
        while (true) {
            try {
                return answer.get(Math.min(100, left), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                left -= 100;
                if (loop.failure().isPresent()) {
                    throw new IllegalStateException("an event loop has died", loop.failure().get());
                }
                if (left <= 0) {
                    throw new IllegalStateException(
                            "an event loop has not answered for " + PATIENCE, e);
                }
            } catch (ExecutionException e) {
                throw new IllegalStateException("an event loop has failed", e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while waiting for a loop", e);
            }
        }
    }

    /// Cuts off requests in flight, closes every connection and ends the loops.
    @Override
    public synchronized void close() {
        for (RunningLoop r : loops) {
            if (r.thread().isAlive()) {
                r.loop().execute(r.loop()::stop);
            }
        }
        for (RunningLoop r : loops) {
            try {
                if (!r.thread().join(PATIENCE)) {
                    throw new IllegalStateException("an event loop does not end");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return; // the loops have been asked to stop and are daemons
            }
        }
    }
}
