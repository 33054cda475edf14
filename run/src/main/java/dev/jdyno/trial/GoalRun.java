package dev.jdyno.trial;

import dev.jdyno.capacity.goal.OpenKnee;
import dev.jdyno.capacity.goal.OpenKneeSearch;
import dev.jdyno.capacity.goal.OpenTrial;
import dev.jdyno.capacity.goal.PauseLog;
import dev.jdyno.load.ServerGone;
import dev.jdyno.load.pacing.Arrivals;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.load.ClientSide;
import dev.jdyno.measure.load.Goal;
import dev.jdyno.measure.load.ReplyTimes;
import dev.jdyno.measure.statistics.Latency;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.GoalKnee;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.plan.Plan;
import dev.jdyno.trial.goal.GoalAnswer;
import dev.jdyno.trial.goal.GoalCost;
import dev.jdyno.trial.goal.MissCount;
import dev.jdyno.trial.recording.LatencyLog;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Carries out the search under goals that {@link OpenKneeSearch} decides. It drives the requested
/// rates in the open model, counts the requests that missed a goal, and can report the results so
/// far at any moment.
final class GoalRun {
    /// Number of connections per request in flight. With it, an arrival below the knee rarely waits
    /// for a connection.
    private static final int CONNECTIONS_PER_IN_FLIGHT = 4;

    private static final int MIN_CONNECTIONS = 64;

    /// Maximum time for the queue to drain after a rate that was too high.
    private static final double DRAIN_SECONDS = 20;

    /// One-sided quantile by which the search decides whether a rate is good or bad.
    private static final double Z = 2;

    private static final double CHUNK_SECONDS = 10;

    private final Plan.GoalSearch wanted;
    private final Loading loading;
    private final JvmWatch jvm;
    private final TrialListener listener;
    private final LatencyLog latencies;
    private final OpenKneeSearch.Probe probe;
    private final GoalCost cost;
    private final OpenKneeSearch search;
    private final int connections;

    private Optional<OpenKnee> done = Optional.empty();
    private final List<OpenTrial> trials = new ArrayList<>();
    private final List<Driven> driven = new ArrayList<>();
    private final ServerGone gone;

    /// Index of the last rate at which a good reply came.
    private int answered;

    /// One rate and its results so far.
    private static final class Driven {
        private final double ratePerS;
        private final long startNanos;
        private final Windows windows = new Windows();
        private final List<OpenTrial.Slice> slices = new ArrayList<>();

        Driven(double ratePerS, long startNanos) {
            this.ratePerS = ratePerS;
            this.startNanos = startNanos;
        }
    }

    /// @param closed the rounds of the overload probe, at least one
    /// @param known stops of the JVM during the probe
    GoalRun(
            Plan plan,
            Plan.GoalSearch wanted,
            Loading loading,
            JvmWatch jvm,
            TrialListener listener,
            LatencyLog latencies,
            List<Round> closed,
            PauseLog known) {
        this.wanted = wanted;
        this.loading = loading;
        this.jvm = jvm;
        this.listener = listener;
        this.latencies = latencies;
        double saturation = closed.stream().mapToDouble(Round::qps).max().orElseThrow();
        this.probe =
                new OpenKneeSearch.Probe(
                        saturation,
                        closed.stream().mapToDouble(Round::seconds).sum(),
                        missesWithOneUser(wanted, closed));
        double minRt = closed.stream().mapToDouble(r -> r.rtMs().mean()).min().orElseThrow();
        this.cost = GoalCost.of(wanted, saturation, g -> leastMs(g, closed), known);
        this.search =
                new OpenKneeSearch(
                        new OpenKneeSearch.Settings(
                                wanted.goals(),
                                cost.budgetSeconds() + probe.seconds(),
                                cost.precision(),
                                wanted.precision(),
                                probe.seconds(),
                                CHUNK_SECONDS,
                                Z,
                                wanted.start(),
                                known));
        this.gone = new ServerGone(loading.clock().nanos());
        this.connections =
                Math.clamp(
                        Math.round(CONNECTIONS_PER_IN_FLIGHT * saturation * minRt / 1000),
                        Math.min(MIN_CONNECTIONS, plan.rounds().maxConcurrency()),
                        plan.rounds().maxConcurrency());
    }

    /// True if at least half of the requests of the least loaded round (mostly one user) took
    /// longer than a goal's limit. Then the goal is missed without any queue.
    private static boolean missesWithOneUser(Plan.GoalSearch wanted, List<Round> closed) {
        Round min = closed.stream().min(Comparator.comparingInt(Round::concurrency)).orElseThrow();
        return wanted.goals().stream()
                .filter(g -> g.limitMs().isPresent())
                .anyMatch(g -> times(g, min).p50() > g.limitMs().getAsDouble());
    }

    /// The response times of a round to which a goal applies: to the first byte of replies, or to
    /// the last.
    private static Latency times(Goal goal, Round round) {
        return round.replies()
                .filter(_ -> goal.firstByte())
                .map(ReplyTimes::ttfbMs)
                .orElse(round.rtMs());
    }

    private static double leastMs(Goal goal, List<Round> closed) {
        return closed.stream().mapToDouble(r -> times(goal, r).mean()).min().orElseThrow();
    }

    /// Drives rates until the bracket is narrow enough, the budget is spent or a user stops it.
    ///
    /// @throws UserError if the target ends; results until then are kept
    void run() throws InterruptedException {
        cost.says().forEach(listener::note);
        while (!loading.stopped()) {
            switch (search.next(Optional.of(probe), trials)) {
                case OpenKneeSearch.Step.Done(OpenKnee knee) -> {
                    done = Optional.of(knee);
                    noteRate();
                    return;
                }
                case OpenKneeSearch.Step.Probe _ ->
                        throw new IllegalStateException("the probe was made before");
                case OpenKneeSearch.Step.Drive(
                                double rate,
                                double seconds,
                                boolean fresh,
                                String why) -> {
                    if (fresh) {
                        noteRate();
                        begin(rate, why);
                    }
                    drive(driven.getLast(), seconds);
                }
            }
        }
    }

    private void begin(double rate, String why) throws InterruptedException {
        listener.phase(String.format(Locale.ROOT, "testing %.4g/s (%s)", rate, why));
        if (!driven.isEmpty()) {
            loading.drain(DRAIN_SECONDS);
        }
        loading.settle(level(rate), 0);
        driven.add(new Driven(rate, loading.clock().nanos()));
        trials.add(new OpenTrial(rate, List.of(), List.of()));
    }

    private Level level(double rate) {
        return new Level.Open(connections, rate, Arrivals.POISSON);
    }

    private void drive(Driven now, double seconds) throws InterruptedException {
        long start = loading.clock().nanos();
        while (loading.clock().secondsSince(start) < seconds - 0.5) {
            Optional<LoadWindow> slice = loading.slice(now.windows);
            if (slice.isEmpty()) {
                return;
            }
            LoadWindow seen = slice.get();
            requireAnswers(seen);
            latencies.write(String.format(Locale.ROOT, "rate=%.5g", now.ratePerS), seen);
            now.slices.add(MissCount.of(wanted.goals(), seen));
            trials.set(
                    trials.size() - 1,
                    new OpenTrial(now.ratePerS, now.slices, jvm.since(now.startNanos)));
            listener.progress(
                    loading.clock().secondsSince(now.startNanos),
                    Optional.empty(),
                    Optional.of(seen.qps()));
            if (search.runsAway(probe, trials)) {
                return;
            }
        }
    }

    /// Detects that the service has ended, for runs without a target to watch. Drops the rate at
    /// which it ended and all later rates, because these do not show the limit of the service.
    private void requireAnswers(LoadWindow seen) {
        if (seen.requests() > 0) {
            answered = driven.size() - 1;
        }
        if (gone.isSeen(seen)) {
            driven.subList(answered, driven.size()).clear();
            trials.subList(answered, trials.size()).clear();
            throw UserError.target(
                    "the service is gone",
                    "every connection was refused for "
                            + Durations.format(ServerGone.PATIENCE)
                            + " and longer",
                    "see in its log why it ended; what was found before is in the result");
        }
    }

    /// Prints one line for the last driven rate, which stays on the terminal.
    private void noteRate() {
        if (driven.isEmpty() || driven.getLast().windows.isEmpty()) {
            return;
        }
        OpenKnee.Test test = knee().tests().getLast();
        listener.note(GoalAnswer.line(wanted, test));
    }

    /// Every driven rate, as a round.
    List<Round> rounds() {
        return driven.stream()
                .filter(d -> !d.windows.isEmpty())
                .map(d -> d.windows.openRound(d.ratePerS))
                .toList();
    }

    /// The present answer of the search.
    ///
    /// @param targetFailed whether the target ended; a search that was complete by then does not
    ///   count as cut short
    GoalKnee answer(boolean targetFailed) {
        if (trials.stream().allMatch(t -> t.slices().isEmpty())) {
            return GoalAnswer.untested(wanted, targetFailed);
        }
        return GoalAnswer.of(wanted, knee(), probe, trials, cost, targetFailed && done.isEmpty());
    }

    private OpenKnee knee() {
        return done.orElseGet(() -> search.soFar(probe, trials));
    }

    /// The round of the knee, among those whose queue did not grow without limit. It is the one
    /// nearest to the highest good rate, or to the estimate if no rate was good.
    Optional<Round> kneeRound() {
        OpenKnee knee = knee();
        double rate = knee.good().orElse(knee.estimate());
        return rounds().stream()
                .filter(r -> r.qps() > 0 && r.concurrency() <= connections)
                .min((a, b) -> Double.compare(distance(a, rate), distance(b, rate)));
    }

    private static double distance(Round r, double rate) {
        return Math.abs(Math.log(r.ratePerS().orElseThrow() / rate));
    }

    /// Holds the knee's load again, for a diagnostic window.
    Level kneeLevel(Round knee) {
        return level(knee.ratePerS().orElseThrow());
    }

    List<Warning> warnings() {
        List<Warning> warnings = new ArrayList<>();
        jvm.missing()
                .ifPresent(why ->
                        warnings.add(
                                new Warning(
                                        "pauses",
                                        "stops of the JVM were not seen ("
                                                + why
                                                + "): misses that come in clusters are judged by their own variance only",
                                        false)));
        if (jvm.notKept() > 0) {
            warnings.add(
                    new Warning(
                            "stops",
                            jvm.notKept() + " stops of the JVM came too many to be kept",
                            false));
        }
        List<Driven> shortOf =
                driven.stream()
                        .filter(d -> !d.windows.isEmpty())
                        .filter(d -> d.windows.whole().client().saturated())
                        .toList();
        if (!shortOf.isEmpty()) {
            var busiest =
                    shortOf.stream()
                            .max(
                                    Comparator.comparingDouble(
                                            d -> d.windows.whole().client().busiestLoopPct()))
                            .orElseThrow();
            ClientSide client = busiest.windows.whole().client();
            warnings.add(
                    new Warning(
                            "client",
                            String.format(
                                    Locale.ROOT,
                                    "the load generator was short in %d of %d rates, most at %.4g/s: %s",
                                    shortOf.size(),
                                    driven.size(),
                                    busiest.ratePerS,
                                    client.why().orElse("")),
                            // a late schedule alone is not the client's fault: a queue that grows
                            // without limit causes it, too
                            client.busiestLoopPct() >= ClientSide.LOOP_BUSY_LIMIT_PCT));
        }
        return warnings;
    }
}
