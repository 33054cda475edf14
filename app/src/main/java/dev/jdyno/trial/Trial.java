package dev.jdyno.trial;

import dev.jdyno.capacity.KneeSearch;
import dev.jdyno.load.Level;
import dev.jdyno.measure.Census;
import dev.jdyno.measure.Durations;
import dev.jdyno.measure.Machine;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.UserError;
import dev.jdyno.measure.Validity.Warning;
import dev.jdyno.observe.CensusTaker;
import dev.jdyno.observe.Observer;
import dev.jdyno.observe.ServerWindow;
import dev.jdyno.plan.Plan;
import dev.jdyno.target.Target;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// Runs one plan: warm-up, the ladder of closed-loop rounds, then evidence windows at the same
/// loads. Client and server side of a round are cut at the same instants; what looks into the
/// target never runs inside a round.
public final class Trial {
    private static final long SLICE_NANOS = 1_000_000_000L;

    /// A search ends after so many rounds, precise or not; the result says which.
    private static final int MOST_ROUNDS = 14;

    /// Half width of the knee's interval that is good enough.
    private static final double PRECISION = 0.10;

    /// No round lasts longer than this unless the plan says so, however slow the service.
    private static final Duration LONGEST_ROUND = Duration.ofSeconds(60);

    private final Plan plan;
    private final Path folder;
    private final TrialListener listener;
    private final NanoClock clock;
    private final BooleanSupplier stop;
    private final List<Warning> warnings = new ArrayList<>();
    private final List<Round> rounds = new ArrayList<>();
    private final List<Census> census = new ArrayList<>();
    private final Hindsight hindsight;
    private double warmupSeconds;
    private String ended = "";

    /// @param folder where raw evidence goes
    /// @param stop asked at least once a second; true ends the trial with what it has
    public Trial(
            Plan plan, Path folder, TrialListener listener, NanoClock clock, BooleanSupplier stop) {
        this.plan = plan;
        this.folder = folder;
        this.listener = listener;
        this.clock = clock;
        this.stop = stop;
        this.hindsight = new Hindsight(clock, InstantSource.system());
    }

    /// Runs the plan once.
    ///
    /// @throws UserError when it fails before anything was measured; later failures are in the
    ///   outcome
    public TrialOutcome run() throws InterruptedException {
        Machine machine = MachineFacts.read();
        try (Ground ground = Ground.prepare(plan, folder, clock);
                var latencies = LatencyLog.open(folder.resolve("latency.hlog"))) {
            FirstAnswer.await(ground, plan, clock, stop);
            TargetFacts facts = facts(ground);
            Optional<UserError> failure = Optional.empty();
            try {
                warmUp(ground);
                climb(ground, latencies);
                lookInside(ground);
            } catch (UserError midway) {
                failure = Optional.of(midway);
            }
            if (failure.isPresent() && rounds.isEmpty()) {
                throw failure.get();
            }
            boolean partial = failure.isPresent() || stop.getAsBoolean();
            var recording =
                    new Recording(
                            machine,
                            facts,
                            warmupSeconds,
                            lookBack(ground),
                            census,
                            warnings,
                            partial);
            return new TrialOutcome(recording, ended, failure);
        }
    }

    private TargetFacts facts(Ground ground) throws InterruptedException {
        if (ground.observer().isPresent()) {
            return ground.observer().get().facts();
        }
        return new TargetFacts(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Runtime.getRuntime().availableProcessors(),
                true,
                List.of(),
                List.of("everything inside: the run has no target"));
    }

    private void warmUp(Ground ground) throws InterruptedException {
        Plan.Warmup warmup = plan.warmup();
        listener.phase("warming up with " + warmup.concurrency() + " in flight");
        ground.session().apply(new Level.Closed(warmup.concurrency(), Duration.ZERO));
        var windows = new Windows();
        long start = clock.nanos();
        take(ground);
        while (!stop.getAsBoolean()) {
            slice(ground, windows);
            double seconds = clock.secondsSince(start);
            warmupSeconds = seconds;
            listener.progress(seconds, Optional.empty(), windows.slices().getLast().qps());
            boolean longEnough = seconds >= Durations.seconds(warmup.atLeast());
            if (longEnough && Steadiness.reached(windows.slices())) {
                return;
            }
            if (seconds >= Durations.seconds(warmup.atMost())) {
                warnings.add(
                        new Warning(
                                "warmup",
                                "latency or CPU per request still changed by more than "
                                        + Math.round(Steadiness.TOLERANCE * 100)
                                        + " % when the warm-up ended after "
                                        + Durations.format(warmup.atMost()),
                                false));
                return;
            }
        }
    }

    private void climb(Ground ground, LatencyLog latencies) throws InterruptedException {
        while (!stop.getAsBoolean()) {
            switch (nextStep()) {
                case KneeSearch.Step.Done(_, String says) -> {
                    ended = says;
                    return;
                }
                case KneeSearch.Step.Measure(int concurrency, double seconds, String why) -> {
                    listener.phase("measuring with " + concurrency + " in flight (" + why + ")");
                    Optional<Round> round = measure(ground, concurrency, seconds, latencies);
                    round.ifPresent(this::keep);
                    if (round.isPresent()
                            && round.get().errorShare() > plan.limits().errorShare()) {
                        ended = tooManyErrors(round.get());
                        return;
                    }
                }
            }
        }
        ended = "interrupted";
    }

    private KneeSearch.Step nextStep() {
        Plan.Rounds wanted = plan.rounds();
        double seconds = Durations.seconds(wanted.length());
        if (wanted.concurrency().isEmpty()) {
            return new KneeSearch(
                            new KneeSearch.Settings(
                                    wanted.maxConcurrency(),
                                    seconds,
                                    seconds * MOST_ROUNDS,
                                    PRECISION,
                                    MOST_ROUNDS,
                                    Runtime.getRuntime().availableProcessors(),
                                    Optional.empty()))
                    .next(rounds);
        }
        return rounds.size() < wanted.concurrency().size()
                ? new KneeSearch.Step.Measure(
                        wanted.concurrency().get(rounds.size()), seconds, "as the plan says")
                : new KneeSearch.Step.Done(
                        KneeSearch.Reason.PRECISE_ENOUGH, "every load of the plan was run");
    }

    private void keep(Round round) {
        rounds.add(round);
        listener.round(round);
    }

    private String tooManyErrors(Round round) {
        String says =
                String.format(
                        java.util.Locale.ROOT,
                        "%.1f %% of the requests failed at %d in flight (limit %.1f %%): %s",
                        round.errorShare() * 100,
                        round.concurrency(),
                        plan.limits().errorShare() * 100,
                        round.errorKinds());
        warnings.add(new Warning("errors", says, true));
        return says;
    }

    /// @return empty when it was stopped before its first slice
    private Optional<Round> measure(
            Ground ground, int concurrency, double wantedSeconds, LatencyLog latencies)
            throws InterruptedException {
        double rtMs = rounds.isEmpty() ? 0 : rounds.getLast().rtMs().mean();
        double seconds =
                Math.min(
                        wantedSeconds,
                        Math.max(
                                Durations.seconds(LONGEST_ROUND),
                                Durations.seconds(plan.rounds().length())));
        settle(ground, concurrency, rtMs);
        var windows = new Windows();
        long start = clock.nanos();
        while (!stop.getAsBoolean() && clock.secondsSince(start) < seconds - 0.5) {
            slice(ground, windows);
            listener.progress(
                    clock.secondsSince(start),
                    Optional.of(seconds),
                    windows.slices().getLast().qps());
        }
        if (windows.isEmpty()) {
            return Optional.empty();
        }
        latencies.write(concurrency, windows);
        Round round = windows.round(concurrency);
        hindsight.remember(round, windows.whole());
        return Optional.of(round);
    }

    /// Applies a load and lets it settle: queues fill, the requests of the load before drain.
    private void settle(Ground ground, int concurrency, double rtMs) throws InterruptedException {
        ground.session().apply(new Level.Closed(concurrency, Duration.ZERO));
        double seconds =
                Math.max(Durations.seconds(plan.rounds().settle()), Math.min(10, 3 * rtMs / 1000));
        long until = clock.nanos() + Math.round(seconds * 1e9);
        while (!stop.getAsBoolean() && clock.nanos() < until) {
            TimeUnit.NANOSECONDS.sleep(Math.min(SLICE_NANOS / 4, until - clock.nanos()));
        }
        take(ground);
    }

    private void take(Ground ground) {
        ground.session().take();
        ground.observer().ifPresent(Observer::take);
    }

    /// One second of a round; both sides are cut at the same instant.
    private void slice(Ground ground, Windows windows) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(SLICE_NANOS);
        var seen = ground.session().take();
        Optional<ServerWindow> did = ground.observer().map(Observer::take);
        if (!ground.targetIsAlive()) {
            ground.target().ifPresent(Target::requireAlive);
        }
        windows.add(seen, did);
    }

    /// Evidence windows of their own: at the plateau, and well below it for comparison.
    private void lookInside(Ground ground) throws InterruptedException {
        if (ground.target().isEmpty() || rounds.isEmpty() || plan.evidence().dumps() == 0) {
            return;
        }
        try (var taker = CensusTaker.of(ground.target().get(), clock)) {
            for (int concurrency : EvidenceLoads.of(rounds)) {
                if (stop.getAsBoolean()) {
                    return;
                }
                listener.phase("looking inside with " + concurrency + " in flight");
                settle(ground, concurrency, rtAt(concurrency));
                Census seen =
                        taker.take(
                                concurrency, 0, plan.evidence().window(), plan.evidence().dumps());
                census.add(seen.withQps(ground.session().take().qps()));
            }
            if (LeakSuspicion.of(rounds) && !stop.getAsBoolean()) {
                listener.phase("counting live objects twice, for the old generation keeps rising");
                Census last = census.removeLast();
                census.add(
                        last.withSignals(
                                last.signals().and(taker.liveGrowth(plan.evidence().window()))));
            }
        } catch (UserError unseen) {
            warnings.add(new Warning("census", unseen.what() + ": " + unseen.why(), false));
        }
    }

    /// The rounds with what the flight recording adds to them.
    private List<Round> lookBack(Ground ground) throws InterruptedException {
        if (ground.observer().isEmpty()) {
            return rounds;
        }
        try {
            return ground.observer()
                    .get()
                    .finishRecording()
                    .map(figures -> hindsight.over(rounds, figures))
                    .orElse(rounds);
        } catch (UserError unread) {
            warnings.add(new Warning("jfr", unread.what() + ": " + unread.why(), false));
            return rounds;
        }
    }

    private double rtAt(int concurrency) {
        return rounds.stream()
                .filter(r -> r.concurrency() == concurrency)
                .findFirst()
                .map(r -> r.rtMs().mean())
                .orElse(0.0);
    }
}
