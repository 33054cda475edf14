package dev.jdyno.capacity.headroom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.verdict.Headroom;
import dev.jdyno.measure.verdict.Headroom.Known;
import dev.jdyno.measure.verdict.Headroom.Reason;
import dev.jdyno.measure.verdict.Headroom.Unknown;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Traffic with a known demand: 2 ms of CPU a request, 0.1 cores without requests, 2 cores, so 950
/// requests/s are the limit.
class NaturalLoadTest {
    private static final double DEMAND_S = 0.002;
    private static final double BASE = 0.1;
    private static final double CORES = 2;
    private static final double LIMIT = (CORES - BASE) / DEMAND_S;

    /// A day in five minutes: the load swings by 40 % around its mean.
    private static double swing(int second) {
        return 400 * (1 + 0.4 * Math.sin(second / 40.0));
    }

    /// @param noise of a second's CPU, as a share
    private static List<LoadWindow> traffic(
            long seed, int seconds, IntToDoubleFunction rate, double noise) {
        Random random = new Random(seed);
        List<LoadWindow> windows = new ArrayList<>();
        for (int s = 0; s < seconds; s++) {
            double mean = rate.applyAsDouble(s);
            double requests = Math.max(0, mean + Math.sqrt(mean) * random.nextGaussian());
            double cores =
                    Math.clamp(
                            (BASE + DEMAND_S * requests) * (1 + noise * random.nextGaussian()),
                            0,
                            CORES);
            windows.add(new LoadWindow(1, requests, cores, CORES));
        }
        return windows;
    }

    private static Known known(List<LoadWindow> windows) {
        return (Known) NaturalLoad.headroom(windows);
    }

    @Test
    void withoutNoiseTheLawIsFoundExactly() {
        Known known = known(traffic(1, 300, NaturalLoadTest::swing, 0));

        assertThat(known.limitPerS()).isCloseTo(LIMIT, within(1e-6));
        assertThat(known.demandMs()).isCloseTo(2, within(1e-9));
        assertThat(known.baseCores()).isCloseTo(BASE, within(1e-9));
        assertThat(known.ci95().contains(LIMIT) || known.ci95().width() < 1e-6).isTrue();
        assertThat(known.timesBusiest()).isBetween(1.5, 1.8);
        assertThat(known.windows()).isEqualTo(60);
    }

    /// A proxy on the same machine takes 0.5 ms of CPU a request: (2 - 0.1) / 0.0025 is the limit.
    @Test
    void otherProcessesThatFollowTheTrafficLowerTheLimit() {
        List<LoadWindow> windows =
                traffic(1, 300, NaturalLoadTest::swing, 0).stream()
                        .map(w ->
                                new LoadWindow(
                                        1, w.requests(), w.cores(), CORES - 0.0005 * w.requests()))
                        .toList();

        assertThat(known(windows).limitPerS()).isCloseTo(760, within(1e-6));
        assertThat(known(windows).demandMs()).isCloseTo(2, within(1e-9));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.05, 0.1, 0.2})
    void theIntervalHoldsTheLimit(double noise) {
        int held = 0;
        for (int seed = 0; seed < 100; seed++) {
            if (NaturalLoad.headroom(traffic(seed, 600, NaturalLoadTest::swing, noise))
                            instanceof Known k
                    && k.ci95().contains(LIMIT)) {
                held++;
            }
        }
        assertThat(held).isGreaterThanOrEqualTo(85);
    }

    /// In one of twenty seconds a collection takes another core.
    @Test
    void windowsThatLieFarOffDoNotPullTheLine() {
        List<LoadWindow> windows = traffic(3, 600, NaturalLoadTest::swing, 0.05);
        for (int s = 7; s < 600; s += 100) {
            LoadWindow w = windows.get(s);
            windows.set(s, new LoadWindow(1, w.requests(), CORES, CORES));
        }

        assertThat(known(windows).limitPerS()).isCloseTo(LIMIT, within(0.1 * LIMIT));
    }

    @Test
    void trafficThatDoesNotVaryGivesNoLimitAndSaysHowLongToWatch() {
        Headroom flat = NaturalLoad.headroom(traffic(5, 120, _ -> 400, 0.2));

        assertThat(flat).isInstanceOf(Unknown.class);
        assertThat(((Unknown) flat).reason()).isEqualTo(Reason.TOO_LITTLE_VARIATION);
    }

    /// A limit far above the load is known less well than one that is near.
    @Test
    void theIntervalIsWiderWhereTheLimitIsFarther() {
        Known near = known(traffic(7, 600, NaturalLoadTest::swing, 0.1));
        Known far = known(traffic(7, 600, s -> swing(s) / 4, 0.1));

        assertThat(far.halfWidth()).isGreaterThan(near.halfWidth());
        assertThat(far.highestUtilisation()).isLessThan(near.highestUtilisation());
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "59, 0", "30, 5"})
    void aFewWindowsAreNotEnough(int seconds, double noise) {
        assertThat(NaturalLoad.headroom(traffic(1, seconds, NaturalLoadTest::swing, noise)))
                .isEqualTo(new Unknown(Reason.TOO_FEW_WINDOWS, Optional.of(60.0)));
    }

    /// A service whose CPU is that of other work has no limit by its requests.
    @Test
    void cpuThatDoesNotFollowTheRequestsGivesNoLimit() {
        List<LoadWindow> windows = new ArrayList<>();
        Random random = new Random(11);
        for (int s = 0; s < 600; s++) {
            windows.add(new LoadWindow(1, swing(s), 0.5 + 0.2 * random.nextDouble(), CORES));
        }

        assertThat(NaturalLoad.headroom(windows)).isInstanceOf(Unknown.class);
    }

    @Test
    void withoutWindowsRequestsWereNotCounted() {
        assertThat(NaturalLoad.headroom(List.of()))
                .isEqualTo(new Unknown(Reason.NO_THROUGHPUT, Optional.empty()));
    }

    @Test
    void noRequestAtAllGivesNoLimit() {
        assertThat(NaturalLoad.headroom(traffic(1, 100, _ -> 0, 0.1))).isInstanceOf(Unknown.class);
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 1, 2", "1, -1, 1, 2", "1, 1, 2.1, 2", "1, NaN, 1, 2"})
    void aWindowThatCannotBeIsRefused(double s, double requests, double cores, double available) {
        assertThatThrownBy(() -> new LoadWindow(s, requests, cores, available))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
