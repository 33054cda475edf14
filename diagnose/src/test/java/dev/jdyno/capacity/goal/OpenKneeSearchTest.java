package dev.jdyno.capacity.goal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.capacity.Poisson;
import dev.jdyno.capacity.goal.OpenKneeSearch.Probe;
import dev.jdyno.capacity.goal.OpenKneeSearch.Settings;
import dev.jdyno.capacity.goal.OpenKneeSearch.Step;
import dev.jdyno.measure.TestSet;
import dev.jdyno.measure.load.Goal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/// The search against simulated services. {@link KneeTable} is the long form with all seeds.
class OpenKneeSearchTest {
    private static final Goal P95 = Goal.responseTime("p95<50ms", 0.95, 50);
    private static final Goal P99 = Goal.responseTime("p99<50ms", 0.99, 50);
    private static final int SEEDS = TestSet.times(4, 12);
    private static final int FIRST_SEED = 1000;
    private static final double TRUTH_SECONDS = 3_000;

    @Test
    void aQuietServiceIsBracketedWithinTheBudget() {
        KneeContest.Row row = contest(SimulatedService.QUIET, P99, 600);

        assertThat(row.holds()).isGreaterThanOrEqualTo(0.9);
        assertThat(row.tooHigh()).isLessThanOrEqualTo(0.05);
        assertThat(row.error()).isCloseTo(0, within(0.03));
        assertThat(row.width()).isLessThan(0.2);
        assertThat(row.loadSeconds()).isLessThanOrEqualTo(600);
    }

    @Test
    void goodBoundOfServiceWithPausesIsRarelyTooHigh() {
        KneeContest.Row row = contest(SimulatedService.JVM, P95, 300);

        assertThat(row.holds()).isGreaterThanOrEqualTo(0.9);
        assertThat(row.tooHigh()).isLessThanOrEqualTo(0.05);
        assertThat(row.loadSeconds()).isLessThanOrEqualTo(300);
    }

    @Test
    void shortBinarySearchCoversTruthFarLessOften() {
        double truth = KneeContest.truth(SimulatedService.JVM, P95, TRUTH_SECONDS);

        KneeContest.Row binary =
                KneeContest.contest(
                        "binary",
                        KneeContest.doublingThenBinary(20),
                        SimulatedService.JVM,
                        P95,
                        truth,
                        FIRST_SEED,
                        SEEDS);

        assertThat(binary.holds()).isLessThan(0.5);
    }

    @Test
    void beginsWithAnOverloadToLearnTheScale() {
        assertThat(search(P99).next(Optional.empty(), List.of())).isInstanceOf(Step.Probe.class);
        assertThat(search(P99).next(probe(), List.of()))
                .isInstanceOfSatisfying(
                        Step.Drive.class,
                        d -> {
                            assertThat(d.fresh()).isTrue();
                            assertThat(d.ratePerS()).isEqualTo(400);
                        });
    }

    @Test
    void startsJustBelowKnownKnee() {
        var daily =
                new Settings(
                        List.of(P99),
                        600,
                        0.05,
                        0.05,
                        15,
                        10,
                        2,
                        OptionalDouble.of(333),
                        PauseLog.NONE);

        Step step = new OpenKneeSearch(daily).next(probe(), List.of());

        assertThat(((Step.Drive) step).ratePerS()).isCloseTo(0.95 * 333, within(1e-9));
    }

    @Test
    void extendsUndecidedTrialWithoutBreak() {
        Step step = search(P99).next(probe(), List.of(trial(400, 10, 400, 4)));

        assertThat(step)
                .isInstanceOfSatisfying(
                        Step.Drive.class,
                        d -> {
                            assertThat(d.fresh()).isFalse();
                            assertThat(d.ratePerS()).isEqualTo(400);
                        });
    }

    @Test
    void runawayQueueIsBadAtOnceAndLowersNextRate() {
        Step step = search(P99).next(probe(), List.of(trial(480, 25, 480, 480)));

        assertThat(step)
                .isInstanceOfSatisfying(
                        Step.Drive.class,
                        d -> {
                            assertThat(d.fresh()).isTrue();
                            assertThat(d.ratePerS()).isLessThan(470);
                        });
    }

    @Test
    void repeatsTrialWithRunawayQueueFarBelowSaturation() {
        OpenTrial ranAway = trial(300, 25, 300, 300);

        Step again = search(P99).next(probe(), List.of(ranAway));
        Step then = search(P99).next(probe(), List.of(ranAway, trial(300, 25, 300, 300)));

        assertThat(((Step.Drive) again).ratePerS()).isEqualTo(300);
        assertThat(((Step.Drive) again).fresh()).isTrue();
        assertThat(((Step.Drive) then).ratePerS()).isLessThan(300);
    }

    /// The service is slower than its goal at any load. The search does not approach zero in small
    /// steps.
    @Test
    void unreachableGoalIsFoundAfterFewRates() {
        OpenKnee knee = neverEnding(search(P99), false);

        assertThat(knee.reason()).isEqualTo(OpenKnee.Reason.NEVER_GOOD);
        assertThat(knee.good()).isEmpty();
        assertThat(knee.tests().stream().mapToDouble(OpenKnee.Test::ratePerS).distinct().count())
                .isLessThanOrEqualTo(4);
        assertThat(knee.says()).contains("holds at no load").contains("even at 15/s");
    }

    @Test
    void triesLowestLoadFirstIfOneUserMissesGoal() {
        OpenKnee knee = neverEnding(search(P99), true);

        assertThat(knee.reason()).isEqualTo(OpenKnee.Reason.NEVER_GOOD);
        assertThat(knee.tests().stream().mapToDouble(OpenKnee.Test::ratePerS).distinct())
                .containsExactly(15.0);
    }

    /// A rare miss needs many requests. So p99.9 is not tried at a rate that sends too few.
    @Test
    void lowestRateIsTestable() {
        var rare = Goal.responseTime("p99.9<50ms", 0.999, 50);

        Step step = search(rare).next(Optional.of(new Probe(500, 15, true)), List.of());

        assertThat(((Step.Drive) step).ratePerS()).isCloseTo(6 / 0.001 / 120, within(1e-6));
    }

    /// The first trial with one user was wrong or disturbed, so the search continues at higher
    /// rates.
    @Test
    void searchesGoalThatLowestLoadKeeps() {
        Step step =
                search(P99)
                        .next(
                                Optional.of(new Probe(500, 15, true)),
                                List.of(trial(15, 120, 15, 0)));

        assertThat(((Step.Drive) step).ratePerS()).isGreaterThan(300);
    }

    /// The service takes 4 ms on average and the goal is 3 ms. About half of the requests miss it
    /// without any queue.
    @Test
    void aSimulatedServiceSlowerThanItsGoalEndsEarly() {
        var tight = Goal.responseTime("p99<3ms", 0.99, 3);
        for (int seed = 1; seed <= SEEDS; seed++) {
            OpenKnee knee =
                    KneeContest.search(
                            new SimulatedService(SimulatedService.JVM, seed),
                            tight,
                            600,
                            0.05,
                            true);

            assertThat(knee.reason()).isEqualTo(OpenKnee.Reason.NEVER_GOOD);
            assertThat(knee.loadSeconds()).isLessThan(200);
        }
    }

    /// Without a queue, p95 is 9 ms. A goal of 10 ms is met, but only far below saturation.
    @Test
    void searchesGoalThatOnlyLowLoadKeeps() {
        var tight = Goal.responseTime("p95<11ms", 0.95, 11);
        double truth = KneeContest.truth(SimulatedService.QUIET, tight, TRUTH_SECONDS);
        for (int seed = 1; seed <= SEEDS; seed++) {
            OpenKnee knee =
                    KneeContest.search(
                            new SimulatedService(SimulatedService.QUIET, seed),
                            tight,
                            300,
                            0.05,
                            true);

            assertThat(knee.reason()).isNotEqualTo(OpenKnee.Reason.NEVER_GOOD);
            assertThat(knee.bad().orElseThrow()).isGreaterThan(0.97 * truth);
        }
    }

    /// Every request at every tested rate misses its goal, and each trial is long enough for a
    /// queue to run away.
    private static OpenKnee neverEnding(OpenKneeSearch search, boolean missesWithOneUser) {
        var probe = Optional.of(new Probe(500, 15, missesWithOneUser));
        List<OpenTrial> trials = new ArrayList<>();
        Step step = search.next(probe, trials);
        while (step instanceof Step.Drive d) {
            trials.add(trial(d.ratePerS(), 10, 100, 100));
            step = search.next(probe, trials);
        }
        return ((Step.Done) step).knee();
    }

    @Test
    void knownKneeNeedsTwoTrials() {
        double truth = KneeContest.truth(SimulatedService.QUIET, P95, TRUTH_SECONDS);
        int two = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            OpenKnee knee =
                    KneeContest.daily(
                            new SimulatedService(SimulatedService.QUIET, seed), P95, truth);
            two += knee.tests().size() == 2 ? 1 : 0;
            assertThat(knee.good().orElseThrow()).isLessThan(knee.bad().orElseThrow());
        }

        assertThat(two).isGreaterThanOrEqualTo(SEEDS * 2 / 3);
    }

    /// The search aims at ±20 %, because the budget seemed too short for more. It finds this
    /// bracket long before the budget ends.
    @Test
    void usesRemainingBudgetToNarrowBracket() {
        int narrower = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            OpenKnee coarse = aimedAt20Percent(seed, 0.2);
            OpenKnee fine = aimedAt20Percent(seed, 0.05);
            assertThat(coarse.reason()).isEqualTo(OpenKnee.Reason.BRACKETED);
            assertThat(fine.reason()).isEqualTo(OpenKnee.Reason.BRACKETED);
            assertThat(fine.loadSeconds()).isLessThanOrEqualTo(BUDGET_S);
            narrower += width(fine) < 0.9 * width(coarse) ? 1 : 0;
        }
        assertThat(narrower).isGreaterThanOrEqualTo(SEEDS * 2 / 3);
    }

    private static final double BUDGET_S = 300;

    private static OpenKnee aimedAt20Percent(int seed, double wanted) {
        return KneeContest.search(
                new SimulatedService(SimulatedService.QUIET, seed),
                P95,
                new Settings(
                        List.of(P95),
                        BUDGET_S,
                        0.2,
                        wanted,
                        15,
                        10,
                        2,
                        OptionalDouble.empty(),
                        PauseLog.NONE),
                true);
    }

    private static double width(OpenKnee knee) {
        return knee.bad().orElseThrow() / knee.good().orElseThrow() - 1;
    }

    private static final Settings TWO_MINUTES =
            new Settings(
                    List.of(P99), 132, 0.3, 0.05, 12, 10, 2, OptionalDouble.empty(), PauseLog.NONE);

    /// The budget is too short for ±5 %. Both sides of the bracket must still have a tested rate.
    @Test
    void twoMinutesGiveBothSides() {
        double truth = KneeContest.truth(SimulatedService.QUIET, P99, TRUTH_SECONDS);
        for (int seed = 1; seed <= SEEDS; seed++) {
            OpenKnee knee =
                    KneeContest.search(
                            new SimulatedService(SimulatedService.QUIET, seed),
                            P99,
                            TWO_MINUTES,
                            true);
            assertThat(knee.good().orElseThrow()).isLessThan(1.03 * truth);
            assertThat(knee.bad().orElseThrow()).isGreaterThan(0.97 * truth);
        }
    }

    /// Close to the goal, more time does not show whether the rate is good. So a lower rate is
    /// tried while enough time is left to call it good.
    @Test
    void undecidedTrialEndsWhileALowerRateCanStillBeProvedGood() {
        var probe = Optional.of(new Probe(800, 12, false));
        var search = new OpenKneeSearch(TWO_MINUTES);

        Step near = search.next(probe, List.of(trial(650, 40, 650, 6)));
        Step calm = search.next(probe, List.of(trial(550, 40, 550, 0)));
        Step early = search.next(probe, List.of(trial(650, 20, 650, 6)));

        assertThat(near)
                .isInstanceOfSatisfying(
                        Step.Drive.class,
                        d -> {
                            assertThat(d.fresh()).isTrue();
                            assertThat(d.ratePerS()).isBetween(400.0, 640.0);
                        });
        assertThat(((Step.Drive) calm).fresh()).isFalse();
        assertThat(((Step.Drive) early).fresh()).isFalse();
    }

    @Test
    void keepsBracketWhenStopped() {
        OpenKnee knee = search(P95).soFar(probe().orElseThrow(), List.of(trial(300, 70, 300, 0)));

        assertThat(knee.good()).hasValue(300);
        assertThat(knee.bad()).isEmpty();
        assertThat(knee.reason()).isEqualTo(OpenKnee.Reason.CUT_SHORT);
        assertThat(knee.narrow()).contains("going on");
    }

    @Test
    void reportsSearchEndedByBudget() {
        Step step = search(P99).next(probe(), List.of(trial(400, 600, 400, 4)));

        assertThat(step)
                .isInstanceOfSatisfying(
                        Step.Done.class,
                        d -> {
                            assertThat(d.knee().reason()).isEqualTo(OpenKnee.Reason.BUDGET_SPENT);
                            assertThat(d.knee().good()).isEmpty();
                            assertThat(d.knee().says()).contains("no rate tested");
                        });
    }

    /// Garwood's table. Zero counted events: at most 3.00 at 95 %. Ten: 4.80 to 18.39 at 95 %,
    /// two-sided.
    @Test
    void countsHaveGarwoodsBounds() {
        assertThat(Poisson.upper(0, 1.645)).isCloseTo(3.00, within(0.06));
        assertThat(Poisson.upper(10, 1.96)).isCloseTo(18.39, within(0.1));
        assertThat(Poisson.lower(10, 1.96)).isCloseTo(4.80, within(0.1));
        assertThat(Poisson.lower(0, 2)).isZero();
    }

    /// Compares the fluid formula with the simulator: misses by long pauses with a constant queue.
    @Test
    void pausesCausePredictedShareOfMisses() {
        var setting = new SimulatedService.Setting("pauses", 2, 4, 0.7, 0, 0, 1 / 20.0, 200, 0, 1);
        var goal = Goal.responseTime("p99<100ms", 0.99, 100);
        var service = new SimulatedService(setting, 5);

        OpenTrial trial =
                service.drive(new OpenTrial(300, List.of(), List.of()), 20_000, List.of(goal));

        double requests = trial.slices().stream().mapToDouble(OpenTrial.Slice::requests).sum();
        double misses = trial.slices().stream().mapToDouble(s -> s.misses().getFirst()).sum();
        double rho = 0.6 / (1 - 0.0113);
        ShareBounds formula =
                PauseRecord.of(List.of(trial), PauseLog.NONE, goal.limitMs()).share(rho, 2, 0);
        assertThat(misses / requests / formula.share()).isBetween(0.9, 1.1);
    }

    @Test
    void confidenceCostsMoreForRareMissesAndPauses() {
        double p95 = cost(P95, PauseLog.NONE);
        double p99 = cost(P99, PauseLog.NONE);
        double paused = cost(P99, new PauseLog(List.of(120.0), 120));

        assertThat(p99).isGreaterThan(1.5 * p95);
        assertThat(paused).isGreaterThan(1.5 * p99);
        assertThat(SearchCost.of(P99, 500, 4, PauseLog.NONE, 0.05).says())
                .contains("p99<50ms to ±5 % needs about");
    }

    private static double cost(Goal goal, PauseLog known) {
        return SearchCost.of(goal, 500, 4, known, 0.05).seconds().orElseThrow();
    }

    private static KneeContest.Row contest(
            SimulatedService.Setting setting, Goal goal, double budget) {
        double truth = KneeContest.truth(setting, goal, TRUTH_SECONDS);
        return KneeContest.contest(
                "ours",
                KneeContest.ours(budget, 0.05, true),
                setting,
                goal,
                truth,
                FIRST_SEED,
                SEEDS);
    }

    private static OpenKneeSearch search(Goal goal) {
        return new OpenKneeSearch(Settings.of(List.of(goal), 600, 0.05));
    }

    private static Optional<Probe> probe() {
        return Optional.of(new Probe(500, 15, false));
    }

    /// A trial in seconds that are all alike. Arrivals that do not end wait.
    static OpenTrial trial(double rate, int seconds, long requests, long misses) {
        List<OpenTrial.Slice> slices = new ArrayList<>();
        for (int s = 0; s < seconds; s++) {
            long waiting = Math.round((s + 1) * Math.max(0, rate - requests));
            slices.add(new OpenTrial.Slice(1, requests, List.of(misses), waiting));
        }
        return new OpenTrial(rate, slices, List.of());
    }
}
