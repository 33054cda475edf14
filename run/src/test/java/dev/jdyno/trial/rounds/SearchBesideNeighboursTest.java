package dev.jdyno.trial.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.capacity.KneeSearch;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.DisturbedRounds;
import dev.jdyno.measure.Neighbour;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RoundFixture;
import dev.jdyno.plan.Plan;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The search for the knee on a simulated machine of two cores. The service needs 10 ms of CPU and
/// 80 ms of waiting a request. A neighbour uses one core for some time.
final class SearchBesideNeighboursTest {
    private static final double CPU_S = 0.010;
    private static final double ALONE_S = 0.090;
    private static final double CLIENT = 0.05;
    private static final double KNEE = (2 - CLIENT) / CPU_S * ALONE_S;
    private static final double ROUND_SECONDS = 6;
    private static final Neighbour BURN = new Neighbour("burn", 77, 1);

    private final List<Round> all = new ArrayList<>();
    private double nowS;
    private QuietWait quiet = quiet(new Burning(0, 0));

    private static final class Burning {
        private final double fromS;
        private final double toS;

        Burning(double fromS, double toS) {
            this.fromS = fromS;
            this.toS = toS;
        }

        double coresIn(double a, double b) {
            return Math.max(0, Math.min(b, toS) - Math.max(a, fromS)) / (b - a);
        }
    }

    private static Plan plan() {
        return Plan.of("virtual", URI.create("http://127.0.0.1:1/"), new Plan.TargetPlan.None());
    }

    private MeasuredRounds search(Burning neighbour, Random noise) throws InterruptedException {
        quiet = quiet(neighbour);
        while (true) {
            var rounds = MeasuredRounds.of(all);
            switch (NextRound.of(plan(), rounds, 2)) {
                case KneeSearch.Step.Done _ -> {
                    return rounds;
                }
                case KneeSearch.Step.Measure(int n, double _, String _) -> {
                    if (rounds.lastAt(n).isPresent()) {
                        quiet.await(rounds.lastAt(n).get(), DisturbedRounds.usualCoresAtRest(all));
                    }
                    all.add(round(n, neighbour.coresIn(nowS, nowS + ROUND_SECONDS), noise));
                    nowS += ROUND_SECONDS;
                }
            }
        }
    }

    /// Waits on the clock of the simulated machine.
    private QuietWait quiet(Burning neighbour) {
        return new QuietWait(
                new QuietWait.Idle() {
                    @Override
                    public void begin() {}

                    @Override
                    public Optional<CpuUse> look(double seconds) {
                        double others = neighbour.coresIn(nowS, nowS + seconds);
                        nowS += seconds;
                        return Optional.of(
                                CpuUse.ofWholeMachine(0, 0, 0, others, 2, others / 2 * 100, 0, 0));
                    }

                    @Override
                    public boolean goesOn() {
                        return true;
                    }
                },
                () -> Math.round(nowS * 1e9));
    }

    private double waitedS() {
        return QuietWait.MAX_SECONDS - quiet.left();
    }

    private static Round round(int n, double others, Random noise) {
        double left = 2 - others - CLIENT;
        double qps = Math.min(n / ALONE_S, left / CPU_S) * (1 + 0.01 * noise.nextGaussian());
        RoundFixture built =
                RoundFixture.round(n, qps).cores(qps * CPU_S).client(CLIENT).others(others);
        return (others > 0.05 ? built.beside(BURN) : built).build();
    }

    private double knee() {
        return KneeSearch.soFar(MeasuredRounds.of(all).comparable()).orElseThrow().concurrency();
    }

    @Test
    void findsKneeOfIdleMachineDespiteNeighbours() throws InterruptedException {
        for (long seed = 0; seed < 100; seed++) {
            all.clear();
            nowS = 0;
            var random = new Random(seed);
            double from = random.nextDouble() * 60;
            var rounds = search(new Burning(from, from + 5 + random.nextDouble() * 15), random);

            assertThat(knee()).as("seed %d", seed).isEqualTo(KNEE, within(0.1 * KNEE));
            assertThat(all.size()).isLessThanOrEqualTo(NextRound.MAX_ROUNDS);
            assertThat(rounds.leftOut()).allMatch(r -> r.disturbance().isPresent());
        }
    }

    @Test
    void permanentNeighbourCostsNoRound() throws InterruptedException {
        var rounds = search(new Burning(-1, 1e9), new Random(1));

        assertThat(rounds.leftOut()).isEmpty();
        assertThat(waitedS()).isZero();
        assertThat(knee()).isEqualTo((2 - 1 - CLIENT) / CPU_S * ALONE_S, within(1.0));
    }

    @Test
    void permanentlyAddedNeighbourCostsFewRounds() throws InterruptedException {
        for (double from = 1; from < 80; from += 3) {
            all.clear();
            nowS = 0;
            var rounds = search(new Burning(from, 1e9), new Random(2));

            assertThat(all.size()).isLessThanOrEqualTo(NextRound.MAX_ROUNDS);
            assertThat(rounds.leftOut().size()).isLessThanOrEqualTo(NextRound.MAX_ROUNDS / 2);
            double beside = (1 - CLIENT) / CPU_S * ALONE_S;
            assertThat(knee()).isBetween(0.9 * beside, 1.1 * KNEE);
        }
    }

    @Test
    void repeatsLoadTwiceAndThenMarksRound() {
        var noise = new Random(3);
        for (int n : new int[] {1, 7, 24, 32, 40}) {
            all.add(round(n, 0, noise));
        }
        for (int i = 1; i <= DisturbedRounds.MAX_REPEATS; i++) {
            all.add(round(57, 1, noise));
            assertThat(MeasuredRounds.of(all).leftOut()).hasSize(i);
            assertThat(MeasuredRounds.of(all).lastAt(57)).isPresent();
        }
        all.add(round(57, 0.8, noise));

        var rounds = MeasuredRounds.of(all);
        assertThat(rounds.leftOut()).hasSize(DisturbedRounds.MAX_REPEATS);
        Round kept = rounds.counted().getLast();
        assertThat(kept.concurrency()).isEqualTo(57);
        assertThat(kept.disturbance().orElseThrow().kept()).isTrue();
        assertThat(rounds.comparable().getLast().qps()).isGreaterThan(1.5 * kept.qps());
    }

    @Test
    void repeatsDisturbedLoadsOfPlanAtTheEnd() {
        Plan plan = plan();
        plan =
                plan.withRounds(
                        new Plan.Rounds(
                                plan.rounds().length(),
                                plan.rounds().settle(),
                                List.of(1, 24, 32, 40),
                                plan.rounds().maxConcurrency()));
        List<Integer> asked = new ArrayList<>();
        var noise = new Random(4);
        while (NextRound.of(plan, MeasuredRounds.of(all), 2)
                instanceof KneeSearch.Step.Measure(int n, double _, String _)) {
            all.add(round(n, asked.size() == 2 ? 1 : 0, noise));
            asked.add(n);
        }
        assertThat(asked).containsExactly(1, 24, 32, 40, 32);
    }

    private static Plan planOf(Integer... loads) {
        Plan plan = plan();
        return plan.withRounds(
                new Plan.Rounds(
                        plan.rounds().length(),
                        plan.rounds().settle(),
                        List.of(loads),
                        plan.rounds().maxConcurrency()));
    }

    /// The search is interrupted, at its error limit, or in its last round, so no round follows.
    @Test
    void countsLoadWithOnlyDisturbedRoundsAtTheEnd() {
        var noise = new Random(5);
        for (int n : new int[] {1, 24, 32, 40}) {
            all.add(round(n, 0, noise));
        }
        all.add(2, round(57, 1, noise));
        all.add(round(57, 0.6, noise));
        all.add(round(40, 1, noise));

        assertThat(MeasuredRounds.of(all).leftOut()).hasSize(3);
        MeasuredRounds closed = MeasuredRounds.closed(all);

        assertThat(closed.leftOut())
                .extracting(Round::concurrency)
                .as("the more disturbed one, and that of a load with a good one")
                .containsExactly(57, 40);
        Round kept = closed.marked(all.get(5));
        assertThat(kept.disturbance().orElseThrow().kept()).isTrue();
        assertThat(closed.counted())
                .extracting(Round::concurrency)
                .containsExactly(1, 24, 32, 40, 57);
        assertThat(closed.leftOut())
                .allMatch(l ->
                        closed.counted().stream()
                                .anyMatch(c -> c.concurrency() == l.concurrency()));
    }

    /// The load already has a good round. So the disturbed one needs no repetition and no wait.
    @Test
    void doesNotRepeatLoadWithGoodLastRound() {
        var noise = new Random(6);
        for (int n : new int[] {1, 24, 32, 40}) {
            all.add(round(n, 0, noise));
        }
        all.add(round(57, 1, noise));
        assertThat(MeasuredRounds.of(all).lastAt(57)).isPresent();
        all.add(round(57, 0, noise));
        assertThat(MeasuredRounds.of(all).lastAt(57)).isEmpty();
        all.add(round(57, 1, noise));
        assertThat(MeasuredRounds.of(all).lastAt(57)).isPresent();
        assertThat(MeasuredRounds.of(all).lastAt(99)).isEmpty();
    }

    /// The search repeats a load for precision while neighbours are active.
    @Test
    void repeatsLoadWithGoodRoundAtMostTwice() {
        for (Plan plan : List.of(plan(), planOf(1, 24, 32, 40, 57, 57))) {
            all.clear();
            var noise = new Random(7);
            for (int n : new int[] {1, 24, 32, 40, 57}) {
                all.add(round(n, 0, noise));
            }
            for (int i = 0; i <= DisturbedRounds.MAX_REPEATS; i++) {
                assertThat(MeasuredRounds.of(all).mayMeasure(57)).isTrue();
                all.add(round(57, 1, noise));
            }
            MeasuredRounds rounds = MeasuredRounds.of(all);
            assertThat(rounds.mayMeasure(57)).isFalse();
            assertThat(NextRound.comesAgain(plan, rounds, 2, 57)).isFalse();
            assertThat(
                            NextRound.of(plan, rounds, 2)
                                            instanceof
                                            KneeSearch.Step.Measure(int n, double _, String _)
                                    && n == 57)
                    .isFalse();
        }
    }

    /// The rounds vary so much that the search repeats loads, each time with a neighbour.
    @Test
    void endsRefinementThatNeighboursAlwaysDisturb() {
        int repeated = 0;
        for (long seed = 0; seed < 50; seed++) {
            all.clear();
            var noise = new Random(seed);
            while (all.size() < 2 * NextRound.MAX_ROUNDS
                    && NextRound.of(plan(), MeasuredRounds.of(all), 2)
                            instanceof KneeSearch.Step.Measure(int n, double _, String _)) {
                boolean again = all.stream().anyMatch(r -> r.concurrency() == n);
                double scatter = 1 + 0.15 * noise.nextGaussian();
                double others = again ? 1 : 0;
                double qps = scatter * Math.min(n / ALONE_S, (2 - others - CLIENT) / CPU_S);
                all.add(
                        RoundFixture.round(n, qps)
                                .cores(Math.min(qps * CPU_S, 2 - others - CLIENT))
                                .client(CLIENT)
                                .others(others)
                                .build());
                repeated += again ? 1 : 0;
            }

            MeasuredRounds rounds = MeasuredRounds.of(all);
            for (Round r : rounds.leftOut()) {
                assertThat(rounds.leftOut())
                        .as("seed %d", seed)
                        .filteredOn(o -> o.concurrency() == r.concurrency())
                        .hasSizeLessThanOrEqualTo(DisturbedRounds.MAX_REPEATS + 1);
            }
            assertThat(all.size()).isLessThanOrEqualTo(NextRound.MAX_ROUNDS);
        }
        assertThat(repeated).as("repetitions that the test is about").isGreaterThan(50);
    }

    @Test
    void endsRepeatsAfterSevenDisturbedRounds() {
        var noise = new Random(8);
        Integer[] loads = {1, 20, 24, 28, 32, 36, 40, 44};
        for (int n : loads) {
            all.add(round(n, 0, noise));
        }
        for (int i = 1; i <= MeasuredRounds.MAX_REPEATS_OF_RUN; i++) {
            all.add(round(loads[i], 1, noise));
        }
        assertThat(MeasuredRounds.of(all).mayMeasure(24)).isTrue();
        all.add(round(44, 1, noise));
        assertThat(MeasuredRounds.of(all).mayMeasure(24)).isFalse();
        assertThat(MeasuredRounds.of(all).mayMeasure(1)).isTrue();
        assertThat(MeasuredRounds.of(all).mayMeasure(99)).isTrue();
    }

    @Test
    void announcesFateOfRoundCorrectly() {
        var noise = new Random(9);
        Plan plan = planOf(1, 24, 32, 40, 57);
        for (int n : new int[] {1, 24, 32, 40}) {
            all.add(round(n, 0, noise));
        }
        all.add(round(57, 1, noise));
        assertThat(fate(plan)).isEqualTo(Fate.AGAIN);
        all.add(round(57, 1, noise));
        all.add(round(57, 0.5, noise));
        assertThat(fate(plan)).isEqualTo(Fate.COUNTS_SCALED);
        // the load has an undisturbed round
        all.add(round(32, 1, noise));
        assertThat(fate(plan)).isEqualTo(Fate.LEFT_OUT);
    }

    /// The service used less CPU than was left to it, so its figures stay.
    @Test
    void aRoundThatLeftCoresOverCountsWithItsFigures() {
        var noise = new Random(10);
        for (int n : new int[] {1, 2, 24, 32, 40}) {
            all.add(round(n, 0, noise));
        }
        for (int i = 0; i <= DisturbedRounds.MAX_REPEATS; i++) {
            all.add(
                    RoundFixture.round(12, 60 + i)
                            .cores(0.6)
                            .client(CLIENT)
                            .others(1)
                            .beside(BURN)
                            .build());
        }
        List<Fate> fates = new ArrayList<>();
        MeasuredRounds rounds = MeasuredRounds.of(all);
        for (Round r : rounds.all()) {
            if (r.disturbance().isPresent()) {
                fates.add(Fate.of(planOf(1, 2, 24, 32, 40, 12), rounds, 2, r));
            }
        }
        assertThat(fates).containsOnlyOnce(Fate.COUNTS).doesNotContain(Fate.COUNTS_SCALED);
    }

    private Fate fate(Plan plan) {
        MeasuredRounds rounds = MeasuredRounds.of(all);
        return Fate.of(plan, rounds, 2, rounds.marked(all.getLast()));
    }
}
