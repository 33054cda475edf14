package dev.jdyno.trial;

import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.ObserverOverhead;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.text.Explaining;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.observe.heap.LeakTrail;
import dev.jdyno.observe.jfr.FlightFigures;
import dev.jdyno.observe.logging.LoggingFiles;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stacks.SourceLines;
import dev.jdyno.observe.window.ThreadSampler;
import dev.jdyno.plan.Plan;
import dev.jdyno.target.Target;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
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
    private final Path folder;
    private final Loading loading;
    private final TrialListener listener;
    private final Ladder ladder;
    private final List<Warning> warnings;
    private final List<ThreadSamples> census = new ArrayList<>();
    private final Set<String> unseen = new LinkedHashSet<>();
    private final SourceLines lines = new SourceLines();
    private Optional<InsideMeasurements> inside = Optional.empty();

    /// @param folder with the recordings
    /// @param warnings get what the reader of the evidence must know
    DiagnosticWindows(
            Plan plan,
            Path folder,
            Loading loading,
            TrialListener listener,
            Ladder ladder,
            List<Warning> warnings) {
        this.plan = plan;
        this.folder = folder;
        this.loading = loading;
        this.listener = listener;
        this.ladder = ladder;
        this.warnings = warnings;
    }

    List<ThreadSamples> census() {
        return census;
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
        if (ground.target().isEmpty()
                || ladder.rounds().isEmpty()
                || plan.evidence().dumps() == 0) {
            return;
        }
        Target target = ground.target().get();
        try (var taker =
                        ThreadSampler.of(
                                        target,
                                        loading.clock(),
                                        Frames.with(plan.looking().frames()))
                                .asking(plan.url())
                                .until(loading::stopped);
                var look =
                        InsideMeasurements.of(
                                plan, loading, listener, target, InstantSource.system())) {
            inside = Optional.of(look);
            Optional<Round> knee = goalRun.flatMap(GoalRun::kneeRound);
            // who interrupts a search wants its bracket, not twelve seconds more
            if (knee.isPresent() && !loading.stopped()) {
                listener.phase("diagnostic window at the knee");
                loading.settle(goalRun.orElseThrow().kneeLevel(knee.get()), KNEE_SETTLE_SECONDS);
                look(taker, knee.get());
            }
            for (int concurrency : EvidenceLoads.of(ladder.rounds())) {
                if (loading.stopped()) {
                    return;
                }
                if (knee.filter(k -> k.concurrency() == concurrency).isEmpty()) {
                    listener.phase("diagnostic window with " + concurrency + " in flight");
                    Round round = EvidenceLoads.round(ladder.rounds(), concurrency);
                    ladder.settle(concurrency, round.rtMs().mean());
                    look(taker, round);
                }
            }
            countWhatGrows(target, taker);
            lines.addAll(taker.lines());
        } catch (UserError blind) {
            warnings.add(new Warning("census", blind.what() + ": " + blind.why(), false));
        }
    }

    private void countWhatGrows(Target target, ThreadSampler taker) throws InterruptedException {
        if (LeakSuspicion.of(ladder.rounds()) && plan.looking().liveCount() && !loading.stopped()) {
            listener.phase(
                    "counting live objects three times because the old generation grows or is full");
            // before the thread samples are taken out: a count that fails must not cost it
            Signals grown = growth(target, taker);
            warnings.add(LeakSuspicion.counted(grown));
            ThreadSamples last = census.removeLast();
            census.add(last.withSignals(last.signals().and(grown)));
        }
    }

    private Signals growth(Target target, ThreadSampler taker) throws InterruptedException {
        return LeakTrail.during(
                target,
                () -> taker.liveGrowth(plan.evidence().window()),
                why -> warnings.add(new Warning("leak-holders", why, false)));
    }

    /// @param round at the load that is held now
    private void look(ThreadSampler taker, Round round) throws InterruptedException {
        int concurrency = round.concurrency();
        InsideMeasurements look = inside.orElseThrow();
        Instant begin = look.begin();
        ThreadSamples seen =
                taker.take(concurrency, 0, plan.evidence().window(), plan.evidence().dumps());
        unseen.addAll(taker.missing());
        loading.ground().target().ifPresent(Target::requireAlive);
        LoadWindow window = loading.ground().session().take();
        // in a window that was stopped there was no load at its end
        double qps = loading.stopped() ? round.qps() : window.qps();
        census.add(ObserverOverhead.attached(seen.withQps(qps), round, window.latency()));
        look.at(concurrency, begin, taker.profile().at(concurrency, qps));
    }

    /// The rounds with what the flight recording adds to them, and to the thread samples. To be
    /// asked for when the service rests.
    ///
    /// @param rounds all of the trial
    List<Round> lookBack(List<Round> rounds) throws InterruptedException {
        TrialSetup ground = loading.ground();
        if (ground.observer().isEmpty()) {
            return rounds;
        }
        try {
            Optional<FlightFigures> figures =
                    ground.observer().get().finishRecording(Frames.with(plan.looking().frames()));
            if (figures.isEmpty()) {
                return rounds;
            }
            List<Round> better = ladder.hindsight().over(rounds, figures.get());
            List<ThreadSamples> attached =
                    census.stream()
                            .map(c -> ladder.hindsight().seen(c, rounds, figures.get()))
                            .toList();
            census.clear();
            census.addAll(attached);
            lines.addAll(figures.get().lines());
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
        Optional<Target> target = loading.ground().target();
        if (inside.isEmpty() || target.isEmpty()) {
            return Insight.NONE;
        }
        Insight seen =
                inside.get()
                        .finish(folder.resolve("recording.jfr"), failed)
                        .withSources(lines.of(NamedMethods.of(census)));
        boolean logs = census.stream().anyMatch(c -> c.threads(Cause.LOGGING) >= LOGS_FROM);
        return logs
                ? seen.withLogging(
                        Explaining.orElse(
                                List.of(),
                                "it read the service's logging configuration",
                                () -> LoggingFiles.costs(target.get()),
                                failed))
                : seen;
    }
}
