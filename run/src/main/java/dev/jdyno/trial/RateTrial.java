package dev.jdyno.trial;

import dev.jdyno.capacity.goal.OpenKnee;
import dev.jdyno.capacity.goal.OpenKneeSearch;
import dev.jdyno.capacity.goal.OpenTrial;
import dev.jdyno.capacity.goal.PauseLog;
import dev.jdyno.inside.Inside;
import dev.jdyno.load.pacing.Arrivals;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.JvmMemory;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.load.Goal;
import dev.jdyno.measure.load.HttpUrl;
import dev.jdyno.measure.service.PoolDemand;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.SampledThreads;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.observe.heap.FullCollection;
import dev.jdyno.observe.window.ThreadSampler;
import dev.jdyno.plan.Plan;
import dev.jdyno.target.Target;
import dev.jdyno.trial.goal.GoalAnswer;
import dev.jdyno.trial.goal.HeldRate;
import dev.jdyno.trial.goal.MissCount;
import dev.jdyno.trial.rounds.HeldPools;
import dev.jdyno.trial.rounds.RoundFigures;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;

/// Starts a service, warms it up, and holds one rate in the open model until it is known whether
/// the service keeps its goals.
///
/// Nothing is recorded in the JVM. A flight recording takes some 20 MB, which would decide whether
/// a service fits into a small memory limit.
public final class RateTrial {
    /// One-sided quantile that decides, the same as in a search under goals.
    private static final double Z = 2;

    private static final double CHUNK_SECONDS = 10;
    private static final double DRAIN_SECONDS = 20;
    private static final int PROBE_SLICES = 2;
    private static final double SETTLE_SECONDS = 0.5;

    /// Minimum gain at twice the load for which throughput counts as still growing.
    private static final double STILL_GROWS = 1.1;

    /// Ratio of throughput to the rate from which the exact saturation does not matter: queues are
    /// short.
    private static final double AMPLE = 3;

    /// Number of connections per request in flight, and their minimum, as in a search under goals.
    private static final int CONNECTIONS_PER_IN_FLIGHT = 4;

    private static final int MIN_CONNECTIONS = 64;

    /// Number of thread dumps that show the pools of a service without metrics.
    private static final int DUMPS = 20;

    /// Share of a budget that one trial may take, for the settings of the search that judges it.
    private static final double TRIAL_SHARE = 0.2;

    private static final double PRECISION = 0.05;

    private final TrialListener listener;
    private final NanoClock clock;
    private final BooleanSupplier stop;
    private boolean answered;

    /// @param stop polled at least four times a second; true ends the measurement
    public RateTrial(TrialListener listener, NanoClock clock, BooleanSupplier stop) {
        this.listener = listener;
        this.clock = clock;
        this.stop = stop;
    }

    /// What is held.
    ///
    /// @param maxSeconds maximum time at the rate; then the test stays open
    /// @param seen what else is observed at the rate
    public record Wanted(List<Goal> goals, double ratePerS, double maxSeconds, Seen seen) {
        public Wanted {
            goals = List.copyOf(goals);
        }
    }

    /// What is observed beside the goals. Each further thing takes CPU and memory of the service.
    public enum Seen {
        GOALS,
        /// The pools by the service's own metrics, read every ten seconds.
        POOLS,
        /// The pools by metrics that are read each second, or by thread dumps if the metrics show
        /// no pool in use; and at the end, after a full collection, where the memory of the JVM is.
        POOLS_AND_MEMORY;

        /// True if thread dumps are taken.
        ///
        /// @param read pools by the metrics; empty if they could not be read
        boolean needsDumps(Optional<PoolDemand.Pools> read) {
            return this == POOLS_AND_MEMORY && read.filter(p -> !p.pools().isEmpty()).isEmpty();
        }
    }

    /// @param alone round with one request in flight
    private record Probed(Round alone, double qps, double seconds, PauseLog pauses) {}

    /// Launches the service, holds the rate, and ends the service.
    ///
    /// @param folder for the output of the service
    /// @return empty if it was stopped before
    /// @throws UserError if the service does not start, gives no good answer, or ends
    public Optional<HeldRate> run(Plan plan, Wanted wanted, Path folder)
            throws InterruptedException {
        long start = clock.nanos();
        answered = false;
        try (TrialSetup setup = TrialSetup.untouched(plan, folder, clock, start, stop);
                Loading loading = Loading.on(setup, clock, start, stop)) {
            answered = true;
            Optional<Warning> notWarm = warmUp(loading, plan);
            try (var jvm = JvmWatch.open(setup.target().map(Target::pid), clock)) {
                Optional<Probed> probed = probe(loading, jvm, plan, wanted);
                return probed.isPresent()
                        ? held(loading, jvm, plan, wanted, probed.get(), notWarm)
                        : Optional.empty();
            } finally {
                loading.rest();
            }
        }
    }

    /// True if the service of the last call gave a good answer before it failed.
    public boolean answered() {
        return answered;
    }

    private Optional<Warning> warmUp(Loading loading, Plan plan) throws InterruptedException {
        try (var warmUp = new WarmUp(loading, listener)) {
            return warmUp.run(plan.warmup());
        } finally {
            loading.rest();
        }
    }

    /// Doubles the load until throughput stops growing, or is far above the rate.
    private Optional<Probed> probe(Loading loading, JvmWatch jvm, Plan plan, Wanted wanted)
            throws InterruptedException {
        listener.phase("reading the highest throughput");
        long start = clock.nanos();
        Optional<Round> alone = closed(loading, 1);
        if (alone.isEmpty()) {
            return Optional.empty();
        }
        double qps = alone.get().qps();
        for (int n = 4; n <= plan.rounds().maxConcurrency(); n *= 2) {
            Optional<Round> round = closed(loading, n);
            if (round.isEmpty()) {
                return Optional.empty();
            }
            boolean grows = round.get().qps() >= STILL_GROWS * qps;
            qps = Math.max(qps, round.get().qps());
            if (!grows || qps > AMPLE * wanted.ratePerS()) {
                break;
            }
        }
        double seconds = clock.secondsSince(start);
        PauseLog pauses =
                jvm.missing().isPresent()
                        ? PauseLog.NONE
                        : new PauseLog(
                                jvm.since(start).stream().map(OpenTrial.Pause::ms).toList(),
                                seconds);
        loading.drain(DRAIN_SECONDS);
        return Optional.of(new Probed(alone.get(), Math.max(qps, 1), seconds, pauses));
    }

    private Optional<Round> closed(Loading loading, int concurrency) throws InterruptedException {
        loading.settle(new Level.Closed(concurrency, Duration.ZERO), SETTLE_SECONDS);
        var windows = new Windows();
        for (int i = 0; i < PROBE_SLICES; i++) {
            if (loading.slice(windows).isEmpty()) {
                return Optional.empty();
            }
        }
        return Optional.of(windows.round(concurrency));
    }

    private Optional<HeldRate> held(
            Loading loading,
            JvmWatch jvm,
            Plan plan,
            Wanted wanted,
            Probed probed,
            Optional<Warning> notWarm)
            throws InterruptedException {
        var search =
                new OpenKneeSearch(
                        new OpenKneeSearch.Settings(
                                wanted.goals(),
                                wanted.maxSeconds() / TRIAL_SHARE,
                                PRECISION,
                                PRECISION,
                                probed.seconds(),
                                CHUNK_SECONDS,
                                Z,
                                OptionalDouble.empty(),
                                probed.pauses()));
        var probe = new OpenKneeSearch.Probe(probed.qps(), probed.seconds(), false);
        var level = new Level.Open(connections(plan, probed), wanted.ratePerS(), Arrivals.POISSON);
        List<OpenTrial> trials = new ArrayList<>();
        HeldPools pools = pools(loading, plan, wanted.seen());
        Windows windows = begin(loading, level, trials, pools);
        long began = clock.nanos();
        while (chunk(loading, jvm, wanted, windows, trials, began, search, probe, pools)) {
            OpenKnee.Test test = search.soFar(probe, trials).tests().getLast();
            boolean again = test.why() == OpenKnee.Why.RAN_AWAY_ONCE && trials.size() == 1;
            if (again) {
                // a disturbance by another process must not count as the service's limit
                loading.drain(DRAIN_SECONDS);
                windows = begin(loading, level, trials, pools);
                began = clock.nanos();
            } else if (test.outcome() != OpenKnee.Outcome.OPEN
                    || test.seconds() >= wanted.maxSeconds()
                    || test.why() == OpenKnee.Why.RAN_AWAY_ONCE) {
                Round round = windows.openRound(wanted.ratePerS());
                Optional<PoolDemand.Pools> used = used(loading, wanted.seen(), pools, round);
                loading.rest();
                return Optional.of(result(loading, wanted, probed, test, round, used, notWarm));
            }
        }
        return Optional.empty();
    }

    private HeldPools pools(Loading loading, Plan plan, Seen seen) throws InterruptedException {
        Optional<Inside> inside = loading.trialSetup().inside();
        if (seen == Seen.GOALS || inside.isEmpty()) {
            return HeldPools.none();
        }
        List<String> flags = facts(inside.get()).map(TargetFacts::flags).orElse(List.of());
        return new HeldPools(
                RoundFigures.metrics(
                        plan.inside().metrics(),
                        loading.trialSetup().target(),
                        HttpUrl.port(plan.url()),
                        flags,
                        clock),
                clock,
                seen == Seen.POOLS ? CHUNK_SECONDS : 1);
    }

    /// The use of the pools, while the load continues.
    private Optional<PoolDemand.Pools> used(
            Loading loading, Seen seen, HeldPools pools, Round round) throws InterruptedException {
        Optional<Target> target = loading.trialSetup().target();
        Optional<PoolDemand.Pools> read = pools.pools(round.endedPerS());
        pools.missing().forEach(listener::note);
        if (!seen.needsDumps(read) || target.isEmpty()) {
            return read;
        }
        try (ThreadSampler sampler = ThreadSampler.of(target.get(), clock).until(stop)) {
            SampledThreads threads =
                    sampler.take(round.qps(), Durations.ofSeconds(CHUNK_SECONDS), DUMPS);
            PoolDemand.Pools dumped = HeldPools.ofThreads(threads, round.endedPerS());
            if (dumped.pools().isEmpty()) {
                listener.note("neither metrics nor thread dumps show a pool in use");
            }
            return Optional.of(dumped);
        } catch (UserError silent) {
            listener.note("the JVM gave no thread dumps: " + silent.why());
            return read;
        }
    }

    private Windows begin(
            Loading loading, Level.Open level, List<OpenTrial> trials, HeldPools pools)
            throws InterruptedException {
        listener.phase(String.format(Locale.ROOT, "holding %.4g/s", level.ratePerS()));
        loading.settle(level, 0);
        pools.begin();
        trials.add(new OpenTrial(level.ratePerS(), List.of(), List.of()));
        return new Windows();
    }

    private static int connections(Plan plan, Probed probed) {
        double inFlight = probed.qps() * probed.alone().rtMs().mean() / 1000;
        return Math.clamp(
                Math.round(CONNECTIONS_PER_IN_FLIGHT * inFlight),
                Math.min(MIN_CONNECTIONS, plan.rounds().maxConcurrency()),
                plan.rounds().maxConcurrency());
    }

    /// Holds the rate for some seconds more.
    ///
    /// @return false if it was stopped
    private boolean chunk(
            Loading loading,
            JvmWatch jvm,
            Wanted wanted,
            Windows windows,
            List<OpenTrial> trials,
            long began,
            OpenKneeSearch search,
            OpenKneeSearch.Probe probe,
            HeldPools pools)
            throws InterruptedException {
        List<OpenTrial.Slice> slices = new ArrayList<>(trials.getLast().slices());
        for (int s = 0; s < CHUNK_SECONDS; s++) {
            Optional<LoadWindow> seen = loading.slice(windows);
            if (seen.isEmpty()) {
                return false;
            }
            pools.look();
            slices.add(MissCount.of(wanted.goals(), seen.get()));
            trials.set(
                    trials.size() - 1, new OpenTrial(wanted.ratePerS(), slices, jvm.since(began)));
            listener.progress(
                    clock.secondsSince(began), Optional.empty(), Optional.of(seen.get().qps()));
            if (search.runsAway(probe, trials)) {
                break;
            }
        }
        return true;
    }

    private HeldRate result(
            Loading loading,
            Wanted wanted,
            Probed probed,
            OpenKnee.Test test,
            Round round,
            Optional<PoolDemand.Pools> pools,
            Optional<Warning> notWarm)
            throws InterruptedException {
        Optional<Inside> inside = loading.trialSetup().inside();
        Optional<Target> target = loading.trialSetup().target();
        return new HeldRate(
                test,
                GoalAnswer.misses(wanted.goals(), test),
                round,
                probed.qps(),
                probed.alone().rtMs().mean(),
                inside.isPresent() ? facts(inside.get()) : Optional.empty(),
                wanted.seen() == Seen.POOLS_AND_MEMORY && target.isPresent()
                        ? memory(target.get())
                        : Optional.empty(),
                inside.isPresent() ? inside.get().heapFill() : Optional.empty(),
                pools,
                notWarm);
    }

    private Optional<TargetFacts> facts(Inside inside) throws InterruptedException {
        try {
            return Optional.of(inside.facts());
        } catch (UserError silent) {
            listener.note("the JVM did not report its facts: " + silent.why());
            return Optional.empty();
        }
    }

    private Optional<JvmMemory> memory(Target target) throws InterruptedException {
        try {
            return FullCollection.memoryOf(target);
        } catch (UserError silent) {
            listener.note("the JVM did not report its memory: " + silent.why());
            return Optional.empty();
        }
    }
}
