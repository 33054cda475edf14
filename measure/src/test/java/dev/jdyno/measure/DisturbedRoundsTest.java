package dev.jdyno.measure;

import static dev.jdyno.measure.RoundFixture.round;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Rounds of a service with 10 ms of CPU and 80 ms of waiting a request on two cores, with
/// neighbours that come and go.
final class DisturbedRoundsTest {
    private static final double CPU_S = 0.010;
    private static final double ALONE_S = 0.090;
    private static final double CORES = 2;
    private static final double CLIENT = 0.05;
    private static final Neighbour BURN = new Neighbour("burn", 77, 0.98);

    /// A round of that service while other processes use this number of cores.
    private static RoundFixture at(int n, double others) {
        return at(n, others, 0);
    }

    /// @param helperMs CPU time per request of a helper process of the service
    private static RoundFixture at(int n, double others, double helperMs) {
        double left = CORES - others - CLIENT;
        double qps = Math.min(n / ALONE_S, left / (CPU_S + helperMs / 1000));
        RoundFixture fixture =
                round(n, qps)
                        .cores(qps * CPU_S)
                        .client(CLIENT)
                        .others(others + qps * helperMs / 1000);
        return others >= BURN.cores() ? fixture.beside(BURN) : fixture;
    }

    private static List<Integer> disturbedAt(List<Round> rounds) {
        List<Optional<Disturbance>> by = DisturbedRounds.of(rounds);
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < rounds.size(); i++) {
            if (by.get(i).isPresent()) {
                found.add(rounds.get(i).concurrency());
            }
        }
        return found;
    }

    private static List<Round> built(RoundFixture... fixtures) {
        return List.of(fixtures).stream().map(RoundFixture::build).toList();
    }

    @Test
    void noRoundIsDisturbedOnIdleMachine() {
        assertThat(disturbedAt(built(at(1, 0), at(7, 0.02), at(16, 0.05), at(32, 0), at(57, 0.03))))
                .isEmpty();
    }

    @Test
    void namesTheProcessThatDisturbsOneSaturatedRound() {
        List<Round> rounds = built(at(1, 0), at(7, 0), at(26, 0), at(57, 1), at(32, 0));

        assertThat(disturbedAt(rounds)).containsExactly(57);
        Disturbance by = DisturbedRounds.of(rounds).get(3).orElseThrow();
        assertThat(by.more()).isTrue();
        assertThat(by.takenCores()).isEqualTo(1, within(0.01));
        assertThat(by.usualCores()).isEqualTo(0, within(0.01));
        assertThat(by.seconds()).isZero();
        assertThat(by.by()).containsExactly(BURN);
    }

    @Test
    void detectsNeighbourOfFirstSaturatedRoundsByAQuietRound() {
        List<Round> rounds = built(at(1, 0), at(7, 0), at(26, 1), at(57, 1), at(32, 0));

        assertThat(disturbedAt(rounds)).containsExactly(26, 57);
    }

    @Test
    void firstSaturatedRoundNeedsConfirmation() {
        assertThat(disturbedAt(built(at(1, 0), at(7, 0), at(26, 1)))).containsExactly(26);
        assertThat(disturbedAt(built(at(1, 0), at(7, 0), at(26, 1), at(26, 1)))).isEmpty();
        assertThat(disturbedAt(built(at(1, 1), at(7, 1), at(26, 1)))).isEmpty();
    }

    @Test
    void permanentNeighbourDisturbsNoRound() {
        assertThat(disturbedAt(built(at(1, 1), at(7, 1), at(26, 1), at(57, 1), at(32, 1))))
                .isEmpty();
    }

    /// If the scheduler is fair to threads, many threads of the service leave the neighbour less
    /// CPU.
    @Test
    void neighbourThatYieldsToServiceDisturbsNoRound() {
        assertThat(
                        disturbedAt(
                                built(
                                        at(1, 1),
                                        at(3, 0.98),
                                        at(26, 0.2),
                                        at(57, 0.1),
                                        at(32, 0.15))))
                .isEmpty();
    }

    @Test
    void neighbourThatLeavesMidwayDisturbsFewerRounds() {
        List<Round> left = built(at(1, 1), at(26, 1), at(57, 0), at(32, 0), at(16 + 8, 0));

        assertThat(disturbedAt(left)).containsExactly(26);

        List<Round> stayed = built(at(1, 1), at(26, 1), at(57, 1), at(32, 1), at(24, 1), at(40, 0));
        assertThat(disturbedAt(stayed)).containsExactly(40);
        Disturbance less = DisturbedRounds.of(stayed).get(5).orElseThrow();
        assertThat(less.more()).isFalse();
        assertThat(less.by()).extracting(Neighbour::name).containsExactly("burn");
    }

    /// Observed with a build that ended: the rounds after it are better, not disturbed.
    @Test
    void roundWithFreeCoresIsNotDisturbedByMissingNeighbour() {
        assertThat(disturbedAt(built(at(1, 1.3), at(2, 1.3), at(3, 1.3), at(9, 0.6), at(12, 0.1))))
                .isEmpty();
    }

    @Test
    void buildOnAllCoresDisturbsSingleRequest() {
        Round beside = at(1, 0).others(1.9).cores(0.1).build();
        List<Round> rounds = new ArrayList<>(built(at(26, 0), at(57, 0), at(32, 0), at(2, 0)));
        rounds.addFirst(beside);

        assertThat(disturbedAt(rounds)).containsExactly(1);
    }

    @Test
    void singleRequestWithFreeCoreIsNotDisturbed() {
        assertThat(disturbedAt(built(at(1, 1), at(7, 0), at(26, 0), at(57, 0)))).isEmpty();
    }

    @Test
    void stealDisturbsLikeANeighbourProcess() {
        Round stolen = at(57, 1).others(0).left(CORES - CLIENT).stolen(50).beside().build();
        List<Round> rounds = new ArrayList<>(built(at(1, 0), at(7, 0), at(26, 0), at(32, 0)));
        rounds.add(stolen);

        assertThat(disturbedAt(rounds)).containsExactly(57);
        Disturbance by = DisturbedRounds.of(rounds).getLast().orElseThrow();
        assertThat(by.by()).isEmpty();
        assertThat(by.stolenCores()).isEqualTo(1, within(0.01));
    }

    /// A downstream or database on this machine uses CPU in proportion to the load.
    @Test
    void processDrivenByLoadIsNoNeighbour() {
        assertThat(
                        disturbedAt(
                                built(
                                        at(1, 0.02, 4),
                                        at(7, 0.02, 4),
                                        at(12, 0.02, 4),
                                        at(26, 0.02, 4),
                                        at(57, 0.02, 4))))
                .isEmpty();
        assertThat(
                        disturbedAt(
                                built(
                                        at(1, 0.02, 4),
                                        at(7, 0.02, 4),
                                        at(12, 0.02, 4),
                                        at(26, 1, 4),
                                        at(57, 0.02, 4))))
                .containsExactly(26);
    }

    @Test
    void aServiceThatLeavesCoresOverIsNotDisturbed() {
        List<Round> rounds = new ArrayList<>();
        for (int n : new int[] {1, 4, 8, 16, 32}) {
            double qps = Math.min(n, 8) * 10;
            rounds.add(round(n, qps).cores(qps * 0.004).others(n == 16 ? 1 : 0).build());
        }

        assertThat(disturbedAt(rounds)).isEmpty();
        assertThat(SameCores.of(rounds)).isEqualTo(rounds);
    }

    /// The quota is smaller than the machine. Others use only cores that the service may not use.
    @Test
    void usageBeyondQuotaTakesNoCores() {
        List<Round> rounds = new ArrayList<>();
        for (int n : new int[] {1, 4, 8, 16, 32}) {
            double qps = Math.min(n / ALONE_S, 0.5 / CPU_S);
            double others = n == 16 ? 1 : 0;
            rounds.add(
                    round(n, qps)
                            .cores(qps * CPU_S)
                            .quota(0.5)
                            .others(others)
                            .left(Math.min(0.5, CORES - others - CLIENT))
                            .build());
        }

        assertThat(disturbedAt(rounds)).isEmpty();
    }

    @Test
    void roundsWithoutCpuFiguresAreNotJudged() {
        assertThat(DisturbedRounds.of(List.of())).isEmpty();

        List<Round> rounds = new ArrayList<>(built(at(1, 0), at(7, 0), at(26, 0), at(57, 1)));
        assertThat(disturbedAt(rounds)).containsExactly(57);
        rounds.set(3, at(57, 1).unseenCpu().build());
        assertThat(disturbedAt(rounds)).isEmpty();
        assertThat(DisturbedRounds.of(rounds)).hasSize(4);
    }

    @Test
    void singleRoundIsNotJudged() {
        assertThat(disturbedAt(built(at(26, 1)))).isEmpty();
    }

    @Test
    void countsSecondsWithMoreNeighbourLoad() {
        Round beside = at(57, 0.5).beside(BURN).takenBySecond(0.02, 1, 1, 1, 0.1, 0).build();
        List<Round> rounds = new ArrayList<>(built(at(1, 0), at(7, 0), at(26, 0), at(32, 0)));
        rounds.add(beside);

        assertThat(DisturbedRounds.of(rounds).getLast().orElseThrow().seconds()).isEqualTo(3);
    }

    /// Rates of the open model are compared in the same way as loads of the closed model.
    @Test
    void judgesOpenModelLikeClosedModel() {
        List<Round> rates = new ArrayList<>();
        for (double rate : new double[] {100, 120, 140, 160, 180}) {
            double others = rate == 140 ? 1 : 0;
            Round r =
                    round(20, Math.min(rate, (CORES - others - CLIENT) / CPU_S))
                            .cores(Math.min(rate * CPU_S, CORES - others - CLIENT))
                            .others(others)
                            .client(CLIENT)
                            .build();
            rates.add(r.atRate(rate));
        }

        List<Optional<Disturbance>> by = DisturbedRounds.of(rates);
        assertThat(by.get(2)).isPresent();
        assertThat(by.stream().filter(Optional::isPresent).count()).isEqualTo(1);
        // without a closed loop, throughput is the rate and does not depend on the cores
        Round marked = rates.get(2).disturbed(by.get(2));
        assertThat(SameCores.of(List.of(marked))).containsExactly(marked);
    }

    @Test
    void noiseBelowLimitDisturbsNoRound() {
        for (long seed = 0; seed < 200; seed++) {
            var random = new Random(seed);
            List<Round> rounds = new ArrayList<>();
            int odd = random.nextInt(4, 10);
            for (int i = 0; i < 10; i++) {
                int n = i < 2 ? 1 + 6 * i : random.nextInt(20, 80);
                rounds.add(at(n, random.nextDouble() * 0.08 + (i == odd ? 0.9 : 0)).build());
            }

            List<Optional<Disturbance>> by = DisturbedRounds.of(rounds);
            for (int i = 0; i < 10; i++) {
                assertThat(by.get(i).isPresent())
                        .as("seed %d, round %d", seed, i)
                        .isEqualTo(i == odd);
            }
        }
    }

    @Test
    void aKeptRoundIsPutOnTheCoresOfTheOthers() {
        List<Round> rounds = built(at(1, 0), at(7, 0), at(26, 1), at(57, 1), at(32, 0));
        List<Optional<Disturbance>> by = DisturbedRounds.of(rounds);
        List<Round> kept = new ArrayList<>();
        for (int i = 0; i < rounds.size(); i++) {
            kept.add(rounds.get(i).disturbed(by.get(i).map(Disturbance::asKept)));
        }

        List<Round> same = SameCores.of(kept);

        double full = (CORES - CLIENT) / CPU_S;
        assertThat(same.get(2).qps()).isEqualTo(full, within(0.01 * full));
        assertThat(same.get(3).qps()).isEqualTo(full, within(0.01 * full));
        assertThat(same.get(3).rtMs().mean()).isEqualTo(57 / full * 1000, within(5.0));
        assertThat(same.get(3).cpuMsPerRequest().orElseThrow()).isEqualTo(10, within(1e-6));
        assertThat(same.get(0)).isSameAs(kept.get(0));
        assertThat(same.get(4)).isSameAs(kept.get(4));
    }

    /// Without the neighbour, the limit of a connection pool was measured. More cores give no more
    /// throughput.
    @Test
    void adjustedRoundStaysBelowUndisturbedHigherLoad() {
        Round quiet = round(40, 100).cores(1).others(0).client(CLIENT).build();
        Round low = at(1, 0).build();
        Round beside =
                round(26, 90)
                        .cores(0.93)
                        .others(1)
                        .client(CLIENT)
                        .build()
                        .disturbed(Optional.of(new Disturbance(1, 0, 0, 5, List.of(BURN), true)));

        Round same = SameCores.of(List.of(low, beside, quiet)).get(1);

        assertThat(same.qps()).isEqualTo(100, within(1e-6));
        assertThat(same.cpu().orElseThrow().utilisation()).isEqualTo(0.53, within(0.01));
        assertThat(same.cpu().orElseThrow().isSaturated()).isFalse();
    }

    /// The CPU taken by the hypervisor is added back like that of a process.
    @Test
    void addsTakenCoresToRoundWithOtherLimit() {
        Round quiet = round(40, 100).cores(1).others(0).client(CLIENT).build();
        for (double stolen : new double[] {0, 0.5, 1}) {
            double others = 1 - stolen;
            Round beside =
                    round(26, 90)
                            .cores(0.93)
                            .client(CLIENT)
                            .others(others)
                            .left(CORES - CLIENT - others)
                            .stolen(100 * stolen / CORES)
                            .build()
                            .disturbed(
                                    Optional.of(new Disturbance(1, 0, stolen, 5, List.of(), true)));
            assertThat(beside.cpu().orElseThrow().isSaturated()).isTrue();

            CpuUse cpu = SameCores.of(List.of(at(1, 0).build(), beside, quiet)).get(1).cpu().get();

            assertThat(cpu.coresForTarget()).as("stolen %s", stolen).isEqualTo(1.95, within(0.01));
            assertThat(cpu.isSaturated()).as("stolen %s", stolen).isFalse();
        }
    }

    @Test
    void saturatedRoundRanOnItsUsualCores() {
        Round quiet = at(57, 0).build();
        for (boolean more : new boolean[] {true, false}) {
            Round odd =
                    at(40, more ? 1 : 0)
                            .build()
                            .disturbed(
                                    Optional.of(
                                            new Disturbance(
                                                    more ? 1 : 0,
                                                    more ? 0 : 1,
                                                    0,
                                                    5,
                                                    List.of(),
                                                    true)));

            CpuUse cpu =
                    SameCores.of(List.of(at(1, 0).build(), quiet, odd)).get(2).cpu().orElseThrow();

            assertThat(cpu.coresForTarget()).isEqualTo(more ? 1.95 : 0.95, within(0.01));
            assertThat(cpu.utilisation()).isEqualTo(1, within(0.02));
            assertThat(DisturbedRounds.takenCores(cpu)).isEqualTo(more ? 0 : 1, within(0.01));
        }
    }

    /// CPU that a helper of the service uses under load is not used at rest.
    @Test
    void idleCoresExcludeCpuPerRequest() {
        List<Round> helped = built(at(1, 0.02, 4), at(7, 0.02, 4), at(26, 0.02, 4), at(57, 1, 4));
        assertThat(DisturbedRounds.usualCoresAtRest(helped)).isBetween(0.0, 0.1);
        assertThat(DisturbedRounds.takenCores(helped.get(2).cpu().orElseThrow()))
                .isGreaterThan(0.4);

        // Under load, the service's threads push the neighbour aside. At rest, it uses its core
        // again.
        List<Round> aside = built(at(1, 1), at(3, 0.98), at(26, 0.2), at(57, 0.1), at(32, 0.15));
        assertThat(DisturbedRounds.usualCoresAtRest(aside)).isEqualTo(1, within(0.1));
        assertThat(DisturbedRounds.usualCoresAtRest(List.of())).isZero();
    }
}
