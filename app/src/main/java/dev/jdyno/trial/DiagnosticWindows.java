package dev.jdyno.trial;

import dev.jdyno.inside.Inside;
import dev.jdyno.inside.Look;
import dev.jdyno.inside.Looking;
import dev.jdyno.inside.RunningCode;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Disturbance;
import dev.jdyno.measure.DisturbanceText;
import dev.jdyno.measure.DisturbedRounds;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.ObserverOverhead;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.Explaining;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.LoggingCost;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.SourceLine;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.plan.Plan;
import dev.jdyno.trial.rounds.EvidenceLoads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// What explains the rounds: windows of thread dumps and profiles after them, at the loads of some
/// of them, and afterwards, when the service rests, the recordings of the whole time.
final class DiagnosticWindows {
    /// A queue near the knee takes its time to fill.
    private static final double KNEE_SETTLE_SECONDS = 3;

    /// Busy threads found in logging from which its configuration is looked at.
    private static final double LOGS_FROM = 0.1;

    private final Plan plan;
    private final Loading loading;
    private final TrialListener listener;
    private final Ladder ladder;
    private final List<Warning> warnings;
    private final List<WindowDraft> windows = new ArrayList<>();
    private final Set<String> unseen = new LinkedHashSet<>();
    private Optional<InsideMeasurements> inside = Optional.empty();

    /// @param warnings get what the reader of the evidence must know
    DiagnosticWindows(
            Plan plan,
            Loading loading,
            TrialListener listener,
            Ladder ladder,
            List<Warning> warnings) {
        this.plan = plan;
        this.loading = loading;
        this.listener = listener;
        this.ladder = ladder;
        this.warnings = warnings;
    }

    List<ThreadSamples> census() {
        return windows.stream().map(WindowDraft::samples).toList();
    }

    /// What could not be seen in the windows.
    List<String> unseen() {
        return List.copyOf(unseen);
    }

    /// Diagnostic windows of their own: at saturation, and well below it for comparison.
    ///
    /// @param goalRun the search under goals, at whose knee is looked, too
    void lookInside(Optional<GoalRun> goalRun) throws InterruptedException {
        TrialSetup ground = loading.ground();
        if (ground.inside().isEmpty()
                || ladder.rounds().isEmpty()
                || plan.evidence().dumps() == 0) {
            return;
        }
        var wanted = new Looking(plan.url(), plan.looking().profile(), loading::stopped);
        try (Look look = ground.inside().get().look(wanted)) {
            inside =
                    Optional.of(
                            new InsideMeasurements(
                                    plan, loading, listener, ground.inside().get(), look));
            Optional<Round> knee = goalRun.flatMap(GoalRun::kneeRound);
            // who interrupts a search wants its bracket, not twelve seconds more
            if (knee.isPresent() && !loading.stopped()) {
                listener.phase("diagnostic window at the knee");
                Level level = goalRun.orElseThrow().kneeLevel(knee.get());
                loading.settle(level, KNEE_SETTLE_SECONDS);
                look(look, knee.get(), level);
            }
            for (int concurrency : EvidenceLoads.of(ladder.comparable())) {
                if (loading.stopped()) {
                    return;
                }
                if (knee.filter(k -> k.concurrency() == concurrency).isEmpty()) {
                    listener.phase("diagnostic window with " + concurrency + " in flight");
                    Round round = EvidenceLoads.round(ladder.comparable(), concurrency);
                    ladder.settle(concurrency, round.rtMs().mean());
                    look(look, round, new Level.Closed(concurrency, Duration.ZERO));
                }
            }
            countWhatGrows(look);
        } catch (UserError blind) {
            warnings.add(new Warning("census", blind.what() + ": " + blind.why(), false));
        }
    }

    private void countWhatGrows(Look look) throws InterruptedException {
        if (LeakSuspicion.of(ladder.rounds()) && plan.looking().liveCount() && !loading.stopped()) {
            listener.phase(
                    "counting live objects three times because the old generation grows or is full");
            Signals grown = growth(look);
            warnings.add(LeakSuspicion.counted(grown));
            windows.getLast().add(grown);
        }
    }

    private Signals growth(Look look) throws InterruptedException {
        Look.Growth growth = look.growth(plan.evidence().window());
        growth.missing().forEach(why -> warnings.add(new Warning("leak-holders", why, false)));
        return growth.signals();
    }

    /// One diagnostic window, and what others took meanwhile.
    private record Sampling(
            long begin,
            Look.Sampled sampled,
            LoadWindow window,
            Optional<CpuUse> use,
            Optional<Disturbance> by) {}

    private Sampling sample(Look look, Round round) throws InterruptedException {
        long begin = inside.orElseThrow().begin();
        Look.Sampled sampled = look.sample(plan.evidence().window(), plan.evidence().dumps());
        loading.ground().inside().ifPresent(Inside::requireAlive);
        Optional<CpuUse> use = inside.orElseThrow().use();
        return new Sampling(
                begin,
                sampled,
                loading.ground().session().take(),
                use,
                use.flatMap(u -> round.cpu().flatMap(usual -> DisturbedRounds.between(u, usual))));
    }

    /// Samples that were taken while others held other cores than in the round which they explain
    /// show threads that wait for these: they are taken once more, and then marked.
    private Sampling sampleFairly(Look look, Round round, Level level) throws InterruptedException {
        Sampling first = sample(look, round);
        if (first.by().isEmpty() || loading.stopped()) {
            return first;
        }
        listener.note(
                "diagnostic window with %d in flight: %s; it is taken once more (up to %.0f s more)"
                        .formatted(
                                round.concurrency(),
                                DisturbanceText.says(first.by().get()),
                                ladder.quiet().left()
                                        + Durations.seconds(plan.evidence().window())));
        ladder.quiet().await(first.by().get());
        loading.settle(level, KNEE_SETTLE_SECONDS);
        Sampling second = sample(look, round);
        second.by()
                .ifPresent(by ->
                        warnings.add(
                                new Warning(
                                        "disturbed-window",
                                        "the diagnostic window with %d in flight is not like its round: %s"
                                                .formatted(
                                                        round.concurrency(),
                                                        DisturbanceText.says(by)),
                                        false)));
        return second;
    }

    /// @param round at the load that is held now
    private void look(Look look, Round round, Level level) throws InterruptedException {
        int concurrency = round.concurrency();
        InsideMeasurements measurements = inside.orElseThrow();
        Sampling taken = sampleFairly(look, round, level);
        long begin = taken.begin();
        Look.Sampled sampled = taken.sampled();
        unseen.addAll(sampled.missing());
        LoadWindow window = taken.window();
        // in a window that was stopped there was no load at its end
        double qps = loading.stopped() ? round.qps() : window.qps();
        Signals overhead = ObserverOverhead.signals(qps, round, window.latency());
        windows.add(new WindowDraft(concurrency, qps, sampled.threads(), overhead));
        measurements.at(concurrency, begin, sampled.profile().at(concurrency, qps), taken.use());
    }

    /// The rounds with what the flight recording adds to them, and to the thread samples. To be
    /// asked for when the service rests.
    ///
    /// @param rounds all of the trial
    List<Round> lookBack(List<Round> rounds) throws InterruptedException {
        TrialSetup ground = loading.ground();
        if (ground.inside().isEmpty()) {
            return rounds;
        }
        Inside target = ground.inside().get();
        try {
            if (!target.finishRecording()) {
                return rounds;
            }
            List<Round> better = ladder.hindsight().over(rounds, target);
            List<RunningCode> code = new ArrayList<>();
            for (WindowDraft w : windows) {
                code.add(
                        ladder.hindsight()
                                .runningCode(w.concurrency(), w.serving(), rounds, target));
            }
            for (int i = 0; i < code.size(); i++) {
                windows.get(i).add(code.get(i));
            }
            return better;
        } catch (UserError unread) {
            warnings.add(new Warning("jfr", unread.what() + ": " + unread.why(), false));
            return rounds;
        }
    }

    /// What was seen inside, and where threads were busy logging, what makes that dear. To be asked
    /// for when the service rests.
    ///
    /// @param failed hears of readings that failed
    Insight insight(Consumer<UserError> failed) throws InterruptedException {
        Optional<Inside> target = loading.ground().inside();
        if (inside.isEmpty() || target.isEmpty()) {
            return Insight.NONE;
        }
        List<ThreadSamples> census = census();
        List<SourceLine> sources = target.get().lines(NamedMethods.of(census));
        boolean logs = census.stream().anyMatch(c -> c.threads(Cause.LOGGING) >= LOGS_FROM);
        List<LoggingCost> logging =
                logs
                        ? Explaining.orElse(
                                List.of(),
                                "it read the service's logging configuration",
                                () -> target.get().logging(),
                                failed)
                        : List.of();
        return inside.get().finish(census, sources, logging, failed);
    }
}
