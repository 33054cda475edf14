package dev.jdyno.capacity.headroom;

import static dev.jdyno.capacity.headroom.Traffic.BASE;
import static dev.jdyno.capacity.headroom.Traffic.CORES;
import static dev.jdyno.capacity.headroom.Traffic.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.verdict.Headroom;
import dev.jdyno.measure.verdict.Headroom.Known;
import dev.jdyno.measure.verdict.Headroom.Limit;
import dev.jdyno.measure.verdict.Headroom.Reason;
import dev.jdyno.measure.verdict.Headroom.Unknown;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The CPU limit estimated from simulated traffic with a known limit.
class NaturalLoadTest {
    private static final int SERIES = 500;

    private static Limit cpu(List<LoadWindow> windows) {
        return NaturalLoad.headroom(windows, Optional.empty()).cpu();
    }

    private static Known known(List<LoadWindow> windows) {
        return (Known) cpu(windows);
    }

    @Test
    void recoversLawExactlyWithoutNoise() {
        Known known = known(Traffic.of(1, 300, Traffic::swing, 0).cpu());

        assertThat(known.limitPerS()).isCloseTo(LIMIT, within(1e-6));
        assertThat(known.demandMs()).isCloseTo(2, within(1e-9));
        assertThat(known.base()).isCloseTo(BASE, within(1e-9));
        assertThat(known.ci95().contains(LIMIT) || known.ci95().width() < 1e-6).isTrue();
        assertThat(known.timesBusiest()).isBetween(1.5, 1.8);
        assertThat(known.timesNow()).isBetween(2.0, 2.8);
        assertThat(known.windows()).isEqualTo(60);
    }

    /// The readings at both ends of a window are late by different times.
    @Test
    void windowsThatAreALittleShorterAreNotJoined() {
        List<LoadWindow> windows = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            double seconds = i % 2 == 0 ? 4.99 : 5.01;
            double perS = 100 + 10 * (i % 20);
            windows.add(new LoadWindow(seconds, perS * seconds, BASE + 0.002 * perS, CORES));
        }

        assertThat(known(windows).windows()).isEqualTo(60);
    }

    /// A proxy on the same machine takes 0.5 ms of CPU a request, so the limit is (2 - 0.1) /
    /// 0.0025.
    @Test
    void neighboursThatFollowTrafficLowerLimit() {
        List<LoadWindow> windows = behindProxy(Traffic.of(1, 300, Traffic::swing, 0).cpu(), 0.0005);

        assertThat(known(windows).limitPerS()).isCloseTo(760, within(1e-6));
        assertThat(known(windows).demandMs()).isCloseTo(2, within(1e-9));
    }

    /// Share of the given intervals that contain the true limit. In most series of 90 s, the
    /// windows are too few for an interval that is narrow enough to be given.
    ///
    /// @param min minimum number of series with an interval
    @ParameterizedTest
    @CsvSource({
        "300, 0.05, 0, 450",
        "300, 0.1, 0, 450",
        "300, 0.2, 0, 250",
        "300, 0.1, 0.03, 450",
        "90, 0.1, 0, 50",
        "600, 0.2, 0, 450"
    })
    void intervalCoversLimit(int seconds, double noise, double outliers, int min) {
        int given = 0;
        int held = 0;
        for (int seed = 0; seed < SERIES; seed++) {
            Limit limit =
                    cpu(
                            Traffic.of(seed, seconds, Traffic::swing, noise)
                                    .withOutliers(outliers)
                                    .cpu());
            if (limit instanceof Known k) {
                given++;
                held += k.ci95().contains(LIMIT) ? 1 : 0;
            }
        }
        assertThat(given).isGreaterThanOrEqualTo(min);
        assertThat(held).isGreaterThanOrEqualTo((int) (0.9 * given));
    }

    /// In one of twenty windows, a collection uses another core.
    @Test
    void outliersDoNotChangeLine() {
        List<LoadWindow> windows = new ArrayList<>(Traffic.of(3, 600, Traffic::swing, 0.05).cpu());
        for (int s = 7; s < 600; s += 100) {
            LoadWindow w = windows.get(s);
            windows.set(s, new LoadWindow(1, w.requests(), CORES, CORES));
        }

        assertThat(known(windows).limitPerS()).isCloseTo(LIMIT, within(0.1 * LIMIT));
    }

    @Test
    void trafficThatDoesNotVaryGivesNoLimit() {
        Limit flat = cpu(Traffic.of(5, 120, _ -> 400, 0.2).cpu());

        assertThat(flat).isInstanceOf(Unknown.class);
        assertThat(((Unknown) flat).reason()).isEqualTo(Reason.TOO_LITTLE_VARIATION);
    }

    /// 400 requests/s use 0.9 cores of 2. If all of that were the requests', the limit would be
    /// 889. A proxy's use at 400 requests/s says nothing of its use at more.
    ///
    /// @param proxyS CPU time of a proxy on the same machine for each request
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.0005, 0.002})
    void evenTrafficHasALowerBoundByItsMeanUse(double proxyS) {
        double limit = (CORES - BASE) / (Traffic.DEMAND_S + proxyS);
        int given = 0;
        int below = 0;
        for (int seed = 0; seed < SERIES / 3; seed++) {
            List<LoadWindow> even = Traffic.of(seed, 75, _ -> 400, 0.2).cpu();
            if (cpu(behindProxy(even, proxyS)) instanceof Unknown u) {
                double perS = u.atLeastPerS().orElseThrow();
                given++;
                assertThat(perS).as("seed %d", seed).isBetween(0.56 * limit, 1.4 * limit);
                double busiest = even.stream().mapToDouble(LoadWindow::perS).max().orElseThrow();
                below += perS * ResourceUse.GROWTH <= limit || perS <= busiest ? 1 : 0;
                assertThat(u.atLeast().orElseThrow().timesNow())
                        .isCloseTo(perS / 400, within(0.1 * perS / 400));
            }
        }
        assertThat(given).isGreaterThanOrEqualTo(SERIES / 6);
        assertThat(below).isGreaterThanOrEqualTo((int) (0.95 * given));
    }

    private static List<LoadWindow> behindProxy(List<LoadWindow> windows, double proxyS) {
        return windows.stream()
                .map(w ->
                        new LoadWindow(
                                w.seconds(),
                                w.requests(),
                                w.cores(),
                                Math.max(w.cores(), CORES - proxyS * w.perS()),
                                Optional.of(CORES),
                                w.pools(),
                                w.disks(),
                                w.endpoints()))
                .toList();
    }

    /// Other processes leave 0.1 cores of one. So the mean use gives a bound of 278 requests/s, but
    /// 600 were served.
    @Test
    void boundIsAtLeastTrafficThatWasServed() {
        var use = new ResourceUse();
        for (int i = 0; i < 10; i++) {
            double perS = i % 2 == 0 ? 100 : 600;
            double cores = 0.0005 * perS;
            use.add(
                    new LoadWindow(5, 5 * perS, cores, cores),
                    cores,
                    cores + 0.1,
                    Optional.of(1.0));
        }

        assertThat(((Unknown) use.limit(5)).atLeastPerS()).contains(600.0);
    }

    /// A request takes 0.5 ms of one core, so the limit is 2000 requests/s. The free cores scatter,
    /// whatever the traffic is: their line reaches much farther.
    @Test
    void boundNeedsNoMoreThanAllCores() {
        for (int seed = 0; seed < 30; seed++) {
            Random random = new Random(seed);
            var use = new ResourceUse();
            for (int i = 0; i < 48; i++) {
                double perS = 100 + 125 * (i % 5);
                double cores = 0.0005 * perS;
                double free = 0.05 + 0.1 * random.nextDouble();
                use.add(
                        new LoadWindow(5, 5 * perS, cores, cores),
                        cores,
                        cores + free,
                        Optional.of(1.0));
            }

            var unknown = (Unknown) use.limit(5);

            assertThat(unknown.reason()).isEqualTo(Reason.TOO_MUCH_SCATTER);
            assertThat(unknown.atLeastPerS().orElse(600.0)).isBetween(600.0, 2000.0);
        }
    }

    /// Without the cores of other processes, the use as a whole is unknown.
    @Test
    void unknownCoresGiveNoLowerBoundByMeanUse() {
        LoadWindow even = new LoadWindow(5, 2000, 0.9, 1.2);
        var unknown =
                new LoadWindow(5, 2000, 0.9, 1.2, Optional.empty(), List.of(), List.of(), Map.of());

        assertThat(((Unknown) cpu(Collections.nCopies(60, even))).atLeastPerS()).isPresent();
        assertThat(((Unknown) cpu(Collections.nCopies(60, unknown))).atLeastPerS()).isEmpty();
    }

    @Test
    void trafficThatIsExactlyEvenGivesNoLimitAndNoTime() {
        List<LoadWindow> even = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            even.add(new LoadWindow(5, 0.1 * 3 * 700, 0.3 + 0.01 * (i % 3), CORES));
        }

        assertThat(cpu(even))
                .isInstanceOfSatisfying(
                        Unknown.class,
                        u -> {
                            assertThat(u.reason()).isEqualTo(Reason.TOO_LITTLE_VARIATION);
                            assertThat(u.watchS()).isEmpty();
                            assertThat(u.atLeastPerS()).isPresent();
                        });
    }

    /// Most series that are observed for 1.5 times the advised duration have a limit.
    @Test
    void theAdvisedTimeToWatchIsEnough() {
        int advised = 0;
        int enough = 0;
        for (int seed = 0; seed < 60; seed++) {
            if (cpu(little(seed, 120, 0.14)) instanceof Unknown(_, Optional<Double> watchS, _)
                    && watchS.filter(s -> s < 4000).isPresent()) {
                advised++;
                Limit longer = cpu(little(seed + 1000, (int) (1.5 * watchS.get()), 0.14));
                enough += longer instanceof Known ? 1 : 0;
            }
        }
        assertThat(advised).isGreaterThanOrEqualTo(10);
        assertThat(enough).isGreaterThanOrEqualTo((int) (0.6 * advised));
    }

    /// Traffic that varies by 6 % around its mean.
    private static List<LoadWindow> little(long seed, int seconds, double noise) {
        return Traffic.of(seed, seconds, s -> 400 * (1 + 0.06 * Math.sin(s / 9.0)), noise).cpu();
    }

    /// The interval is wider for a limit far above the present load.
    @Test
    void intervalWidensWithDistanceOfLimit() {
        Known near = known(Traffic.of(7, 600, Traffic::swing, 0.1).cpu());
        Known far = known(Traffic.of(7, 600, s -> Traffic.swing(s) / 4, 0.1).cpu());

        assertThat(far.halfWidth()).isGreaterThan(near.halfWidth());
        assertThat(far.highestUtilisation()).isLessThan(near.highestUtilisation());
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "44, 0", "30, 5"})
    void aFewWindowsAreNotEnough(int seconds, double noise) {
        assertThat(cpu(Traffic.of(1, seconds, Traffic::swing, noise).cpu()))
                .isEqualTo(new Unknown(Reason.TOO_FEW_WINDOWS, Optional.of(60.0)));
    }

    /// A minute less the time for thread dumps.
    @ParameterizedTest
    @ValueSource(ints = {45, 48, 59})
    void windowsTooFewForLimitHaveLowerBound(int seconds) {
        double limit = (CORES - BASE) / Traffic.DEMAND_S;
        for (int seed = 0; seed < 100; seed++) {
            var few = (Unknown) cpu(Traffic.of(seed, seconds, _ -> 400, 0.2).cpu());
            assertThat(few.reason()).isEqualTo(Reason.TOO_FEW_WINDOWS);
            assertThat(few.watchS()).contains(60.0);
            assertThat(few.atLeastPerS().orElseThrow())
                    .as("seed %d", seed)
                    .isBetween(0.35 * limit, limit / ResourceUse.GROWTH);
        }
    }

    /// The CPU belongs to work that is independent of requests, so requests have no CPU limit. Many
    /// resamples give a falling line, which never reaches the available CPU.
    @Test
    void cpuThatDoesNotFollowTheRequestsGivesNoLimit() {
        for (int seed = 0; seed < 60; seed++) {
            List<LoadWindow> windows = new ArrayList<>();
            Random random = new Random(seed);
            for (int s = 0; s < 120; s++) {
                windows.add(
                        new LoadWindow(
                                1, Traffic.swing(s), 0.5 + 0.4 * random.nextDouble(), CORES));
            }

            assertThat(cpu(windows)).as("seed %d", seed).isInstanceOf(Unknown.class);
        }
    }

    /// If the limit is unknown, its interval still has a lower end.
    @Test
    void anUnknownLimitIsAtLeastTheLowerEnd() {
        int given = 0;
        int above = 0;
        for (int seed = 0; seed < 60; seed++) {
            if (cpu(little(seed, 120, 0.2)) instanceof Unknown u && u.atLeastPerS().isPresent()) {
                given++;
                above += u.atLeastPerS().get() * ResourceUse.GROWTH <= LIMIT ? 1 : 0;
            }
        }
        assertThat(given).isGreaterThanOrEqualTo(30);
        assertThat(above).isGreaterThanOrEqualTo((int) (0.9 * given));
    }

    @Test
    void missingWindowsMeanUncountedRequests() {
        assertThat(NaturalLoad.headroom(List.of(), Optional.of(3.0)))
                .isEqualTo(
                        new Headroom(
                                new Unknown(Reason.NO_THROUGHPUT, Optional.empty()),
                                List.of(),
                                Optional.empty(),
                                List.of()));
    }

    @Test
    void noRequestsGiveNoLimit() {
        assertThat(cpu(Traffic.of(1, 100, _ -> 0, 0.1).cpu())).isInstanceOf(Unknown.class);
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 1, 2", "1, -1, 1, 2", "1, 1, 2.1, 2", "1, NaN, 1, 2"})
    void refusesImpossibleWindow(double s, double requests, double cores, double available) {
        assertThatThrownBy(() -> new LoadWindow(s, requests, cores, available))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
