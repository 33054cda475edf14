package dev.jdyno.trial;

import dev.jdyno.capacity.KneeSearch;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.FailureText;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.plan.Plan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The closed-loop rounds of a trial: those that the plan names, or those that the search for the
/// knee asks for. A round that is cut short counts as far as it came.
final class Ladder {
    /// A search ends after so many rounds, precise or not; the result says which.
    private static final int MOST_ROUNDS = 14;

    /// Of the overload probe that goes before a search under goals: short rounds, for they only
    /// give its scale.
    private static final double PROBE_ROUND_SECONDS = 3;

    private static final int MOST_PROBE_ROUNDS = 8;

    /// Half width of the knee's interval that is good enough.
    private static final double PRECISION = 0.10;

    /// No round lasts longer than this unless the plan says so, however slow the service.
    private static final Duration LONGEST_ROUND = Duration.ofSeconds(60);

    private final Plan plan;
    private final Loading loading;
    private final TrialListener listener;
    private final LatencyLog latencies;
    private final List<Warning> warnings;
    private final List<Round> rounds = new ArrayList<>();
    private final RoundsAgain again = new RoundsAgain();
    private final RoundTimes hindsight = new RoundTimes();
    private String ended = "";
    private boolean wasCut = true;

    /// @param warnings get what the reader of the rounds must know
    Ladder(
            Plan plan,
            Loading loading,
            TrialListener listener,
            LatencyLog latencies,
            List<Warning> warnings) {
        this.plan = plan;
        this.loading = loading;
        this.listener = listener;
        this.latencies = latencies;
        this.warnings = warnings;
    }

    /// Those that were measured so far.
    List<Round> rounds() {
        return rounds;
    }

    /// What recordings can still be laid beside.
    RoundTimes hindsight() {
        return hindsight;
    }

    /// Why it ended, for the user; empty while it goes on.
    String ended() {
        return ended;
    }

    /// What came after it ended for this reason.
    void end(String why) {
        ended = why;
        wasCut = false;
    }

    /// Whether loads are, or when it ended were, still to come.
    boolean wasCut() {
        return wasCut;
    }

    void climb() throws InterruptedException {
        while (!loading.stopped()) {
            switch (nextStep()) {
                case KneeSearch.Step.Done(_, String says) -> {
                    end(says);
                    return;
                }
                case KneeSearch.Step.Measure(int concurrency, double seconds, String why) -> {
                    listener.measuring(
                            "measuring with " + concurrency + " in flight (" + why + ")");
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
        Plan.Rounds wanted = plan.rounds();
        double seconds = Durations.seconds(wanted.length());
        if (plan.search().isPresent()) {
            return search(PROBE_ROUND_SECONDS, MOST_PROBE_ROUNDS);
        }
        if (wanted.concurrency().isEmpty()) {
            return search(seconds, MOST_ROUNDS);
        }
        return rounds.size() < wanted.concurrency().size()
                ? new KneeSearch.Step.Measure(
                        wanted.concurrency().get(rounds.size()), seconds, "as the plan says")
                : new KneeSearch.Step.Done(
                        KneeSearch.Reason.PRECISE_ENOUGH, "every load of the plan was run");
    }

    private KneeSearch.Step search(double roundSeconds, int most) {
        return new KneeSearch(
                        new KneeSearch.Settings(
                                plan.rounds().maxConcurrency(),
                                roundSeconds,
                                roundSeconds * most,
                                PRECISION,
                                most,
                                Runtime.getRuntime().availableProcessors(),
                                Optional.empty()))
                .next(rounds);
    }

    private void keep(Round round) {
        rounds.add(round);
        listener.round(round);
        KneeSearch.soFar(rounds).ifPresent(k -> listener.knee(k.concurrency(), k.ci95(), k.qps()));
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

    /// A round, or, where the machine held the load generator up in it, the better of two.
    private Optional<Round> measureFairly(int concurrency, double seconds)
            throws InterruptedException {
        Optional<Round> first = measure(concurrency, seconds);
        if (first.isEmpty() || !again.wants(first.get())) {
            return first;
        }
        String why = first.get().client().why().orElse("held up");
        listener.measuring("measuring with " + concurrency + " in flight once more (" + why + ")");
        int before = rounds.size();
        Optional<Round> second;
        try {
            second = measure(concurrency, seconds);
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
    private Optional<Round> measure(int concurrency, double wantedSeconds)
            throws InterruptedException {
        double rtMs = rounds.isEmpty() ? 0 : rounds.getLast().rtMs().mean();
        double seconds =
                Math.min(
                        wantedSeconds,
                        Math.max(
                                Durations.seconds(LONGEST_ROUND),
                                Durations.seconds(plan.rounds().length())));
        settle(concurrency, rtMs);
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

    /// Holds a load again.
    ///
    /// @param rtMs its mean response time, as far as it is known
    void settle(int concurrency, double rtMs) throws InterruptedException {
        loading.settle(
                new Level.Closed(concurrency, Duration.ZERO),
                Math.max(Durations.seconds(plan.rounds().settle()), Math.min(10, 3 * rtMs / 1000)));
    }
}
