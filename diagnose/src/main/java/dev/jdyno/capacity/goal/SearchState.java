package dev.jdyno.capacity.goal;

import static dev.jdyno.capacity.RequestPath.number;

import dev.jdyno.capacity.goal.OpenKnee.Outcome;
import dev.jdyno.capacity.goal.OpenKnee.Why;
import dev.jdyno.measure.load.Goal;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;

/// The combined result of the trials of an open-model search.
final class SearchState {
    /// Minimum number of consecutive seconds in which half of the requests miss, for the queue to
    /// grow without end. The time that the longest pause explains is added to it.
    private static final int RUNAWAY_SECONDS = 4;

    private static final double RUNAWAY_SHARE = 0.5;

    /// Minimum share of saturation at which a queue that grows without end needs no second trial.
    private static final double SURE_SHARE = 0.92;

    /// Minimum rate, as a share of saturation. A goal that is broken at this rate is kept at no
    /// useful load.
    private static final double MIN_SHARE = 0.03;

    /// Maximum share of saturation for the lowest rate that can be tested.
    private static final double MAX_SHARE_OF_LOWEST = 0.3;

    /// Number of misses that a trial at the lowest rate is expected to have if that rate is bad.
    private static final double MIN_EXPECTED_MISSES = 6;

    /// Tolerance for the lowest rate, which changes a little with the estimate of saturation.
    private static final double NEAR_LOWEST_RATE = 1.1;

    /// Number of rates that broke a goal by far, without one that kept all goals. After it, the
    /// search tests whether any rate keeps them.
    private static final int FAR_RATES = 3;

    /// The same number, for rates that missed a goal by any amount.
    private static final int HOPELESS_RATES = 5;

    /// Maximum ratio of a forecast's upper bound to the goal for a trial to be expected to prove
    /// it.
    private static final double SAFE = 0.9;

    private final OpenKneeSearch.Settings settings;
    private final double saturation;
    private final List<OpenTrial> trials;
    private final List<PauseRecord> pauses = new ArrayList<>();

    /// One line per goal.
    private final List<MissLine> lines = new ArrayList<>();

    private final IdentityHashMap<OpenTrial, Judged> judged = new IdentityHashMap<>();

    /// The outcome of a trial and its reason.
    private record Judged(Outcome outcome, Why why) {}

    SearchState(OpenKneeSearch.Settings settings, double saturation, List<OpenTrial> trials) {
        this.settings = settings;
        this.saturation = saturation;
        this.trials = List.copyOf(trials);
        for (int g = 0; g < settings.goals().size(); g++) {
            MissShare misses = misses(g);
            pauses.add(PauseRecord.of(trials, settings.known(), settings.goals().get(g).limitMs()));
            pauses.set(
                    g,
                    pauses.get(g)
                            .costing(
                                    trials.stream()
                                            .filter(t -> t.ratePerS() < SURE_SHARE * saturation)
                                            .map(misses::cost)
                                            .toList()));
        }
        for (int g = 0; g < settings.goals().size(); g++) {
            lines.add(fit(g));
        }
        for (OpenTrial t : trials) {
            judged.put(t, judge(t));
        }
    }

    /// @param trial one of the trials of this state
    Outcome outcome(OpenTrial trial) {
        return judged(trial).outcome();
    }

    private Judged judged(OpenTrial trial) {
        return Objects.requireNonNull(judged.get(trial), "not a trial of this search");
    }

    private Judged judge(OpenTrial trial) {
        boolean missed = false;
        boolean kept = true;
        for (int g = 0; g < settings.goals().size(); g++) {
            ShareBounds b = bounds(trial, g);
            double allowed = settings.goals().get(g).allowedShare();
            missed |= b.lower() > allowed;
            kept &= b.upper() < allowed;
        }
        if (runaway(trial)) {
            return disturbed(trial)
                    ? new Judged(Outcome.OPEN, Why.RAN_AWAY_ONCE)
                    : new Judged(Outcome.BAD, Why.RAN_AWAY);
        }
        // before the misses, which a backlog only causes
        if (trial.fellBehind(longestPauseSeconds())) {
            return new Judged(Outcome.BAD, Why.FELL_BEHIND);
        }
        if (missed && trial.seconds() >= OpenKneeSearch.MIN_BAD_SECONDS) {
            return new Judged(Outcome.BAD, Why.MISSED);
        }
        return new Judged(
                kept && trial.seconds() >= OpenKneeSearch.MIN_GOOD_SECONDS
                        ? Outcome.GOOD
                        : Outcome.OPEN,
                Why.NOTHING);
    }

    /// True if a queue grew without end at a rate below the probe's throughput, and only once.
    /// Another process on the machine may be the cause, so the rate is tested again before it
    /// counts as bad.
    boolean disturbed(OpenTrial trial) {
        return trial.ratePerS() < SURE_SHARE * saturation
                && runaway(trial)
                && trials.stream()
                                .filter(t -> t.ratePerS() == trial.ratePerS() && runaway(t))
                                .count()
                        == 1;
    }

    OptionalDouble good() {
        double least = bad().orElse(Double.POSITIVE_INFINITY);
        return trials.stream()
                .filter(t -> outcome(t) == Outcome.GOOD && t.ratePerS() < least)
                .mapToDouble(OpenTrial::ratePerS)
                .max();
    }

    OptionalDouble bad() {
        return trials.stream()
                .filter(t -> outcome(t) == Outcome.BAD)
                .mapToDouble(OpenTrial::ratePerS)
                .min();
    }

    /// Returns the lowest rate that is tested. A trial below it would have too few requests for a
    /// result.
    double least() {
        double rare = settings.goals().stream().mapToDouble(Goal::allowedShare).min().orElseThrow();
        return Math.clamp(
                MIN_EXPECTED_MISSES / rare / settings.trialSeconds(),
                MIN_SHARE * saturation,
                MAX_SHARE_OF_LOWEST * saturation);
    }

    /// True if even the lowest rate broke a goal.
    boolean never() {
        return good().isEmpty()
                && bad().isPresent()
                && bad().getAsDouble() <= NEAR_LOWEST_RATE * least();
    }

    /// True if the search should test whether any load keeps the goals. That is so if several rates
    /// broke a goal, none kept all goals, and the lowest rate was not tested yet.
    boolean hopeless() {
        if (good().isPresent()
                || trials.stream().anyMatch(t -> t.ratePerS() <= NEAR_LOWEST_RATE * least())) {
            return false;
        }
        long bad =
                trials.stream()
                        .filter(t -> outcome(t) == Outcome.BAD)
                        .mapToDouble(OpenTrial::ratePerS)
                        .distinct()
                        .count();
        return bad >= HOPELESS_RATES
                || (bad >= FAR_RATES && trials.stream().allMatch(t -> runaway(t) || far(t)));
    }

    private boolean far(OpenTrial trial) {
        for (int g = 0; g < settings.goals().size(); g++) {
            if (misses(g).queue(trial).share()
                    > MissLine.FAR * settings.goals().get(g).allowedShare()) {
                return true;
            }
        }
        return false;
    }

    boolean enclosed() {
        return good().isPresent()
                && bad().isPresent()
                && OpenKnee.isWithin(
                        good().getAsDouble(), bad().getAsDouble(), settings.precision());
    }

    /// Returns the highest rate at which a trial of this length is expected to prove every goal.
    double highestProvable(double seconds) {
        double rate = saturation;
        for (double share = 0.98; share > 0.02; share -= 0.005) {
            rate = share * saturation;
            boolean all = true;
            for (int g = 0; g < settings.goals().size(); g++) {
                all &=
                        forecast(g, rate, seconds).upper()
                                < SAFE * settings.goals().get(g).allowedShare();
            }
            if (all) {
                return rate;
            }
        }
        return rate;
    }

    /// Returns the lowest rate at which a trial of this length is expected to refute one goal.
    double lowestRefutable(double seconds) {
        for (double share = 0.02; share < 1; share += 0.005) {
            for (int g = 0; g < settings.goals().size(); g++) {
                double allowed = settings.goals().get(g).allowedShare();
                if (forecast(g, share * saturation, seconds).lower() > allowed / SAFE) {
                    return share * saturation;
                }
            }
        }
        return saturation;
    }

    /// True if a trial of this length at this rate is expected to be decided.
    boolean isDecidedIn(double rate, double seconds) {
        boolean kept = true;
        for (int g = 0; g < settings.goals().size(); g++) {
            ShareBounds f = forecast(g, rate, seconds);
            double allowed = settings.goals().get(g).allowedShare();
            if (f.lower() > allowed) {
                return true;
            }
            kept &= f.upper() < allowed;
        }
        return kept;
    }

    private ShareBounds forecast(int g, double rate, double seconds) {
        return misses(g).forecast(rate, queueShare(g, rate), pauses.get(g), seconds);
    }

    private double queueShare(int g, double rate) {
        return Math.exp(Math.min(0, lines.get(g).at(rate)));
    }

    private MissShare misses(int goal) {
        return new MissShare(settings.goals().get(goal), goal, saturation, settings.z());
    }

    /// Returns the rate at which the misses of the most restrictive goal reach its limit.
    double estimate() {
        double least = Double.POSITIVE_INFINITY;
        for (int g = 0; g < settings.goals().size(); g++) {
            least = Math.min(least, crossing(g));
        }
        double from = good().orElse(0);
        double to = bad().orElse(saturation);
        return Math.clamp(least, from, Math.max(from, to));
    }

    private int binding() {
        int binding = 0;
        for (int g = 1; g < settings.goals().size(); g++) {
            binding = crossing(g) < crossing(binding) ? g : binding;
        }
        return binding;
    }

    private boolean neverMissed(int goal) {
        return trials.stream()
                .flatMap(t -> t.slices().stream())
                .allMatch(s -> s.misses().get(goal) == 0);
    }

    /// Computes by bisection the rate at which the goal is reached. Both parts of the misses rise
    /// with the rate.
    private double crossing(int goal) {
        if (settings.goals().get(goal).limitMs().isEmpty() && neverMissed(goal)) {
            // errors do not follow from a queue, so a trial without errors does not show at which
            // rate they begin
            return saturation;
        }
        double allowed = settings.goals().get(goal).allowedShare();
        double lo = 0.02 * saturation;
        double hi = saturation;
        for (int i = 0; i < 40; i++) {
            double mid = (lo + hi) / 2;
            if (forecast(goal, mid, 0).share() > allowed) {
                hi = mid;
            } else {
                lo = mid;
            }
        }
        return lo;
    }

    private MissLine fit(int goal) {
        MissShare misses = misses(goal);
        return MissLine.through(
                trials.stream()
                        .filter(t -> !runaway(t))
                        .map(t -> new MissLine.Point(t.ratePerS(), misses.queue(t)))
                        .toList(),
                settings.goals().get(goal).allowedShare(),
                saturation,
                settings.z(),
                trials.stream().mapToDouble(OpenTrial::ratePerS).min().orElse(saturation));
    }

    private ShareBounds bounds(OpenTrial trial, int goal) {
        return misses(goal).of(trial, pauses.get(goal));
    }

    /// True if misses continue for longer than any pause explains: the queue grows without end.
    boolean runaway(OpenTrial trial) {
        double longest = longestPauseSeconds();
        double rho = Math.min(0.97, trial.ratePerS() / saturation);
        double explained = longest / (1 - rho);
        double inARow = 0;
        double from = 0;
        double settled = MissShare.settlingSeconds(trial.ratePerS(), saturation);
        for (OpenTrial.Slice s : trial.slices()) {
            double missing = s.misses().stream().mapToDouble(m -> m).max().orElse(0);
            from += s.seconds();
            boolean bad =
                    from > settled && (s.requests() == 0 || missing > RUNAWAY_SHARE * s.requests());
            inARow = bad ? inARow + s.seconds() : 0;
            if (inARow >= RUNAWAY_SECONDS + explained) {
                return true;
            }
        }
        return false;
    }

    private double longestPauseSeconds() {
        return pauses.stream().mapToDouble(PauseRecord::longestS).max().orElse(0);
    }

    /// @param ended why the search ends
    OpenKnee answer(double spent, OpenKnee.Reason ended) {
        int goal = binding();
        double estimate = estimate();
        double steepness =
                Math.log(
                                forecast(goal, estimate * 1.01, 0).share()
                                        / forecast(goal, estimate * 0.99, 0).share())
                        / 0.02;
        boolean never = never();
        OpenKnee.Reason reason = never ? OpenKnee.Reason.NEVER_GOOD : ended;
        return new OpenKnee(
                good(),
                bad(),
                estimate,
                steepness,
                settings.goals().get(goal).name(),
                pausesShare(goal, estimate),
                spent,
                reason,
                says(settings.goals().get(goal).name(), estimate, steepness, never),
                narrow(goal, estimate, reason),
                trials.stream().map(this::test).toList());
    }

    private String says(String goal, double estimate, double steepness, boolean never) {
        if (never) {
            return "%s holds at no load: it is missed even at %s/s, which is %.0f %% of saturation and the lowest rate tried"
                    .formatted(
                            goal,
                            number(bad().orElse(estimate)),
                            100 * bad().orElse(estimate) / saturation);
        }
        return "%s holds at %s and breaks at %s, most likely at %s/s; a %s knee (10 %% more load gives %s times the misses)"
                .formatted(
                        goal,
                        good().isPresent() ? number(good().getAsDouble()) + "/s" : "no rate tested",
                        bad().isPresent() ? number(bad().getAsDouble()) + "/s" : "no rate tested",
                        number(estimate),
                        steepness >= OpenKnee.HARD ? "hard" : "soft",
                        number(Math.exp(0.1 * steepness)));
    }

    /// Returns the share of the misses at a rate that pauses cause.
    private double pausesShare(int goal, double rate) {
        if (settings.goals().get(goal).limitMs().isEmpty()) {
            return 0;
        }
        double byPauses =
                pauses.get(goal).share(Math.min(0.99, rate / saturation), settings.z(), 0).share();
        double all = byPauses + queueShare(goal, rate);
        return all <= 0 ? 0 : byPauses / all;
    }

    private String narrow(int goal, double estimate, OpenKnee.Reason reason) {
        if (reason == OpenKnee.Reason.BRACKETED || reason == OpenKnee.Reason.NEVER_GOOD) {
            return "";
        }
        boolean byPauses = pausesShare(goal, estimate) > 0.5;
        String time =
                reason == OpenKnee.Reason.CUT_SHORT
                        ? "going on: it was cut short"
                        : "more load time: the budget is spent";
        return byPauses
                ? time
                        + "; above all fewer or shorter pauses: a few pauses cause most of the"
                        + " misses, so the share of misses is uncertain"
                : time;
    }

    private OpenKnee.Test test(OpenTrial t) {
        List<ShareBounds> misses = new ArrayList<>();
        for (int g = 0; g < settings.goals().size(); g++) {
            misses.add(bounds(t, g));
        }
        return new OpenKnee.Test(t.ratePerS(), t.seconds(), outcome(t), judged(t).why(), misses);
    }
}
