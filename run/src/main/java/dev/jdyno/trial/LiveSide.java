package dev.jdyno.trial;

import dev.jdyno.inside.Inside;
import dev.jdyno.load.pacing.Arrivals;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.load.DriverFacts;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.observe.host.ClassArchives;
import dev.jdyno.observe.host.JvmStart;
import dev.jdyno.observe.logging.LoggingFiles;
import dev.jdyno.plan.Plan;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A side of a comparison whose JVM was started or attached, and that gets real requests.
final class LiveSide implements Side {
    private static final double PROBE_SECONDS = 1;

    /// Lengths of a probe if a request takes longer than the usual probe.
    private static final double[] SLOW_PROBE_SECONDS = {5, 20};

    /// Number of sequential requests that fit into a probe.
    private static final double PROBE_REQUESTS = 3;

    private static final int MAX_PROBED = 512;

    /// Minimum gain at twice the load for which throughput counts as still growing.
    private static final double STILL_GROWS = 1.1;

    /// Time for queues to fill or drain, as a multiple of the mean response time.
    private static final double SETTLE_TIMES = 3;

    private static final double SETTLE_SECONDS = 0.5;
    private static final double MAX_SETTLE_SECONDS = 10;

    private final TrialSetup setup;
    private final Loading loading;
    private final TrialListener listener;
    private final Runnable killed;
    private double rtMs;

    private LiveSide(TrialSetup setup, Loading loading, TrialListener listener, Runnable killed) {
        this.setup = setup;
        this.loading = loading;
        this.listener = listener;
        this.killed = killed;
    }

    /// Starts the service, or attaches to it, and waits for its first good answer.
    ///
    /// @param stopLimit maximum time of a launched service from SIGTERM to its end
    /// @param killed runs if the service had to be killed after that time
    /// @throws dev.jdyno.measure.text.UserError if it does not start, or gives no good answer
    static LiveSide open(Plan plan, Session session, Duration stopLimit, Runnable killed)
            throws InterruptedException {
        return open(plan, session, InsideOpening.NONE, stopLimit, killed);
    }

    /// Waits for the first good answer of a service that an agent has started.
    ///
    /// @param started observation of the service, which is closed with this side
    static LiveSide startedAway(Plan plan, Session session, Inside started)
            throws InterruptedException {
        return open(plan, session, (_, _) -> started, Target.STOP_LIMIT, () -> {});
    }

    private static LiveSide open(
            Plan plan, Session session, InsideOpening away, Duration stopLimit, Runnable killed)
            throws InterruptedException {
        NanoClock clock = session.clock();
        long start = clock.nanos();
        TrialSetup setup =
                TrialSetup.answering(
                        plan, session.folder(), clock, start, session.stop(), away, false);
        setup.target().ifPresent(t -> t.stopsWithin(stopLimit));
        Loading loading = Loading.on(setup, clock, start, session.stop());
        var side = new LiveSide(setup, loading, session.listener(), killed);
        try {
            loading.rest();
            return side;
        } catch (RuntimeException | InterruptedException notReady) {
            side.close();
            throw notReady;
        }
    }

    @Override
    public Optional<TargetFacts> facts() throws InterruptedException {
        return setup.inside().isPresent()
                ? Optional.of(setup.inside().get().facts())
                : Optional.empty();
    }

    @Override
    public Optional<Path> java() {
        return setup.target()
                .flatMap(t -> ProcessHandle.of(t.pid()))
                .flatMap(p -> p.info().command())
                .map(Path::of);
    }

    @Override
    public List<Path> unmappedArchives() throws InterruptedException {
        Optional<TargetFacts> facts = facts();
        return setup.target().isPresent() && facts.isPresent()
                ? ClassArchives.unmapped(
                        ProcFs.SYSTEM, setup.target().get().pid(), facts.get().flags())
                : List.of();
    }

    @Override
    public Optional<DriverFacts> driver() {
        return setup.session().driver();
    }

    @Override
    public List<LoggingFiles.Configuration> logging() throws InterruptedException {
        return setup.target().isPresent()
                ? LoggingFiles.configurations(setup.target().get())
                : List.of();
    }

    @Override
    public Map<String, String> costlyLogPatterns() throws InterruptedException {
        return setup.target().isPresent()
                ? LoggingFiles.costlyPatterns(JvmStart.of(setup.target().get()))
                : Map.of();
    }

    @Override
    public Optional<Warning> warmUp(Plan.Warmup warmup) throws InterruptedException {
        try (var warm = new WarmUp(loading, listener)) {
            return warm.run(warmup);
        } finally {
            loading.rest();
        }
    }

    @Override
    public Capacity capacity() throws InterruptedException {
        try {
            Optional<Round> alone = block(closed(1), PROBE_SECONDS);
            for (double seconds : SLOW_PROBE_SECONDS) {
                if (alone.isPresent() && alone.get().requests() == 0) {
                    alone = block(closed(1), seconds);
                }
            }
            if (alone.isEmpty()) {
                return new Capacity(0, 0);
            }
            double each =
                    Math.max(PROBE_SECONDS, PROBE_REQUESTS * alone.get().rtMs().mean() / 1000);
            double max = alone.get().qps();
            for (int n = 4; n <= MAX_PROBED; n *= 2) {
                Optional<Round> round = block(closed(n), each);
                if (round.isEmpty() || round.get().qps() < STILL_GROWS * max) {
                    max = Math.max(max, round.map(Round::qps).orElse(0.0));
                    break;
                }
                max = round.get().qps();
            }
            return new Capacity(max, alone.get().rtMs().mean());
        } finally {
            loading.rest();
        }
    }

    @Override
    public Optional<Round> saturated(int concurrency, double seconds) throws InterruptedException {
        return alone(closed(concurrency), seconds);
    }

    @Override
    public Optional<Round> atRate(double ratePerS, int connections, double seconds)
            throws InterruptedException {
        return alone(new Level.Open(connections, ratePerS, Arrivals.POISSON), seconds);
    }

    private Optional<Round> alone(Level level, double seconds) throws InterruptedException {
        try {
            return block(level, seconds);
        } finally {
            loading.rest();
        }
    }

    private static Level closed(int concurrency) {
        return new Level.Closed(concurrency, Duration.ZERO);
    }

    private Optional<Round> block(Level level, double seconds) throws InterruptedException {
        loading.settle(
                level, Math.clamp(SETTLE_TIMES * rtMs / 1000, SETTLE_SECONDS, MAX_SETTLE_SECONDS));
        var windows = new Windows();
        long start = loading.clock().nanos();
        while (loading.clock().secondsSince(start) < seconds - 0.5) {
            if (loading.slice(windows).isEmpty()) {
                return Optional.empty();
            }
            listener.progress(
                    loading.clock().secondsSince(start),
                    Optional.of(seconds),
                    Optional.of(windows.slices().getLast().qps()));
        }
        Round round =
                level instanceof Level.Open open
                        ? windows.openRound(open.ratePerS())
                        : windows.round(level.connections());
        rtMs = round.rtMs().mean();
        if (setup.inside().isPresent()) {
            setup.inside().get().confirmAlive();
        }
        return Optional.of(round);
    }

    @Override
    public void close() {
        try {
            loading.close();
        } finally {
            setup.close();
            if (setup.target().filter(Target::wasKilled).isPresent()) {
                killed.run();
            }
        }
    }
}
