package dev.jdyno.trial;

import dev.jdyno.capacity.KneeSearch;
import dev.jdyno.load.StreamLimit;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.Disturbance;
import dev.jdyno.measure.DisturbanceText;
import dev.jdyno.measure.DisturbedRounds;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.FailureText;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.plan.Plan;
import dev.jdyno.trial.recording.LatencyLog;
import dev.jdyno.trial.rounds.Fate;
import dev.jdyno.trial.rounds.MeasuredRounds;
import dev.jdyno.trial.rounds.NextRound;
import dev.jdyno.trial.rounds.QuietWait;
import dev.jdyno.trial.rounds.RoundFigures;
import dev.jdyno.trial.rounds.RoundsAgain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The closed-loop rounds of a trial: those that the plan names, or those that the search for the
/// knee asks for. An interrupted round is used with its measurements until then.
final class Ladder {
    /// Maximum length of a round, even for a slow service, unless the plan has a longer one.
    private static final Duration LONGEST_ROUND = Duration.ofSeconds(60);

    private final Plan plan;
    private final Loading loading;
    private final TrialListener listener;
    private final LatencyLog latencies;
    private final List<Warning> warnings;
    private final List<Round> all = new ArrayList<>();
    private final QuietWait quiet;
    private MeasuredRounds rounds = MeasuredRounds.of(List.of());
    private final RoundsAgain again = new RoundsAgain();
    private final RoundTimes hindsight = new RoundTimes();
    private final RoundFigures figures;
    private String ended = "";
    private boolean wasCut = true;

    /// @param figures the service's own metrics of each round
    /// @param warnings receives warnings for the reader of the rounds
    Ladder(
            Plan plan,
            Loading loading,
            TrialListener listener,
            LatencyLog latencies,
            RoundFigures figures,
            List<Warning> warnings) {
        this.plan = plan;
        this.loading = loading;
        this.listener = listener;
        this.latencies = latencies;
        this.figures = figures;
        this.warnings = warnings;
        this.quiet = new QuietWait(new IdleTarget(loading, listener), loading.clock());
    }

    /// The rounds of the result so far. A round that other processes disturbed is marked.
    List<Round> rounds() {
        return rounds.counted();
    }

    /// The rounds of the result, scaled to the same cores, so that they can be compared.
    List<Round> comparable() {
        return rounds.comparable();
    }

    /// All rounds, marked for the case that more rounds may follow: a load without an undisturbed
    /// round may be measured again.
    MeasuredRounds asMeasured() {
        return MeasuredRounds.of(all);
    }

    /// The rounds that are left out, because other processes disturbed them.
    List<Round> leftOut() {
        return rounds.leftOut();
    }

    /// Seconds that the run may still wait for other processes to leave the cores.
    double quietSecondsLeft() {
        return quiet.left();
    }

    /// Sends no request until other processes leave the cores that they took, or until the run's
    /// time for waiting is over.
    void awaitQuiet(Disturbance by) throws InterruptedException {
        if (quiet.waitsFor(by)) {
            listener.phase(
                    String.format(
                            Locale.ROOT,
                            "waiting up to %.0f s for others to leave the cores: %s",
                            quiet.left(),
                            DisturbanceText.who(by)));
            quiet.await(by, DisturbedRounds.usualCoresAtRest(all));
        }
    }

    /// The times of the rounds, to which data of recordings are assigned later.
    RoundTimes hindsight() {
        return hindsight;
    }

    /// The reason why the ladder ended, for the user; empty while it goes on.
    String ended() {
        return ended;
    }

    /// Marks the ladder as ended for this reason, and as not cut short.
    void end(String why) {
        ended = why;
        wasCut = false;
    }

    /// True if loads are left, or were left when the ladder ended.
    boolean wasCut() {
        return wasCut;
    }

    void climb() throws InterruptedException {
        try {
            climbUp();
        } finally {
            close();
        }
    }

    /// For each load that has only disturbed rounds, the least disturbed one becomes part of the
    /// result. These loads are not measured again.
    private void close() {
        int before = rounds.counted().size();
        rounds = MeasuredRounds.closed(all);
        int more = rounds.counted().size() - before;
        if (more > 0) {
            listener.note(
                    more
                            + " loads have only disturbed rounds: the least disturbed one of each"
                            + " load counts");
        }
    }

    private void climbUp() throws InterruptedException {
        while (!loading.stopped()) {
            switch (nextStep()) {
                case KneeSearch.Step.Done(_, String says) -> {
                    end(says);
                    return;
                }
                case KneeSearch.Step.Measure(int concurrency, double seconds, String why) -> {
                    Optional<Disturbance> before = rounds.lastAt(concurrency);
                    if (before.isPresent()) {
                        awaitQuiet(before.get());
                    }
                    listener.measuring(
                            "measuring with "
                                    + concurrency
                                    + " in flight ("
                                    + why
                                    + ")"
                                    + before.map(_ -> ", again because of others").orElse(""));
                    Optional<Round> round = measureFairly(concurrency, seconds);
                    round.ifPresent(this::keep);
                    if (round.isPresent()
                            && round.get().errorShare() > plan.limits().errorShare()) {
                        end(tooManyErrors(round.get()));
                        return;
                    }
                }
            }
        }
        ended = "interrupted";
        wasCut = true;
    }

    KneeSearch.Step nextStep() {
        return NextRound.of(plan, asMeasured(), cores());
    }

    private static int cores() {
        return Runtime.getRuntime().availableProcessors();
    }

    private void keep(Round round) {
        all.add(round);
        rounds = MeasuredRounds.of(all);
        Round marked = rounds.marked(round);
        listener.round(marked);
        marked.disturbance().ifPresent(by -> listener.note(disturbed(marked, by)));
        KneeSearch.soFar(rounds.comparable())
                .ifPresent(k -> listener.knee(k.concurrency(), k.ci95(), k.qps()));
    }

    private String disturbed(Round round, Disturbance by) {
        return String.format(
                Locale.ROOT,
                "%d in flight: %s; %s",
                round.concurrency(),
                DisturbanceText.says(by),
                Fate.of(plan, rounds, cores(), round)
                        .says(
                                round.seconds() + Durations.seconds(plan.rounds().settle()),
                                quiet.waitsFor(by) ? quiet.left() : 0));
    }

    private String tooManyErrors(Round round) {
        String says =
                String.format(
                        Locale.ROOT,
                        "%.1f %% of the requests failed at %d in flight (limit %.1f %%): %s%s%s",
                        round.errorShare() * 100,
                        round.concurrency(),
                        plan.limits().errorShare() * 100,
                        round.errorKinds(),
                        round.failures().stream()
                                .findFirst()
                                .map(f -> "; " + FailureText.says(f))
                                .orElse(""),
                        ErrorKind.hint(round.errorKinds()));
        warnings.add(new Warning("errors", says, true));
        return says;
    }

    /// Measures a round. If the machine delayed the load generator in this round, measures another
    /// one and returns the better of the two.
    private Optional<Round> measureFairly(int concurrency, double seconds)
            throws InterruptedException {
        Optional<Round> first = measure(concurrency, seconds);
        if (first.isEmpty() || !again.wants(first.get())) {
            return first;
        }
        String why = first.get().client().why().orElse("held up");
        listener.measuring("measuring with " + concurrency + " in flight once more (" + why + ")");
        int before = all.size();
        Optional<Round> second;
        try {
            second = measure(concurrency, seconds);
        } catch (UserError midway) {
            if (all.size() == before) {
                keep(first.get());
            }
            throw midway;
        }
        if (second.isEmpty()) {
            return first;
        }
        var choice = RoundsAgain.Choice.of(first.get(), second.get());
        warnings.add(choice.warning());
        return Optional.of(choice.kept());
    }

    /// @return empty when it was stopped before its first slice
    private Optional<Round> measure(int concurrency, double wantedSeconds)
            throws InterruptedException {
        double rtMs = all.isEmpty() ? 0 : all.getLast().rtMs().mean();
        double seconds =
                Math.min(
                        wantedSeconds,
                        Math.max(
                                Durations.seconds(LONGEST_ROUND),
                                Durations.seconds(plan.rounds().length())));
        settle(concurrency, rtMs);
        if (figures.begin() && loading.trialSetup().session().driver().isEmpty()) {
            loading.take();
        }
        var windows = new Windows();
        long start = loading.clock().nanos();
        try {
            while (loading.clock().secondsSince(start) < seconds - 0.5) {
                Optional<LoadWindow> seen = loading.slice(windows);
                if (seen.isEmpty()) {
                    break;
                }
                latencies.write("N=" + concurrency, seen.get());
                listener.progress(
                        loading.clock().secondsSince(start),
                        Optional.of(seconds),
                        Optional.of(windows.slices().getLast().qps()));
            }
        } catch (UserError midway) {
            round(windows, concurrency).ifPresent(this::keep);
            throw midway;
        }
        Optional<Round> round = round(windows, concurrency);
        if (round.isPresent() && !loading.stopped()) {
            figures.end(round.get());
        }
        return round;
    }

    private Optional<Round> round(Windows windows, int concurrency) {
        if (windows.isEmpty()) {
            return Optional.empty();
        }
        Round round = windows.round(concurrency);
        hindsight.remember(round, windows.whole());
        StreamLimit.of(windows.whole())
                .filter(w -> warnings.stream().noneMatch(other -> other.id().equals(w.id())))
                .ifPresent(warnings::add);
        return Optional.of(round);
    }

    /// Holds a load again.
    ///
    /// @param rtMs mean response time at that load, if known
    void settle(int concurrency, double rtMs) throws InterruptedException {
        loading.settle(
                new Level.Closed(concurrency, Duration.ZERO),
                Math.max(Durations.seconds(plan.rounds().settle()), Math.min(10, 3 * rtMs / 1000)));
    }
}
