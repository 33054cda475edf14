package dev.jdyno.capacity;

import static dev.jdyno.capacity.RequestPath.number;

import dev.jdyno.capacity.OpenKnee.Outcome;
import dev.jdyno.measure.Goal;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;

/// What the trials of an open-model search say together.
final class SearchState {
    /// Seconds in a row in which half of the requests miss, beyond what the longest pause explains,
    /// mean that the queue runs away.
    private static final int RUNAWAY_SECONDS = 4;

    private static final double RUNAWAY_SHARE = 0.5;

    /// From this share of saturation on a queue that runs away needs no second look.
    private static final double SURE_SHARE = 0.92;

    /// Shares of misses outside of this multiple of the goal say little of the slope at it.
    private static final double FAR = 30;

    /// With nothing good and an estimate under this share of saturation the goal holds at no load.
    private static final double NEVER_SHARE = 0.03;

    /// A forecast must clear the goal by this factor to be worth a trial.
    private static final double SAFE = 0.9;

    private final OpenKneeSearch.Settings settings;
    private final double saturation;
    private final List<OpenTrial> trials;
    private final List<PauseRecord> pauses = new ArrayList<>();

    /// By goal.
    private final List<Line> lines = new ArrayList<>();

    private final IdentityHashMap<OpenTrial, Outcome> outcomes = new IdentityHashMap<>();

    SearchState(OpenKneeSearch.Settings settings, double saturation, List<OpenTrial> trials) {
        this.settings = settings;
        this.saturation = saturation;
        this.trials = List.copyOf(trials);
        for (Goal g : settings.goals()) {
            pauses.add(PauseRecord.of(trials, settings.known(), g.limitMs()));
        }
        for (int g = 0; g < settings.goals().size(); g++) {
            lines.add(fit(g));
        }
        for (OpenTrial t : trials) {
            outcomes.put(t, judge(t));
        }
    }

    /// @param trial one of the trials this was made of
    Outcome outcome(OpenTrial trial) {
        return Objects.requireNonNull(outcomes.get(trial), "not a trial of this search");
    }

    private Outcome judge(OpenTrial trial) {
        if (runaway(trial)) {
            return disturbed(trial) ? Outcome.OPEN : Outcome.BAD;
        }
        boolean allGood = true;
        for (int g = 0; g < settings.goals().size(); g++) {
            ShareBounds b = bounds(trial, g);
            double allowed = settings.goals().get(g).allowedShare();
            if (b.lower() > allowed && trial.seconds() >= OpenKneeSearch.LEAST_BAD_SECONDS) {
                return Outcome.BAD;
            }
            allGood &= b.upper() < allowed;
        }
        return allGood && trial.seconds() >= OpenKneeSearch.LEAST_GOOD_SECONDS
                ? Outcome.GOOD
                : Outcome.OPEN;
    }

    /// Whether a queue ran away where the probe saw capacity left, and only once: a neighbour on
    /// the machine may have done it. Such a rate is driven again before it is called bad.
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

    boolean enclosed() {
        return good().isPresent()
                && bad().isPresent()
                && bad().getAsDouble()
                        <= good().getAsDouble() * (1 + 2 * settings.precision()) * 1.02;
    }

    /// The highest rate at which a trial of this length is expected to prove every goal.
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

    /// The lowest rate at which a trial of this length is expected to refute one goal.
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

    private ShareBounds forecast(int g, double rate, double seconds) {
        return misses(g).forecast(rate, queueShare(g, rate), pauses.get(g), seconds);
    }

    private double queueShare(int g, double rate) {
        return Math.exp(Math.min(0, lines.get(g).yAt(rate)));
    }

    private MissShare misses(int goal) {
        return new MissShare(settings.goals().get(goal), goal, saturation, settings.z());
    }

    /// Where the misses of the most pressing goal cross what it allows.
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

    /// By bisection: both parts rise with the rate.
    private double crossing(int goal) {
        if (settings.goals().get(goal).limitMs().isEmpty() && neverMissed(goal)) {
            // errors do not follow from a queue: none seen says nothing of where they begin
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

    private record Line(double slope, double x0, double y0) {
        double yAt(double x) {
            return y0 + (x - x0) * slope;
        }
    }

    /// ln(misses by queueing) over the rate is a line near the knee (the tail of a wait is e^(−a (1
    /// − ρ))). With one trial the line goes through misses = 1 at saturation.
    private Line fit(int goal) {
        double allowed = settings.goals().get(goal).allowedShare();
        double wsum = 0;
        double x = 0;
        double y = 0;
        List<double[]> points = new ArrayList<>();
        for (OpenTrial t : trials) {
            ShareBounds b = misses(goal).queue(t);
            if (runaway(t) || b.share() > allowed * FAR) {
                continue;
            }
            // a trial without a miss still says "less than this"
            double share = Math.max(b.share(), b.upper() / 4);
            double sigma = Math.log(Math.max(b.upper(), share * 1.05) / share) / settings.z();
            double far = Math.log(share / allowed);
            double w = 1 / (sigma * sigma + 0.1 * far * far + 0.01);
            points.add(new double[] {t.ratePerS(), Math.log(share), w});
            wsum += w;
            x += w * t.ratePerS();
            y += w * Math.log(share);
        }
        if (points.isEmpty()) {
            // every trial ran away: below the lowest of them
            double lowest =
                    trials.stream().mapToDouble(OpenTrial::ratePerS).min().orElse(saturation);
            return new Line(
                    1 / (0.05 * saturation),
                    0.93 * Math.min(lowest, saturation),
                    Math.log(allowed));
        }
        x /= wsum;
        y /= wsum;
        double xx = 0;
        double xy = 0;
        for (double[] p : points) {
            xx += p[2] * (p[0] - x) * (p[0] - x);
            xy += p[2] * (p[0] - x) * (p[1] - y);
        }
        double prior = Math.max(1, -y) / Math.max(0.02 * saturation, saturation - x);
        // the prior slope counts like a pair of trials 5 % apart with ±30 %
        double priorWeight = 0.0025 * saturation * saturation / 0.09 / 4;
        double slope = (xy + priorWeight * prior) / (xx + priorWeight);
        return new Line(Math.max(slope, 1 / saturation), x, y);
    }

    private ShareBounds bounds(OpenTrial trial, int goal) {
        return misses(goal).of(trial, pauses.get(goal));
    }

    /// Whether misses come so long in a row that no pause explains them: the queue grows without
    /// end.
    boolean runaway(OpenTrial trial) {
        double longest = pauses.stream().mapToDouble(PauseRecord::longestS).max().orElse(0);
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

    /// @param ended why nothing more is driven
    OpenKnee answer(double spent, OpenKnee.Reason ended) {
        int goal = binding();
        double estimate = estimate();
        double steepness =
                Math.log(
                                forecast(goal, estimate * 1.01, 0).share()
                                        / forecast(goal, estimate * 0.99, 0).share())
                        / 0.02;
        boolean never = good().isEmpty() && estimate <= NEVER_SHARE * saturation;
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
            return "%s holds at no load: even at %s/s, the least that was tried, it breaks"
                    .formatted(goal, number(bad().orElse(estimate)));
        }
        return "%s holds at %s and breaks at %s, most likely at %s/s; a %s knee (10 %% more load, %s times the misses)"
                .formatted(
                        goal,
                        good().isPresent() ? number(good().getAsDouble()) + "/s" : "no rate tested",
                        bad().isPresent() ? number(bad().getAsDouble()) + "/s" : "no rate tested",
                        number(estimate),
                        steepness >= OpenKnee.HARD ? "hard" : "soft",
                        number(Math.exp(0.1 * steepness)));
    }

    /// The part of the misses at a rate that pauses make.
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
                        + "; above all fewer or shorter pauses, for so few of them make most of the misses"
                        + " that their number is uncertain"
                : time;
    }

    private OpenKnee.Test test(OpenTrial t) {
        List<ShareBounds> misses = new ArrayList<>();
        for (int g = 0; g < settings.goals().size(); g++) {
            misses.add(bounds(t, g));
        }
        return new OpenKnee.Test(t.ratePerS(), t.seconds(), outcome(t), misses);
    }
}
