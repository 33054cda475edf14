package dev.jdyno.capacity.headroom;

import static dev.jdyno.capacity.headroom.Traffic.CORES;
import static dev.jdyno.capacity.headroom.Traffic.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.verdict.Headroom;
import dev.jdyno.measure.verdict.Headroom.First;
import dev.jdyno.measure.verdict.Headroom.Known;
import dev.jdyno.measure.verdict.Headroom.PoolLimit;
import dev.jdyno.measure.verdict.Headroom.Raise;
import dev.jdyno.measure.verdict.Headroom.Reason;
import dev.jdyno.measure.verdict.Headroom.Resource;
import dev.jdyno.measure.verdict.Headroom.TimeAt;
import dev.jdyno.measure.verdict.Headroom.Unknown;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Limits of pools, and which resource is saturated first as the load rises.
class PoolHeadroomTest {
    private static final double POOL_LIMIT = Traffic.POOL / Traffic.HELD_S;

    private static Headroom of(List<LoadWindow> windows) {
        return NaturalLoad.headroom(windows, Optional.empty());
    }

    private static double rate(int second) {
        return Traffic.swing(second) / 2;
    }

    /// Windows of 5 s without noise, with the pools of each window.
    private static List<LoadWindow> exact(int windows, IntFunction<List<PoolUse>> pools) {
        List<LoadWindow> all = new ArrayList<>();
        for (int i = 0; i < windows; i++) {
            double perS = perS(i);
            all.add(
                    new LoadWindow(
                            5,
                            5 * perS,
                            Traffic.BASE + Traffic.DEMAND_S * perS,
                            CORES,
                            pools.apply(i)));
        }
        return all;
    }

    private static double perS(int window) {
        return 200 + 20 * (window % 7);
    }

    private static PoolUse orders(int window) {
        return new PoolUse("orders", "HikariCP", Traffic.HELD_S * perS(window), Traffic.POOL);
    }

    @Test
    void thePoolThatIsSaturatedBeforeTheCpuIsNamedWithTheSizeThatTheCpuAllows() {
        Headroom seen = of(Traffic.of(1, 600, PoolHeadroomTest::rate, 0.05).cpuAndPool());

        First first = seen.first().orElseThrow();
        assertThat(first.resource()).isEqualTo(Resource.pool("orders"));
        assertThat(first.known().limitPerS()).isCloseTo(POOL_LIMIT, within(0.05 * POOL_LIMIT));
        assertThat(first.known().demandMs()).isCloseTo(20, within(1.0));
        assertThat(first.known().ci95().contains(POOL_LIMIT)).isTrue();
        assertThat(first.maybe()).isEmpty();
        Raise raise = first.raise().orElseThrow();
        assertThat(raise.next()).isEqualTo(Resource.CPU);
        assertThat(raise.size()).isBetween(17L, 22L);
        assertThat(raise.limitPerS()).isCloseTo(LIMIT, within(0.1 * LIMIT));
    }

    @Test
    void inMostSeriesTheIntervalOfThePoolHoldsAndThePoolIsNamed() {
        int held = 0;
        int named = 0;
        for (int seed = 0; seed < 500; seed++) {
            First first =
                    of(Traffic.of(seed, 300, PoolHeadroomTest::rate, 0.1).cpuAndPool())
                            .first()
                            .orElseThrow();
            named += first.resource().equals(Resource.pool("orders")) ? 1 : 0;
            held += first.known().ci95().contains(POOL_LIMIT) ? 1 : 0;
        }
        assertThat(named).isGreaterThanOrEqualTo(490);
        assertThat(held).isGreaterThanOrEqualTo(450);
    }

    @Test
    void cpuIsSaturatedBeforeALargePool() {
        Headroom seen =
                of(
                        exact(
                                60,
                                i ->
                                        List.of(
                                                new PoolUse(
                                                        "http",
                                                        "Tomcat",
                                                        Traffic.HELD_S * perS(i),
                                                        200))));

        First first = seen.first().orElseThrow();
        assertThat(first.resource()).isEqualTo(Resource.CPU);
        assertThat(first.raise()).isEmpty();
        assertThat(first.maybe()).isEmpty();
        assertThat(((Known) seen.pools().getFirst().limit()).limitPerS())
                .isCloseTo(10_000, within(1e-3));
    }

    /// Both limits are 950 requests/s, measured with noise.
    @Test
    void resourcesWhoseIntervalsOverlapAreNamedTogether() {
        List<LoadWindow> windows =
                Traffic.of(4, 600, PoolHeadroomTest::rate, 0.1).cpuAndPool().stream()
                        .map(w ->
                                new LoadWindow(
                                        1,
                                        w.requests(),
                                        w.cores(),
                                        CORES,
                                        w.pools().stream()
                                                .map(p ->
                                                        new PoolUse(
                                                                "orders",
                                                                "HikariCP",
                                                                p.inUse(),
                                                                Traffic.HELD_S * LIMIT))
                                                .toList()))
                        .toList();

        First first = of(windows).first().orElseThrow();
        assertThat(first.maybe()).hasSize(1);
        assertThat(first.maybe()).doesNotContain(first.resource());
    }

    @Test
    void aPoolOfFewWindowsMayBeFirstAndHasNoLimit() {
        Headroom seen = of(exact(60, i -> i < 52 ? List.of() : List.of(orders(i))));

        PoolLimit pool = seen.pools().getFirst();
        assertThat(pool.limit()).isEqualTo(new Unknown(Reason.TOO_FEW_WINDOWS, Optional.of(60.0)));
        assertThat(seen.first().orElseThrow().maybe()).containsExactly(Resource.pool("orders"));
    }

    @Test
    void aPoolThatNoRequestUsesIsLeftOut() {
        Headroom seen = of(exact(60, _ -> List.of(new PoolUse("idle", "HikariCP", 0, 10))));

        assertThat(seen.pools()).isEmpty();
        assertThat(seen.first().orElseThrow().maybe()).isEmpty();
    }

    @Test
    void aPoolThatTheServiceNoLongerReportsIsLeftOut() {
        var gone = new PoolUse("gone", "HikariCP", 2, 10);
        Headroom seen = of(exact(60, i -> i < 50 ? List.of(gone, orders(i)) : List.of(orders(i))));

        assertThat(seen.pools()).extracting(PoolLimit::name).containsExactly("orders");
    }

    /// Two pools with the same name belong to two libraries.
    @Test
    void poolsOfOneNameDifferByTheirLibraries() {
        Headroom seen =
                of(
                        exact(
                                60,
                                i ->
                                        List.of(
                                                orders(i),
                                                new PoolUse(
                                                        "orders",
                                                        "executor",
                                                        2 * Traffic.HELD_S * perS(i),
                                                        Traffic.POOL))));

        assertThat(seen.pools())
                .extracting(PoolLimit::library)
                .containsExactly("executor", "HikariCP");
        assertThat(((Known) seen.pools().getFirst().limit()).limitPerS())
                .isCloseTo(POOL_LIMIT / 2, within(1e-6));
    }

    /// A single server held for 10 ms is an M/M/1 queue: R = D / (1 - ρ). R is 20 ms at ρ = 0.5, 50
    /// ms at 80 % of the limit and 100 ms at 90 %.
    @Test
    void responseTimesFollowTheOpenModel() {
        List<LoadWindow> windows = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            double perS = 40 + 10 * (i % 3);
            windows.add(
                    new LoadWindow(
                            5,
                            5 * perS,
                            1e-6 * perS,
                            CORES,
                            List.of(new PoolUse("one", "HikariCP", 0.01 * perS, 1))));
        }

        List<TimeAt> times = NaturalLoad.headroom(windows, Optional.of(20.0)).times();

        assertThat(times).extracting(TimeAt::share).containsExactly(0.8, 0.9);
        assertThat(times.getFirst().perS()).isCloseTo(80, within(1e-6));
        assertThat(times.getFirst().rtMs()).isCloseTo(50, within(1e-3));
        assertThat(times.getLast().rtMs()).isCloseTo(100, within(1e-3));
    }

    @Test
    void withoutAPresentResponseTimeThereIsNoneAtHigherLoad() {
        assertThat(of(exact(60, i -> List.of(orders(i)))).times()).isEmpty();
    }

    /// The present load is already 85 % of the limit, so only the response time at 90 % is
    /// predicted.
    @Test
    void noResponseTimeIsGivenForALoadBelowThePresentLoad() {
        List<LoadWindow> windows = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            double perS = 840 + 5 * (i % 5);
            windows.add(new LoadWindow(5, 5 * perS, perS / 500, CORES));
        }

        assertThat(NaturalLoad.headroom(windows, Optional.of(20.0)).times())
                .extracting(TimeAt::share)
                .containsExactly(0.9);
    }

    @ParameterizedTest
    @CsvSource({"-1, 5", "NaN, 5", "1, 0", "1, NaN", "1, Infinity", "Infinity, 5"})
    void impossibleUseOfAPoolIsRefused(double inUse, double size) {
        assertThatThrownBy(() -> new PoolUse("p", "HikariCP", inUse, size))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
