package dev.jdyno.capacity.goal;

import static dev.jdyno.capacity.RequestPath.number;

import dev.jdyno.capacity.goal.OpenKnee.Outcome;
import dev.jdyno.measure.load.Goal;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// Decides which rate to drive next in order to find the highest rate that keeps every goal. It is
/// a function of the measurements so far; the caller drives.
///
/// 1. A short overload gives the saturation throughput. All rates are chosen as shares of it.
/// 2. A trial at a rate continues in chunks until it has one of three results. The share of misses
///    is shown to be below all goals (good), or above one of them (bad). Or the time for the trial
///    is over (open). A trial whose queue grows without end is bad at once.
/// 3. The trials so far give an estimate of the knee. For it, ln(misses by queueing) is nearly
///    linear in the rate, and misses by pauses are computed from the pauses. The next trials test a
///    rate just below the estimate, then one just above it. If such a trial could not be decided in
///    its time, the nearest rate at which it can is tested. That rate is a few percent away, or
///    more if there were long pauses.
///
/// 4. Once the bracket is as narrow as planned for the budget, the rest of the budget is used to
///    narrow it further.
///
/// The answer is always the tested bracket, not the estimate alone.
public record OpenKneeSearch(Settings settings) {
    /// Maximum first rate, as a share of saturation.
    private static final double FIRST_SHARE = 0.8;

    /// Maximum rate tried, as a share of saturation: above it, the queue never settles.
    private static final double MAX_SHARE = 0.98;

    /// Minimum good rate, as a share of the knee, that is useful. Below it, the time is better used
    /// to observe more pauses.
    private static final double MIN_USEFUL_SHARE = 0.4;

    /// Share of the budget that is left. Below it, the next trial is on the side that has no tested
    /// rate yet, far enough from the knee to be decided quickly.
    private static final double LAST_SHARE = 0.3;

    /// Rate of an overload, as a share of saturation. It is above 1 by more than the error of the
    /// probe.
    private static final double OVERLOAD_SHARE = 1.05;

    /// Number of chunks after which a queue under overload is known to grow without end. If only
    /// this time and that of a good trial are left, and there is no bad rate yet, the overload is
    /// next.
    private static final int OVERLOAD_CHUNKS = 2;

    /// Distance of trials from the estimate, as a share of the precision. The bracket is then
    /// within the precision even if the estimate moves a little.
    private static final double STEP_SHARE = 0.8;

    /// Share of the budget that is spent at the estimated knee before rates around it are tested.
    /// It applies if there were too few pauses to decide a trial near the knee.
    private static final double GATHER_SHARE = 0.55;

    /// Minimum length of a good trial, because the service's own speed drifts over tens of seconds.
    static final double MIN_GOOD_SECONDS = 60;

    /// Minimum length of a bad trial, except for one whose queue grows without end.
    static final double MIN_BAD_SECONDS = 40;

    /// Minimum ratio of the saturation throughput to a rate at which the service kept up.
    private static final double ABOVE_KEPT_UP = 1.03;

    /// Maximum share of the budget for one trial.
    private static final double TRIAL_SHARE = 0.2;

    /// @param budgetSeconds total time under load
    /// @param precision intended half width of the bracket, as a share of the rate
    /// @param wanted half width that is aimed at with the rest of the budget, once that bracket is
    ///   found; at most `precision`
    /// @param z one-sided normal quantile that decides a trial
    /// @param start the last known knee; a rate just below and one just above it are tried first.
    ///   Empty if there is none
    /// @param known pauses seen before the search
    public record Settings(
            List<Goal> goals,
            double budgetSeconds,
            double precision,
            double wanted,
            double probeSeconds,
            double chunkSeconds,
            double z,
            OptionalDouble start,
            PauseLog known) {
        public Settings {
            goals = List.copyOf(goals);
            wanted = Math.min(wanted, precision);
            if (goals.isEmpty()) {
                throw new IllegalArgumentException("a search needs a goal");
            }
            if (!(budgetSeconds > 0) || !(wanted > 0) || !(chunkSeconds > 0) || !(z > 0)) {
                throw new IllegalArgumentException("times, precision and z must be positive");
            }
        }

        /// Returns the maximum length of one trial. It is long enough for a good result, even if
        /// the budget is small.
        double trialSeconds() {
            return Math.max(TRIAL_SHARE * budgetSeconds, MIN_GOOD_SECONDS + chunkSeconds);
        }

        public static Settings of(List<Goal> goals, double budgetSeconds, double precision) {
            return new Settings(
                    goals,
                    budgetSeconds,
                    precision,
                    precision,
                    15,
                    10,
                    2.0,
                    OptionalDouble.empty(),
                    PauseLog.NONE);
        }

        Settings withPrecision(double other) {
            return new Settings(
                    goals,
                    budgetSeconds,
                    other,
                    wanted,
                    probeSeconds,
                    chunkSeconds,
                    z,
                    start,
                    known);
        }
    }

    public sealed interface Step {
        /// Saturate the service with a closed load and read its throughput.
        record Probe(double seconds) implements Step {}

        /// @param fresh true if this begins a trial; false if it continues the last trial without a
        ///   break
        record Drive(double ratePerS, double seconds, boolean fresh, String why) implements Step {}

        record Done(OpenKnee knee) implements Step {}
    }

    /// @param qps throughput under overload
    /// @param missesWithOneUser true if a single user already missed a goal more often than allowed
    public record Probe(double qps, double seconds, boolean missesWithOneUser) {}

    public Step next(Optional<Probe> probe, List<OpenTrial> trials) {
        if (probe.isEmpty()) {
            return new Step.Probe(settings.probeSeconds());
        }
        double saturation = saturation(probe.get(), trials);
        double spent = spent(probe.get(), trials);
        var state = new SearchState(settings, saturation, trials);
        boolean over = spent + settings.chunkSeconds() > settings.budgetSeconds();
        if (!trials.isEmpty() && !over) {
            OpenTrial last = trials.getLast();
            if (state.disturbed(last) && drivenOnce(last, trials)) {
                return new Step.Drive(
                        last.ratePerS(),
                        settings.chunkSeconds(),
                        true,
                        "the queue grew without end although capacity was left: tried once more");
            }
            if (state.outcome(last) == Outcome.OPEN
                    && !state.disturbed(last)
                    && last.seconds() < most(last, saturation)
                    && !leavesTimeForTrial(state, last, settings.budgetSeconds() - spent)) {
                return new Step.Drive(
                        last.ratePerS(), settings.chunkSeconds(), false, "not decided yet");
            }
        }
        if (!over && state.enclosed() && goesOn(spent)) {
            double finer = Math.max(settings.wanted(), settings.precision() / 2);
            return new OpenKneeSearch(settings.withPrecision(finer)).next(probe, trials);
        }
        if (over || state.enclosed() || state.never()) {
            return new Step.Done(
                    state.answer(
                            spent,
                            state.enclosed()
                                    ? OpenKnee.Reason.BRACKETED
                                    : OpenKnee.Reason.BUDGET_SPENT));
        }
        boolean hopeless = trials.isEmpty() ? probe.get().missesWithOneUser() : state.hopeless();
        double rate =
                hopeless
                        ? state.least()
                        : Math.max(
                                state.least(),
                                nextRate(
                                        state,
                                        saturation,
                                        trials,
                                        settings.budgetSeconds() - spent));
        double seconds =
                Math.max(
                        settings.chunkSeconds(),
                        MissShare.settlingSeconds(rate, saturation)
                                + 5 * MissShare.relaxationSeconds(rate, saturation));
        return new Step.Drive(
                rate,
                seconds,
                true,
                hopeless
                        ? "does any load keep the goal?"
                        : "the knee is estimated at " + number(state.estimate()) + "/s");
    }

    /// True if the search should narrow the bracket: there is time for one more good trial. If the
    /// knee was known before, only two tests were requested, so it is false.
    private boolean goesOn(double spent) {
        return settings.precision() > settings.wanted()
                && settings.start().isEmpty()
                && settings.budgetSeconds() - spent >= MIN_GOOD_SECONDS + settings.chunkSeconds();
    }

    /// Returns the answer of a search that must end now.
    public OpenKnee soFar(Probe probe, List<OpenTrial> trials) {
        var state = new SearchState(settings, saturation(probe, trials), trials);
        return state.answer(
                spent(probe, trials),
                state.enclosed() ? OpenKnee.Reason.BRACKETED : OpenKnee.Reason.CUT_SHORT);
    }

    /// True if the queue of the last trial grows without end, so that continuing it shows nothing
    /// more.
    public boolean runsAway(Probe probe, List<OpenTrial> trials) {
        return !trials.isEmpty()
                && new SearchState(settings, saturation(probe, trials), trials)
                        .runaway(trials.getLast());
    }

    private static double spent(Probe probe, List<OpenTrial> trials) {
        return probe.seconds() + trials.stream().mapToDouble(OpenTrial::seconds).sum();
    }

    /// Returns the saturation throughput. The probe was short, so it is replaced if a trial kept up
    /// with a higher rate.
    private static double saturation(Probe probe, List<OpenTrial> trials) {
        return Math.max(
                probe.qps(),
                trials.stream()
                        .filter(OpenTrial::keptUp)
                        .mapToDouble(t -> ABOVE_KEPT_UP * t.ratePerS())
                        .max()
                        .orElse(0));
    }

    private static boolean drivenOnce(OpenTrial trial, List<OpenTrial> trials) {
        return trials.stream().filter(t -> t.ratePerS() == trial.ratePerS()).count() == 1;
    }

    /// True if an open trial must end so that there is time for a good one. Three conditions must
    /// be met: there is no good trial yet, the time is just enough for one and an overload, and
    /// this trial will probably stay open.
    private boolean leavesTimeForTrial(SearchState state, OpenTrial last, double left) {
        double both = MIN_GOOD_SECONDS + OVERLOAD_CHUNKS * settings.chunkSeconds();
        return state.good().isEmpty()
                && left >= both
                && left - settings.chunkSeconds() < both
                && !state.isDecidedIn(last.ratePerS(), settings.trialSeconds());
    }

    /// Returns the first rate. If there is time for only one good trial, the first one must be
    /// decided. So its rate is below that of an overload by the width of the intended bracket, and
    /// the overload then gives the upper end.
    private double firstShare(double left) {
        boolean once =
                left
                        < settings.trialSeconds()
                                + MIN_GOOD_SECONDS
                                + OVERLOAD_CHUNKS * settings.chunkSeconds();
        return once
                ? Math.min(FIRST_SHARE, OVERLOAD_SHARE / (1 + 2 * settings.precision()))
                : FIRST_SHARE;
    }

    /// Returns the maximum length of a trial. It is at least ten relaxation times, even if the
    /// budget is small.
    private double most(OpenTrial trial, double saturation) {
        return Math.max(
                settings.trialSeconds(),
                10 * MissShare.relaxationSeconds(trial.ratePerS(), saturation));
    }

    private double nextRate(
            SearchState state, double saturation, List<OpenTrial> trials, double left) {
        if (trials.isEmpty()) {
            return settings.start().isPresent()
                    ? settings.start().getAsDouble() * (1 - settings.precision())
                    : firstShare(left) * saturation;
        }
        if (trials.size() == 1
                && trials.getFirst().ratePerS() <= state.least()
                && state.good().isPresent()) {
            return firstShare(left) * saturation;
        }
        if (settings.start().isPresent()
                && trials.size() == 1
                && state.outcome(trials.getFirst()) == Outcome.GOOD) {
            return settings.start().getAsDouble() * (1 + settings.precision());
        }
        double seconds = Math.min(settings.trialSeconds(), left / 2);
        if (state.good().isEmpty()) {
            // a shorter trial is never good, and one good trial is most important
            seconds = Math.max(seconds, Math.min(MIN_GOOD_SECONDS, left));
        }
        double estimate = state.estimate();
        double step = settings.precision() * STEP_SHARE;
        double below = Math.min(estimate * (1 - step), state.highestProvable(seconds));
        double above = Math.max(estimate * (1 + step), state.lowestRefutable(seconds));
        // a wide bracket is an answer; a bracket without a tested rate on one side is none
        if (state.bad().isEmpty()
                && left < MIN_GOOD_SECONDS + OVERLOAD_CHUNKS * settings.chunkSeconds()) {
            return OVERLOAD_SHARE * saturation;
        }
        if (left < LAST_SHARE * settings.budgetSeconds()) {
            if (state.good().isEmpty()) {
                return Math.min(below, estimate * (1 - 3 * step));
            }
            if (state.bad().isEmpty()) {
                return OVERLOAD_SHARE * saturation;
            }
        }
        double near = 2 * settings.precision();
        boolean soft = below < estimate * (1 - near) || above > estimate * (1 + near);
        if (soft && left > (1 - GATHER_SHARE) * settings.budgetSeconds()) {
            return estimate;
        }
        double goodGap = state.good().isPresent() ? 1 - state.good().getAsDouble() / estimate : 1;
        double badGap = state.bad().isPresent() ? state.bad().getAsDouble() / estimate - 1 : 1;
        double lower = lower(state, trials, below, step);
        boolean lowerHelps =
                below > MIN_USEFUL_SHARE * estimate
                        && lower > state.good().orElse(0) * (1 + step / 2);
        if (goodGap >= badGap && lowerHelps) {
            return lower;
        }
        double upper = upper(state, trials, above, step);
        // near saturation a queue does not reach a steady state; well above saturation the result
        // is immediate
        upper = upper > MAX_SHARE * saturation ? OVERLOAD_SHARE * saturation : upper;
        boolean upperHelps = upper < state.bad().orElse(Double.POSITIVE_INFINITY) * (1 - step / 2);
        return upperHelps ? upper : lowerHelps ? lower : estimate;
    }

    /// Returns a rate below every trial near it that was not good.
    private static double lower(
            SearchState state, List<OpenTrial> trials, double rate, double step) {
        double lower = rate;
        for (OpenTrial t : highestFirst(trials)) {
            boolean near = Math.abs(t.ratePerS() / lower - 1) < step / 2;
            if (state.outcome(t) == Outcome.BAD && t.ratePerS() <= lower * (1 + step)) {
                lower = t.ratePerS() * (1 - step);
            } else if (near && state.outcome(t) == Outcome.OPEN) {
                lower = t.ratePerS() * (1 - step);
            }
        }
        return lower;
    }

    /// Returns a rate above every trial near it that was not bad.
    private static double upper(
            SearchState state, List<OpenTrial> trials, double rate, double step) {
        double upper = rate;
        for (OpenTrial t : highestFirst(trials).reversed()) {
            boolean near = Math.abs(t.ratePerS() / upper - 1) < step / 2;
            if (near && state.outcome(t) != Outcome.BAD) {
                upper = t.ratePerS() * (1 + step);
            }
        }
        return upper;
    }

    private static List<OpenTrial> highestFirst(List<OpenTrial> trials) {
        return trials.stream()
                .sorted(Comparator.comparingDouble(OpenTrial::ratePerS).reversed())
                .toList();
    }
}
