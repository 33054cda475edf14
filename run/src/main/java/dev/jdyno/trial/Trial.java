package dev.jdyno.trial;

import dev.jdyno.capacity.goal.OpenTrial;
import dev.jdyno.capacity.goal.PauseLog;
import dev.jdyno.inside.Inside;
import dev.jdyno.inside.MachineFacts;
import dev.jdyno.load.LoadGenerator;
import dev.jdyno.measure.Attempt;
import dev.jdyno.measure.Challenge;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Machine;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.Slice;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.load.LoadFacts;
import dev.jdyno.measure.load.WarmUpFacts;
import dev.jdyno.measure.load.Workload;
import dev.jdyno.measure.text.Explaining;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.GoalKnee;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.plan.Plan;
import dev.jdyno.target.Target;
import dev.jdyno.trial.goal.GoalAnswer;
import dev.jdyno.trial.recording.LatencyLog;
import dev.jdyno.trial.rounds.CountNote;
import dev.jdyno.trial.rounds.CutSearch;
import dev.jdyno.trial.rounds.Neighbours;
import dev.jdyno.trial.rounds.RoundFigures;
import dev.jdyno.trial.rounds.SinceWarmUp;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// Runs one plan: warm-up, the ladder of closed-loop rounds, then diagnostic windows at the same
/// loads. The windows of client and target of a round begin and end at the same instants. Thread
/// dumps and profilers never run inside a round.
public final class Trial {
    private final Plan plan;
    private final Path folder;
    private final TrialListener listener;
    private final NanoClock clock;
    private final BooleanSupplier stop;
    private final List<Warning> warnings = new ArrayList<>();
    private Optional<GoalRun> goalRun = Optional.empty();
    private long startNanos;
    private double warmupSeconds;
    private List<Slice> warmupSlices = List.of();
    private Optional<WarmUpFacts> warmUpFacts = Optional.empty();
    private Optional<UserError> cut = Optional.empty();
    private Optional<UserError> unexplained = Optional.empty();
    private RoundFigures figures = RoundFigures.none();
    private boolean force;
    private InsideOpening away;

    public Trial(Plan plan, Session session) {
        this.plan = plan;
        this.away = new ByAgent(plan.name(), Optional.empty());
        this.folder = session.folder();
        this.listener = session.listener();
        this.clock = session.clock();
        this.stop = session.stop();
    }

    /// Sets whether to go on if another jdyno works on the same target.
    public Trial force(boolean wanted) {
        force = wanted;
        return this;
    }

    /// Sets how a target on another host is observed. The default is by an agent on that host.
    public Trial away(InsideOpening wanted) {
        away = wanted;
        return this;
    }

    /// Runs the plan once.
    ///
    /// @throws UserError when it fails before the warm-up; later failures are in the outcome, with
    ///   what was measured until then
    public TrialOutcome run() throws InterruptedException {
        return run((_, _) -> List.of());
    }

    /// Chooses the experiments that are made after everything is measured.
    @FunctionalInterface
    public interface Doubt {
        List<Challenge> challenges(Recording measured, Optional<GoalKnee> goal);
    }

    /// Runs the plan once, and then makes the experiments that `doubt` derives from the recording.
    public TrialOutcome run(Doubt doubt) throws InterruptedException {
        startNanos = clock.nanos();
        // a mistake in the file of frames must be reported before the load, not minutes later
        Frames.with(plan.inside().frames());
        try (TrialSetup trialSetup =
                        TrialSetup.answering(plan, folder, clock, startNanos, stop, away, force);
                var latencies = LatencyLog.open(folder.resolve("latency.hlog"));
                Loading loading = Loading.on(trialSetup, clock, startNanos, stop)) {
            warnings.addAll(trialSetup.alone().warnings());
            Machine machine =
                    trialSetup.inside().map(Inside::machine).orElseGet(MachineFacts::read);
            plan.workload().flatMap(Workload::warning).ifPresent(warnings::add);
            warnings.addAll(LeftBehind.cleanUp(trialSetup));
            TargetFacts facts = facts(trialSetup);
            figures = RoundFigures.of(plan, trialSetup.target(), facts.flags(), clock);
            var ladder = new Ladder(plan, loading, listener, latencies, figures, warnings);
            var windows = new DiagnosticWindows(plan, loading, listener, ladder, warnings);
            try {
                measure(loading, ladder, windows, latencies, machine);
            } catch (InterruptedException ended) {
                throw ended;
            } catch (Throwable midway) {
                cut = Optional.of(Explaining.failure("it measured", midway));
            } finally {
                // everything from here on needs no load, so the service gets none
                loading.rest();
            }
            Optional<GoalKnee> goal =
                    explained(Optional.empty(), "it judged the search under goals", this::goal);
            Recording recording = recording(loading, ladder, windows, facts, machine);
            boolean whole = cut.isEmpty() && unexplained.isEmpty() && !recording.partial();
            return whole && !ladder.rounds().isEmpty()
                    ? proved(loading, recording, ladder, goal, doubt)
                    : outcome(loading, recording, ladder, goal, List.of());
        }
    }

    /// Makes all measurements that need load.
    private void measure(
            Loading loading,
            Ladder ladder,
            DiagnosticWindows windows,
            LatencyLog latencies,
            Machine machine)
            throws InterruptedException {
        if (plan.search().isEmpty()) {
            warnings.addAll(Preflight.host(loading, listener, machine.cores()));
        }
        warmUp(loading);
        if (plan.search().isPresent()) {
            searchUnderGoals(loading, plan.search().get(), ladder, latencies, machine.cores());
        } else {
            ladder.climb();
        }
        showThatItIsWarm(loading, ladder);
        windows.takeWindows(goalRun);
        // diagnostic windows do not fail if the target has ended: they only note that it does not
        // answer
        loading.trialSetup().inside().ifPresent(Inside::requireAlive);
    }

    /// The recording of the trial, with the data that flight recordings add. The service gets no
    /// load in the meantime.
    private Recording recording(
            Loading loading,
            Ladder ladder,
            DiagnosticWindows windows,
            TargetFacts facts,
            Machine machine)
            throws InterruptedException {
        List<Round> rounds = new ArrayList<>(ladder.rounds());
        goalRun.ifPresent(g -> rounds.addAll(Neighbours.marked(g.rounds())));
        List<Round> leftOut = ladder.leftOut();
        Explaining.attempt(
                "it looked for what speaks against the rounds",
                () -> warnings.addAll(doubts(ladder)),
                this::notExplained);
        List<Round> better = rounds;
        Insight insight = Insight.NONE;
        if (loading.trialSetup().inside().isPresent()) {
            better =
                    explained(
                            rounds,
                            "it read the flight recording",
                            () -> {
                                listener.phase("reading what was recorded");
                                return windows.addRecordedEvents(rounds);
                            });
            insight =
                    explained(
                            Insight.NONE,
                            "it read what was seen inside",
                            () -> windows.insight(this::notExplained));
        }
        insight = insight.withService(figures.of(better));
        insight.service().stream()
                .flatMap(f -> CountNote.of(f).stream())
                .reduce((_, last) -> last)
                .ifPresent(warnings::add);
        cut = explained(cut, facts, loading.trialSetup());
        cut.ifPresent(f ->
                warnings.add(
                        new Warning(
                                "cut-short",
                                f.what() + ": " + f.why(),
                                f.kind() == UserError.Kind.INVALID)));
        unexplained.map(Trial::spoilt).ifPresent(warnings::add);
        return new Recording(
                machine,
                withStandstills(
                        facts.with(figures.means(), unseen(loading, windows)),
                        loading.trialSetup()),
                Optional.of(warmupSeconds),
                better,
                windows.census(),
                warnings,
                cut.isPresent() || stop.getAsBoolean(),
                insight,
                Optional.of(loaded(loading)),
                leftOut);
    }

    private List<String> unseen(Loading loading, DiagnosticWindows windows) {
        List<String> all = new ArrayList<>(windows.unseen());
        all.addAll(figures.missing());
        loading.trialSetup().session().driver().ifPresent(d -> all.addAll(d.missing()));
        return all;
    }

    private LoadFacts loaded(Loading loading) {
        LoadGenerator.Addresses addresses = loading.trialSetup().session().addresses();
        return new LoadFacts(
                addresses.used(),
                addresses.unanswered(),
                loading.timeline().points(),
                warmUpFacts,
                loading.trialSetup().session().driver(),
                plan.request().replies().traceUrl());
    }

    /// Adds the reason why the target ended, if the figures of its collector show one.
    private Optional<UserError> explained(
            Optional<UserError> why, TargetFacts facts, TrialSetup trialSetup)
            throws InterruptedException {
        if (why.isEmpty() || trialSetup.inside().isEmpty()) {
            return why;
        }
        return explained(
                why,
                "it looked why the target ended",
                () ->
                        Optional.of(
                                Ending.asError(
                                        why.get(),
                                        trialSetup.inside().get().isAlive(),
                                        trialSetup.inside().get().memoryKill(),
                                        trialSetup.inside().get().heapFill(),
                                        facts.heapMaxBytes())));
    }

    private TargetFacts withStandstills(TargetFacts facts, TrialSetup trialSetup) {
        return trialSetup.inside().map(i -> facts.with(i.standstills(startNanos))).orElse(facts);
    }

    private List<Warning> doubts(Ladder ladder) {
        List<Warning> doubts = new ArrayList<>();
        if ((cut.isPresent() || stop.getAsBoolean()) && ladder.wasCut()) {
            CutSearch.of(ladder.nextStep(), plan.rounds().concurrency(), ladder.asMeasured())
                    .ifPresent(doubts::add);
        }
        SinceWarmUp.fell(plan.warmup().concurrency(), warmupSlices, ladder.rounds())
                .ifPresent(doubts::add);
        goalRun.ifPresent(g -> {
            doubts.addAll(g.warnings());
            Neighbours.of(g.rounds()).ifPresent(doubts::add);
        });
        return doubts;
    }

    private <T> T explained(T otherwise, String doing, Explaining.Work<T> work)
            throws InterruptedException {
        return Explaining.orElse(otherwise, doing, work, this::notExplained);
    }

    /// Keeps the first failure for the report. Later ones may have the same reason.
    private void notExplained(UserError why) {
        if (unexplained.isEmpty()) {
            unexplained = Optional.of(why);
        }
    }

    private static Warning spoilt(UserError why) {
        return new Warning(Validity.NOT_EXPLAINED, why.what() + ": " + why.why(), true);
    }

    private Optional<GoalKnee> goal() {
        boolean failed = cut.isPresent();
        return goalRun.map(g -> g.answer(failed))
                .or(() -> plan.search().map(w -> GoalAnswer.untested(w, failed)));
    }

    private TrialOutcome proved(
            Loading loading,
            Recording recording,
            Ladder ladder,
            Optional<GoalKnee> goal,
            Doubt doubt)
            throws InterruptedException {
        Prover.Proved proved;
        try {
            proved =
                    explained(
                            new Prover.Proved(List.of(), Optional.empty()),
                            "it put the verdict to the test",
                            () ->
                                    new Prover(loading, plan, listener)
                                            .make(doubt.challenges(recording, goal)));
        } finally {
            loading.rest();
        }
        cut = explained(proved.failure(), recording.target(), loading.trialSetup());
        Recording marked = proved.marked(stop.getAsBoolean() ? recording.asPartial() : recording);
        return outcome(
                loading,
                unexplained.map(u -> marked.with(spoilt(u))).orElse(marked),
                ladder,
                goal,
                proved.attempts());
    }

    /// The outcome of the trial, with all stops of the target and all warnings.
    private TrialOutcome outcome(
            Loading loading,
            Recording recording,
            Ladder ladder,
            Optional<GoalKnee> goal,
            List<Attempt> attempts)
            throws InterruptedException {
        Recording whole =
                recording.withTarget(withStandstills(recording.target(), loading.trialSetup()));
        for (Warning doubt : loading.trialSetup().inside().map(Inside::doubts).orElse(List.of())) {
            whole = whole.with(doubt);
        }
        for (Warning left :
                explained(
                        List.<Warning>of(),
                        "it ended what it had started in the target",
                        () -> LeftBehind.ofThisRun(loading.trialSetup()))) {
            whole = whole.with(left);
        }
        for (Warning load : loading.trialSetup().session().warnings()) {
            whole = whole.with(load);
        }
        return new TrialOutcome(whole, ladder.ended(), cut.or(() -> unexplained), goal, attempts);
    }

    private TargetFacts facts(TrialSetup trialSetup) throws InterruptedException {
        if (trialSetup.inside().isPresent()) {
            return trialSetup.inside().get().facts();
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
        try (var warmUp = new WarmUp(loading, listener)) {
            try {
                warmUp.run(plan.warmup()).ifPresent(warnings::add);
            } finally {
                warmupSeconds = warmUp.seconds();
                warmupSlices = warmUp.slices();
                warmUpFacts = Optional.of(warmUp.facts());
            }
        }
    }

    private void showThatItIsWarm(Loading loading, Ladder ladder) throws InterruptedException {
        if (stop.getAsBoolean() || warmUpFacts.filter(WarmCheck::isWanted).isEmpty()) {
            return;
        }
        WarmUpFacts shown =
                new WarmCheck(loading, listener)
                        .shown(warmUpFacts.orElseThrow(), ladder.rounds(), plan);
        shown.after().flatMap(WarmCheck::warning).ifPresent(warnings::add);
        warmUpFacts = Optional.of(shown);
    }

    /// Searches for the highest rate under goals: preflight, a short ladder up to saturation, then
    /// rates of the open model until the bracket is found.
    private void searchUnderGoals(
            Loading loading, Plan.GoalSearch wanted, Ladder ladder, LatencyLog latencies, int cores)
            throws InterruptedException {
        try (var jvm = JvmWatch.open(loading.trialSetup().target().map(Target::pid), clock)) {
            warnings.addAll(new Preflight(loading, jvm, listener).run(plan, cores));
            long start = clock.nanos();
            ladder.climb();
            if (ladder.rounds().isEmpty() || stop.getAsBoolean()) {
                return;
            }
            var known =
                    jvm.missing().isPresent()
                            ? PauseLog.NONE
                            : new PauseLog(
                                    jvm.since(start).stream().map(OpenTrial.Pause::ms).toList(),
                                    clock.secondsSince(start));
            var run =
                    new GoalRun(
                            plan,
                            wanted,
                            loading,
                            jvm,
                            listener,
                            latencies,
                            ladder.rounds(),
                            known);
            goalRun = Optional.of(run);
            run.run();
            ladder.end(run.answer(false).says());
        }
    }
}
