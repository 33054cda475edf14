package dev.jdyno.trial.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Disturbance;
import dev.jdyno.measure.DisturbedRounds;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RoundFixture;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

/// Waiting on a virtual clock. Each sample takes one second.
final class QuietWaitTest {
    private int seconds;
    private int begun;

    private QuietWait over(IntFunction<Optional<CpuUse>> host, IntPredicate goesOn) {
        return new QuietWait(
                new QuietWait.Idle() {
                    @Override
                    public void begin() {
                        begun++;
                    }

                    @Override
                    public Optional<CpuUse> look(double wanted) {
                        seconds++;
                        return host.apply(seconds);
                    }

                    @Override
                    public boolean goesOn() {
                        return goesOn.test(seconds);
                    }
                },
                () -> seconds * 1_000_000_000L);
    }

    private static Optional<CpuUse> others(double cores) {
        return Optional.of(CpuUse.ofWholeMachine(0, 0, 0, cores, 2, 0, 0, 0));
    }

    private static Disturbance taken(double cores, double usual) {
        return new Disturbance(cores, usual, 0, 0, List.of(), false);
    }

    @Test
    void waitEndsWhenTheNeighbourEnds() throws InterruptedException {
        QuietWait wait = over(s -> others(s < 5 ? 1 : 0), _ -> true);

        wait.await(taken(1, 0), 0);

        assertThat(seconds).isEqualTo(5);
        assertThat(wait.left()).isEqualTo(QuietWait.MAX_SECONDS - 5, within(1e-6));
    }

    /// In the rounds, a helper of the service used 0.7 cores for the load, and a neighbour used
    /// 0.98. At rest, only the neighbour counts.
    @Test
    void distinguishesNeighbourFromIdleHelper() throws InterruptedException {
        List<Round> rounds =
                List.of(
                        helped(1, 10, 0),
                        helped(7, 70, 0),
                        helped(12, 116, 0),
                        helped(13, 117, 0),
                        helped(26, 117, 0.98));
        Disturbance by = DisturbedRounds.of(rounds).getLast().orElseThrow();
        assertThat(by.usualCores()).isEqualTo(0.7, within(0.02));
        QuietWait wait = over(s -> others(s < 5 ? 0.98 : 0), _ -> true);

        wait.await(by, DisturbedRounds.usualCoresAtRest(rounds));

        assertThat(seconds).isEqualTo(5);
    }

    private static Round helped(int n, double qps, double others) {
        double helper = qps * 0.006;
        return RoundFixture.round(n, qps).cores(qps * 0.002).others(helper + others).build();
    }

    /// The service is pinned to two of eight cores. Three of the other cores are busy, which takes
    /// no CPU from it.
    @Test
    void coresThatTheTargetMayNotUseAreNotWaitedFor() throws InterruptedException {
        var elsewhere = new CpuUse(0, 0, 0, 3, 2, 2, 40, 0, 0, 0, List.of(), List.of());
        QuietWait wait = over(_ -> Optional.of(elsewhere), _ -> true);

        wait.await(taken(1, 0), 0);

        assertThat(seconds).isEqualTo(1);
    }

    @Test
    void theTimeIsBoundedForTheWholeRun() throws InterruptedException {
        QuietWait wait = over(_ -> others(1), _ -> true);

        wait.await(taken(1, 0), 0);
        wait.await(taken(1, 0), 0);

        assertThat(seconds).isEqualTo((int) QuietWait.MAX_SECONDS);
        assertThat(wait.left()).isZero();
        assertThat(begun).isEqualTo(1);
    }

    @Test
    void waitEndsWithTheRun() throws InterruptedException {
        over(_ -> others(1), s -> s < 3).await(taken(1, 0), 0);
        assertThat(seconds).isEqualTo(3);
    }

    /// A window from an agent may arrive late.
    @Test
    void failedSampleIsNotQuiet() throws InterruptedException {
        over(s -> s < 3 ? Optional.empty() : others(0), _ -> true).await(taken(1, 0), 0);
        assertThat(seconds).isEqualTo(3);
    }

    @Test
    void doesNotWaitForMissingNeighbour() throws InterruptedException {
        over(_ -> others(0), _ -> true).await(taken(0, 1), 1);
        assertThat(begun).isZero();
    }
}
