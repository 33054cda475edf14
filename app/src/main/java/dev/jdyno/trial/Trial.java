package dev.jdyno.trial;

import dev.jdyno.capacity.KneeSearch;
import dev.jdyno.capacity.OpenTrial;
import dev.jdyno.capacity.PauseLog;
import dev.jdyno.load.Level;
import dev.jdyno.load.LoadWindow;
import dev.jdyno.load.wire.ErrorKind;
import dev.jdyno.measure.Cause;
import dev.jdyno.measure.Census;
import dev.jdyno.measure.Challenge;
import dev.jdyno.measure.Durations;
import dev.jdyno.measure.GoalKnee;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.LookCost;
import dev.jdyno.measure.Machine;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.Signals;
import dev.jdyno.measure.Slice;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.UserError;
import dev.jdyno.measure.Validity.Warning;
import dev.jdyno.measure.Workload;
import dev.jdyno.observe.CensusTaker;
import dev.jdyno.observe.FlightFigures;
import dev.jdyno.observe.Frames;
import dev.jdyno.observe.LeakTrail;
import dev.jdyno.observe.LoggingFiles;
import dev.jdyno.plan.Plan;
import dev.jdyno.target.Target;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// Runs one plan: warm-up, the ladder of closed-loop rounds, then evidence windows at the same
/// loads. Client and server side of a round are cut at the same instants; what looks into the
/// target never runs inside a round.
public final class Trial {
    /// A search ends after so many rounds, precise or not; the result says which.
    private static final int MOST_ROUNDS = 14;

    /// Of the overload probe that goes before a search under goals: short rounds, for they only
    /// give its scale.
    private static final double PROBE_ROUND_SECONDS = 3;

    private static final int MOST_PROBE_ROUNDS = 8;

    /// Half width of the knee's interval that is good enough.
    private static final double PRECISION = 0.10;

    /// A queue near the knee takes its time to fill.
    private static final double KNEE_SETTLE_SECONDS = 3;

    /// No round lasts longer than this unless the plan says so, however slow the service.
    private static final Duration LONGEST_ROUND = Duration.ofSeconds(60);

    /// Busy threads found in logging from which its configuration is looked at.
    private static final double LOGS_FROM = 0.1;

    private static final String INTERRUPTED = "interrupted";

    private final Plan plan;
    private final Path folder;
    private final TrialListener listener;
    private final NanoClock clock;
    private final BooleanSupplier stop;
    private final List<Warning> warnings = new ArrayList<>();
    private final List<Round> rounds = new ArrayList<>();
    private final List<Census> census = new ArrayList<>();
    private final RoundsAgain again = new RoundsAgain();
    private final Hindsight hindsight;
    private Optional<GoalRun> goalRun = Optional.empty();
    private Optional<InsideLook> inside = Optional.empty();
    private double warmupSeconds;
    private List<Slice> warmupSlices = List.of();
    private String ended = "";
    private final Set<String> unseen = new LinkedHashSet<>();

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
    /// @throws UserError when it fails before the warm-up; later failures are in the outcome, with
    ///   what was measured until then
    public TrialOutcome run() throws InterruptedException {
        return run((_, _) -> List.of());
    }

    /// What is to be tried once everything is measured.
    @FunctionalInterface
    public interface Doubt {
        List<Challenge> challenges(Recording measured, Optional<GoalKnee> goal);
    }

    /// Runs the plan once, and then puts to the test what `doubt` makes of the recording.
    public TrialOutcome run(Doubt doubt) throws InterruptedException {
        Machine machine = MachineFacts.read();
        // a mistake in it must not come out after minutes of load
        Frames.with(plan.looking().frames());
        try (Ground ground = Ground.prepare(plan, folder, clock);
                var latencies = LatencyLog.open(folder.resolve("latency.hlog"))) {
            FirstAnswer.await(ground, plan, clock, stop);
            plan.workload().flatMap(Workload::warning).ifPresent(warnings::add);
            warnings.addAll(LeftBehind.mended(ground));
            TargetFacts facts = facts(ground);
            var loading = new Loading(ground, clock, stop);
            Optional<UserError> failure = Optional.empty();
            try {
                if (plan.search().isEmpty()) {
                    warnings.addAll(Preflight.host(loading, listener, machine.cores()));
                }
                warmUp(loading);
                if (plan.search().isPresent()) {
                    searchUnderGoals(loading, plan.search().get(), latencies, machine.cores());
                } else {
                    climb(loading, latencies);
                }
                lookInside(loading);
                // what looks inside only notes that nobody answers any more
                ground.target().ifPresent(Target::requireAlive);
            } catch (UserError midway) {
                failure = Optional.of(midway);
                warnings.add(new Warning("cut-short", midway.what() + ": " + midway.why(), false));
            }
            if ((failure.isPresent() || stop.getAsBoolean())
                    && (ended.isEmpty() || ended.equals(INTERRUPTED))) {
                CutSearch.of(nextStep(), plan.rounds().concurrency(), rounds)
                        .ifPresent(warnings::add);
            }
            SinceWarmUp.fell(plan.warmup().concurrency(), warmupSlices, rounds)
                    .ifPresent(warnings::add);
            boolean failed = failure.isPresent();
            Optional<GoalKnee> goal =
                    goalRun.map(g -> g.answer(failed))
                            .or(() -> plan.search().map(w -> GoalAnswer.untested(w, failed)));
            goalRun.ifPresent(g -> {
                rounds.addAll(g.rounds());
                warnings.addAll(g.warnings());
                Neighbours.of(g.rounds(), machine.cores()).ifPresent(warnings::add);
            });
            boolean partial = failure.isPresent() || stop.getAsBoolean();
            var recording =
                    new Recording(
                            machine,
                            facts.with(List.of(), List.copyOf(unseen)),
                            warmupSeconds,
                            lookBack(ground),
                            census,
                            warnings,
                            partial,
                            insight(ground));
            if (failed || partial || rounds.isEmpty()) {
                return new TrialOutcome(recording, ended, failure, goal, List.of());
            }
            var proved =
                    new Prover(loading, plan, listener).make(doubt.challenges(recording, goal));
            return new TrialOutcome(
                    proved.marked(stop.getAsBoolean() ? recording.asPartial() : recording),
                    ended,
                    proved.failure(),
                    goal,
                    proved.attempts());
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

    private void warmUp(Loading loading) throws InterruptedException {
        Plan.Warmup warmup = plan.warmup();
        listener.phase("warming up with " + warmup.concurrency() + " in flight");
        loading.ground().session().apply(new Level.Closed(warmup.concurrency(), Duration.ZERO));
        var windows = new Windows();
        long start = clock.nanos();
        loading.take();
        while (!stop.getAsBoolean()) {
            loading.slice(windows);
            double seconds = clock.secondsSince(start);
            warmupSeconds = seconds;
            warmupSlices = windows.slices();
            listener.progress(seconds, Optional.empty(), windows.slices().getLast().qps());
            boolean longEnough = seconds >= Durations.seconds(warmup.atLeast());
            if (longEnough && Steadiness.reached(windows.slices())) {
                return;
            }
            if (seconds >= Durations.seconds(warmup.atMost())) {
                Steadiness.missed(
                                windows.slices(),
                                warmup.atMost(),
                                Runtime.getRuntime().availableProcessors())
                        .ifPresent(warnings::add);
                return;
            }
        }
    }

    /// Preflight, a short climb to saturation, then open-model rates until the bracket stands.
    private void searchUnderGoals(
            Loading loading, Plan.GoalSearch wanted, LatencyLog latencies, int cores)
            throws InterruptedException {
        try (var jvm = JvmWatch.open(loading.ground().target().map(Target::pid), clock)) {
            warnings.addAll(new Preflight(loading, jvm, listener).run(plan, cores));
            long start = clock.nanos();
            climb(loading, latencies);
            if (rounds.isEmpty() || stop.getAsBoolean()) {
                return;
            }
            var known =
                    jvm.missing().isPresent()
                            ? PauseLog.NONE
                            : new PauseLog(
                                    jvm.since(start).stream().map(OpenTrial.Pause::ms).toList(),
                                    clock.secondsSince(start));
            var run = new GoalRun(plan, wanted, loading, jvm, listener, latencies, rounds, known);
            goalRun = Optional.of(run);
            run.run();
            ended = run.answer(false).says();
        }
    }

    private void climb(Loading loading, LatencyLog latencies) throws InterruptedException {
        while (!stop.getAsBoolean()) {
            switch (nextStep()) {
                case KneeSearch.Step.Done(_, String says) -> {
                    ended = says;
                    return;
                }
                case KneeSearch.Step.Measure(int concurrency, double seconds, String why) -> {
                    listener.phase("measuring with " + concurrency + " in flight (" + why + ")");
                    Optional<Round> round = measureFairly(loading, concurrency, seconds, latencies);
                    round.ifPresent(this::keep);
                    if (round.isPresent()
                            && round.get().errorShare() > plan.limits().errorShare()) {
                        ended = tooManyErrors(round.get());
                        return;
                    }
                }
            }
        }
        ended = INTERRUPTED;
    }

    private KneeSearch.Step nextStep() {
        Plan.Rounds wanted = plan.rounds();
        double seconds = Durations.seconds(wanted.length());
        if (plan.search().isPresent()) {
            return new KneeSearch(
                            new KneeSearch.Settings(
                                    wanted.maxConcurrency(),
                                    PROBE_ROUND_SECONDS,
                                    PROBE_ROUND_SECONDS * MOST_PROBE_ROUNDS,
                                    PRECISION,
                                    MOST_PROBE_ROUNDS,
                                    Runtime.getRuntime().availableProcessors(),
                                    Optional.empty()))
                    .next(rounds);
        }
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
                        "%.1f %% of the requests failed at %d in flight (limit %.1f %%): %s%s",
                        round.errorShare() * 100,
                        round.concurrency(),
                        plan.limits().errorShare() * 100,
                        round.errorKinds(),
                        ErrorKind.hint(round.errorKinds()));
        warnings.add(new Warning("errors", says, true));
        return says;
    }

    /// A round, or, where the machine held the load generator up in it, the better of two.
    private Optional<Round> measureFairly(
            Loading loading, int concurrency, double seconds, LatencyLog latencies)
            throws InterruptedException {
        Optional<Round> first = measure(loading, concurrency, seconds, latencies);
        if (first.isEmpty() || !again.wants(first.get())) {
            return first;
        }
        String why = first.get().client().why().orElse("held up");
        listener.phase("measuring with " + concurrency + " in flight once more (" + why + ")");
        int before = rounds.size();
        Optional<Round> second;
        try {
            second = measure(loading, concurrency, seconds, latencies);
        } catch (UserError midway) {
            if (rounds.size() == before) {
                keep(first.get());
            }
            throw midway;
        }
        if (second.isEmpty()) {
            return first;
        }
        var choice = RoundsAgain.Choice.of(first.get(), second.get());
        warnings.add(choice.said());
        return Optional.of(choice.kept());
    }

    /// @return empty when it was stopped before its first slice
    private Optional<Round> measure(
            Loading loading, int concurrency, double wantedSeconds, LatencyLog latencies)
            throws InterruptedException {
        double rtMs = rounds.isEmpty() ? 0 : rounds.getLast().rtMs().mean();
        double seconds =
                Math.min(
                        wantedSeconds,
                        Math.max(
                                Durations.seconds(LONGEST_ROUND),
                                Durations.seconds(plan.rounds().length())));
        settle(loading, concurrency, rtMs);
        var windows = new Windows();
        long start = clock.nanos();
        try {
            while (!stop.getAsBoolean() && clock.secondsSince(start) < seconds - 0.5) {
                LoadWindow seen = loading.slice(windows);
                latencies.write("N=" + concurrency, seen);
                listener.progress(
                        clock.secondsSince(start),
                        Optional.of(seconds),
                        windows.slices().getLast().qps());
            }
        } catch (UserError midway) {
            round(windows, concurrency).ifPresent(this::keep);
            throw midway;
        }
        return round(windows, concurrency);
    }

    private Optional<Round> round(Windows windows, int concurrency) {
        if (windows.isEmpty()) {
            return Optional.empty();
        }
        Round round = windows.round(concurrency);
        hindsight.remember(round, windows.whole());
        return Optional.of(round);
    }

    private void settle(Loading loading, int concurrency, double rtMs) throws InterruptedException {
        loading.settle(
                new Level.Closed(concurrency, Duration.ZERO),
                Math.max(Durations.seconds(plan.rounds().settle()), Math.min(10, 3 * rtMs / 1000)));
    }

    /// Evidence windows of their own: at the plateau, and well below it for comparison.
    private void lookInside(Loading loading) throws InterruptedException {
        Ground ground = loading.ground();
        if (ground.target().isEmpty() || rounds.isEmpty() || plan.evidence().dumps() == 0) {
            return;
        }
        Target target = ground.target().get();
        try (var taker =
                        CensusTaker.of(target, clock, Frames.with(plan.looking().frames()))
                                .asking(plan.url())
                                .until(stop);
                var look = InsideLook.of(plan, loading, listener, target, InstantSource.system())) {
            inside = Optional.of(look);
            Optional<Round> knee = goalRun.flatMap(GoalRun::kneeRound);
            // who interrupts a search wants its bracket, not twelve seconds more
            if (knee.isPresent() && !stop.getAsBoolean()) {
                listener.phase("looking inside at the knee");
                loading.settle(goalRun.get().kneeLevel(knee.get()), KNEE_SETTLE_SECONDS);
                look(loading, taker, knee.get());
            }
            for (int concurrency : EvidenceLoads.of(rounds)) {
                if (stop.getAsBoolean()) {
                    return;
                }
                if (knee.filter(k -> k.concurrency() == concurrency).isEmpty()) {
                    listener.phase("looking inside with " + concurrency + " in flight");
                    Round round = EvidenceLoads.round(rounds, concurrency);
                    settle(loading, concurrency, round.rtMs().mean());
                    look(loading, taker, round);
                }
            }
            if (LeakSuspicion.of(rounds) && plan.looking().liveCount() && !stop.getAsBoolean()) {
                listener.phase(
                        "counting live objects three times, for the old generation rises or is full");
                // before the census is taken out: a count that fails must not cost it
                Signals grown = growth(target, taker);
                warnings.add(LeakSuspicion.counted(grown));
                Census last = census.removeLast();
                census.add(last.withSignals(last.signals().and(grown)));
            }
        } catch (UserError blind) {
            warnings.add(new Warning("census", blind.what() + ": " + blind.why(), false));
        }
    }

    private Signals growth(Target target, CensusTaker taker) throws InterruptedException {
        return LeakTrail.during(
                target,
                () -> taker.liveGrowth(plan.evidence().window()),
                why -> warnings.add(new Warning("leak-holders", why, false)));
    }

    /// The rounds with what the flight recording adds to them, and to the census.
    private List<Round> lookBack(Ground ground) throws InterruptedException {
        if (ground.observer().isEmpty()) {
            return rounds;
        }
        try {
            Optional<FlightFigures> figures =
                    ground.observer().get().finishRecording(Frames.with(plan.looking().frames()));
            if (figures.isEmpty()) {
                return rounds;
            }
            census.replaceAll(c -> hindsight.seen(c, rounds, figures.get()));
            return hindsight.over(rounds, figures.get());
        } catch (UserError unread) {
            warnings.add(new Warning("jfr", unread.what() + ": " + unread.why(), false));
            return rounds;
        }
    }

    /// Read when the rounds are over: what was seen inside, and where threads were busy logging,
    /// what makes that dear.
    private Insight insight(Ground ground) throws InterruptedException {
        if (inside.isEmpty() || ground.target().isEmpty()) {
            return Insight.NONE;
        }
        Insight seen = inside.get().finish(folder.resolve("recording.jfr"));
        boolean logs = census.stream().anyMatch(c -> c.threads(Cause.LOGGING) >= LOGS_FROM);
        return logs ? seen.withLogging(LoggingFiles.costs(ground.target().get())) : seen;
    }

    /// @param round at the load that is held now
    private void look(Loading loading, CensusTaker taker, Round round) throws InterruptedException {
        int concurrency = round.concurrency();
        InsideLook look = inside.orElseThrow();
        Instant begin = look.begin();
        Census seen = taker.take(concurrency, 0, plan.evidence().window(), plan.evidence().dumps());
        unseen.addAll(taker.missing());
        loading.ground().target().ifPresent(Target::requireAlive);
        LoadWindow window = loading.ground().session().take();
        double qps = window.qps();
        census.add(LookCost.told(seen.withQps(qps), round, window.latency()));
        look.at(concurrency, begin, taker.profile().at(concurrency, qps));
    }
}
