package dev.jdyno.trial;

import dev.jdyno.inside.Inside;
import dev.jdyno.inside.InsideWindows;
import dev.jdyno.inside.RunningCode;
import dev.jdyno.inside.Span;
import dev.jdyno.inside.WindowSettings;
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
import dev.jdyno.measure.verdict.DecidingWarning;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.plan.Plan;
import dev.jdyno.trial.rounds.EvidenceLoads;
import dev.jdyno.trial.rounds.FairWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// Collects the evidence that explains the rounds. Diagnostic windows with thread dumps and
/// profiles follow some of the rounds, at their loads. When the service rests, the recordings of
/// the whole time are read.
final class DiagnosticWindows {
    /// Time for queues to fill at a load near the knee, where they fill slowly.
    private static final double KNEE_SETTLE_SECONDS = 3;

    /// Mean number of busy threads in logging from which the logging configuration is read.
    private static final double LOGS_FROM = 0.1;

    private final Plan plan;
    private final Loading loading;
    private final TrialListener listener;
    private final Ladder ladder;
    private final List<Warning> warnings;
    private final List<WindowDraft> windows = new ArrayList<>();
    private final Set<String> unseen = new LinkedHashSet<>();
    private Optional<InsideMeasurements> inside = Optional.empty();

    /// @param warnings receives warnings for the reader of the evidence
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

    /// The figures that the windows could not measure, with the reasons.
    List<String> unseen() {
        return List.copyOf(unseen);
    }

    /// Takes diagnostic windows at the operating point, beyond it, and well below it for
    /// comparison.
    ///
    /// @param goalRun the search under goals; a window is taken at its knee, too
    void takeWindows(Optional<GoalRun> goalRun) throws InterruptedException {
        TrialSetup trialSetup = loading.trialSetup();
        if (trialSetup.inside().isEmpty()
                || ladder.rounds().isEmpty()
                || plan.evidence().dumps() == 0) {
            return;
        }
        var wanted = new WindowSettings(plan.url(), plan.inside().profile(), loading::stopped);
        try (InsideWindows opened = trialSetup.inside().get().windows(wanted)) {
            inside =
                    Optional.of(
                            new InsideMeasurements(
                                    plan, loading, listener, trialSetup.inside().get(), opened));
            Optional<Round> knee = goalRun.flatMap(GoalRun::kneeRound);
            // after an interrupt, the user gets the bracket at once, without twelve more seconds
            if (knee.isPresent() && !loading.stopped()) {
                listener.phase("diagnostic window at the knee");
                Level level = goalRun.orElseThrow().kneeLevel(knee.get());
                loading.settle(level, KNEE_SETTLE_SECONDS);
                takeWindow(opened, knee.get(), level);
            }
            for (int concurrency : EvidenceLoads.of(ladder.comparable())) {
                if (loading.stopped()) {
                    return;
                }
                if (knee.filter(k -> k.concurrency() == concurrency).isEmpty()) {
                    listener.phase("diagnostic window with " + concurrency + " in flight");
                    Round round = EvidenceLoads.round(ladder.comparable(), concurrency);
                    ladder.settle(concurrency, round.rtMs().mean());
                    takeWindow(opened, round, new Level.Closed(concurrency, Duration.ZERO));
                }
            }
            countWhatGrows(opened);
        } catch (UserError blind) {
            warnings.add(
                    new Warning(
                            DecidingWarning.THREAD_DUMPS.id(),
                            blind.what() + ": " + blind.why(),
                            false));
        }
    }

    private void countWhatGrows(InsideWindows opened) throws InterruptedException {
        if (LeakSuspicion.of(ladder.rounds()) && plan.inside().liveCount() && !loading.stopped()) {
            listener.phase(
                    "counting live objects three times because the old generation grows or is full");
            Signals grown = growth(opened);
            warnings.add(LeakSuspicion.counted(grown));
            windows.getLast().add(grown);
        }
    }

    private Signals growth(InsideWindows opened) throws InterruptedException {
        InsideWindows.Growth growth = opened.growth(plan.evidence().window());
        growth.missing().forEach(why -> warnings.add(new Warning("leak-holders", why, false)));
        return growth.signals();
    }

    /// One diagnostic window.
    private record Sampling(
            Span span, InsideWindows.Sampled sampled, LoadWindow window, Optional<CpuUse> use) {}

    /// A diagnostic window before or after a round, at the present load.
    private final class Sampler implements FairWindow.Taking<Sampling> {
        private final InsideWindows opened;
        private final Round round;
        private final Level level;

        Sampler(InsideWindows opened, Round round, Level level) {
            this.opened = opened;
            this.round = round;
            this.level = level;
        }

        @Override
        public FairWindow.Taken<Sampling> take() throws InterruptedException {
            long begin = inside.orElseThrow().begin();
            InsideWindows.Sampled sampled =
                    opened.sample(plan.evidence().window(), plan.evidence().dumps());
            loading.trialSetup().inside().ifPresent(Inside::requireAlive);
            Optional<CpuUse> use = inside.orElseThrow().use();
            LoadWindow window = loading.trialSetup().session().take();
            var span = new Span(begin, loading.clock().nanos());
            return new FairWindow.Taken<>(
                    new Sampling(span, sampled, window, use),
                    !loading.stopped(),
                    use.flatMap(u -> round.cpu().flatMap(c -> DisturbedRounds.between(u, c))));
        }

        @Override
        public void calmDown(Disturbance by) throws InterruptedException {
            listener.note(
                    "diagnostic window with %d in flight: %s; it is taken once more (up to %.0f s more)"
                            .formatted(
                                    round.concurrency(),
                                    DisturbanceText.says(by),
                                    ladder.quietSecondsLeft()
                                            + Durations.seconds(plan.evidence().window())));
            ladder.awaitQuiet(by);
            loading.settle(level, KNEE_SETTLE_SECONDS);
        }

        @Override
        public boolean stopped() {
            return loading.stopped();
        }
    }

    private void remark(int concurrency, Disturbance by) {
        warnings.add(
                new Warning(
                        DecidingWarning.DISTURBED_WINDOW.id(),
                        "the diagnostic window with %d in flight is not like its round: %s"
                                .formatted(concurrency, DisturbanceText.says(by)),
                        false));
    }

    /// @param round round at the present load
    private void takeWindow(InsideWindows opened, Round round, Level level)
            throws InterruptedException {
        int concurrency = round.concurrency();
        FairWindow.Taken<Sampling> taken = FairWindow.of(new Sampler(opened, round, level));
        taken.by().ifPresent(by -> remark(concurrency, by));
        Sampling window = taken.window();
        InsideWindows.Sampled sampled = window.sampled();
        unseen.addAll(sampled.missing());
        // a window that was stopped had no load at its end
        boolean counted = taken.whole() && window.window().counted();
        double qps = counted ? window.window().qps() : round.qps();
        // if neighbours disturbed the window, its higher latency is due to them, not to the
        // observer
        Signals overhead =
                taken.by().isPresent() || !window.window().counted()
                        ? Signals.NONE
                        : ObserverOverhead.signals(qps, round, window.window().latency());
        windows.add(new WindowDraft(concurrency, qps, sampled.threads(), overhead));
        inside.orElseThrow()
                .at(
                        concurrency,
                        window.span(),
                        sampled.profile().at(concurrency, qps),
                        window.use());
    }

    /// Adds the data of the flight recording to the rounds and to the thread samples. To be called
    /// when the service rests.
    ///
    /// @param rounds all rounds of the trial
    List<Round> addRecordedEvents(List<Round> rounds) throws InterruptedException {
        TrialSetup trialSetup = loading.trialSetup();
        if (trialSetup.inside().isEmpty()) {
            return rounds;
        }
        Inside target = trialSetup.inside().get();
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

    /// Returns the measurements from inside the JVM and, if threads were busy logging, the reasons
    /// why logging is expensive. To be called when the service rests.
    ///
    /// @param failed receives readings that failed
    Insight insight(Consumer<UserError> failed) throws InterruptedException {
        Optional<Inside> target = loading.trialSetup().inside();
        if (inside.isEmpty() || target.isEmpty()) {
            return Insight.NONE;
        }
        List<ThreadSamples> threadSamples = census();
        List<SourceLine> sources = target.get().lines(NamedMethods.of(threadSamples));
        boolean logs = threadSamples.stream().anyMatch(c -> c.threads(Cause.LOGGING) >= LOGS_FROM);
        List<LoggingCost> logging =
                logs
                        ? Explaining.orElse(
                                List.of(),
                                "it read the service's logging configuration",
                                () -> target.get().logging(),
                                failed)
                        : List.of();
        return inside.get().finish(threadSamples, sources, logging, failed);
    }
}
