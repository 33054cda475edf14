package dev.jdyno.capacity.headroom;

import static dev.jdyno.capacity.headroom.MixedTraffic.THREE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.verdict.Headroom;
import dev.jdyno.measure.verdict.Headroom.BusiestMix;
import dev.jdyno.measure.verdict.Headroom.EndpointDemand;
import dev.jdyno.measure.verdict.Headroom.Known;
import dev.jdyno.measure.verdict.Headroom.Mix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// CPU demands of endpoints estimated from simulated traffic with known demands.
class MixedCpuTest {
    private static MixedTraffic day(long seed, double noise) {
        return new MixedTraffic(seed, 600, MixedTraffic::varying, THREE, noise);
    }

    private static Headroom headroom(List<LoadWindow> windows) {
        return NaturalLoad.headroom(windows, Optional.empty());
    }

    private static Optional<Mix> mix(List<LoadWindow> windows) {
        return headroom(windows).mix();
    }

    @Test
    void demandsAreExactWithoutNoise() {
        MixedTraffic day = day(1, 0);
        Headroom headroom = headroom(day.windows());

        List<EndpointDemand> classes = headroom.mix().orElseThrow().classes();
        assertThat(classes)
                .extracting(c -> c.endpoint().orElseThrow())
                .containsExactly("e0", "e1", "e2");
        for (int c = 0; c < 3; c++) {
            assertThat(classes.get(c).cpuMs()).isCloseTo(THREE[c], within(1e-6));
            assertThat(classes.get(c).cpuCi95().width()).isLessThan(1e-6);
        }
        assertThat(classes.stream().mapToDouble(EndpointDemand::share).sum())
                .isCloseTo(1, within(1e-9));
        Known cpu = (Known) headroom.cpu();
        assertThat(cpu.limitPerS()).isCloseTo(day.limitPerS(day.windows()), within(1e-3));
        assertThat(cpu.base()).isCloseTo(MixedTraffic.BASE, within(1e-6));
        assertThat(cpu.windows()).isEqualTo(120);
        assertThat(headroom.first().orElseThrow().known()).isEqualTo(cpu);
    }

    /// In 200 simulated days, at least 90 % of the intervals contain the true value.
    @Tag("full") // fits 200 days
    @ParameterizedTest
    @ValueSource(doubles = {0.05, 0.1})
    void intervalsCoverLimitAndDemands(double noise) {
        int given = 0;
        int limit = 0;
        int[] demand = new int[3];
        for (int seed = 0; seed < 200; seed++) {
            MixedTraffic day = day(seed, noise);
            List<LoadWindow> windows = day.windows();
            Headroom headroom = headroom(windows);
            if (headroom.mix().filter(m -> m.classes().size() == 3).isPresent()) {
                given++;
                limit += contains((Known) headroom.cpu(), day.limitPerS(windows));
                List<EndpointDemand> classes = headroom.mix().get().classes();
                for (int c = 0; c < 3; c++) {
                    demand[c] += classes.get(c).cpuCi95().contains(THREE[c]) ? 1 : 0;
                }
            }
        }
        assertThat(given).isGreaterThanOrEqualTo(190);
        assertThat(limit).isGreaterThanOrEqualTo((int) (0.9 * given));
        for (int held : demand) {
            assertThat(held).isGreaterThanOrEqualTo((int) (0.9 * given));
        }
    }

    private static int contains(Known cpu, double limitPerS) {
        return cpu.ci95().contains(limitPerS) ? 1 : 0;
    }

    @Test
    void constantMixHasOneDemand() {
        for (int seed = 0; seed < 20; seed++) {
            var even = new MixedTraffic(seed, 600, MixedTraffic::constant, THREE, 0.05);
            List<LoadWindow> windows = even.windows();
            Headroom headroom = headroom(windows);

            assertThat(headroom.mix()).as("seed %d", seed).isEmpty();
            assertThat(headroom.cpu()).isInstanceOf(Known.class);
        }
    }

    @Test
    void equalDemandsAreOneDemand() {
        int mixed = 0;
        for (int seed = 0; seed < 50; seed++) {
            double[] equal = {3, 3, 3};
            var day = new MixedTraffic(seed, 600, MixedTraffic::varying, equal, 0.1);
            mixed += mix(day.windows()).isPresent() ? 1 : 0;
        }
        assertThat(mixed).isLessThanOrEqualTo(1);
    }

    /// 30 endpoints, of which the 6 busiest have classes of their own.
    @Test
    void rareEndpointsAreOneClass() {
        double[] demands = new double[30];
        Arrays.setAll(demands, e -> e < 6 ? 1 + e : 10);
        var day =
                new MixedTraffic(
                        3,
                        1200,
                        s -> {
                            double[] rates = new double[30];
                            Arrays.setAll(
                                    rates,
                                    e -> {
                                        double wave = Math.sin(s / (17.0 + 7 * e) + e);
                                        return (e < 6 ? 60 - 5 * e : 1) * (1 + 0.6 * wave);
                                    });
                            return rates;
                        },
                        demands,
                        0.02);

        List<EndpointDemand> classes = mix(day.windows()).orElseThrow().classes();

        assertThat(classes).hasSize(7);
        assertThat(classes.subList(0, 6))
                .extracting(c -> c.endpoint().orElseThrow())
                .containsExactly("e0", "e1", "e2", "e3", "e4", "e5");
        assertThat(classes.getLast().endpoint()).isEmpty();
        assertThat(classes.getLast().cpuCi95().contains(10)).isTrue();
        assertThat(classes.getFirst().cpuMs()).isCloseTo(1, within(0.3));
    }

    /// Each page of `e1` also requests `e2`, so their demands cannot be separated. Both together
    /// take 10 ms.
    @Test
    void endpointsThatAreAlwaysRequestedTogetherAreNotSeparated() {
        List<LoadWindow> together = new ArrayList<>();
        for (LoadWindow w : day(4, 0.02).windows()) {
            double single = w.endpoints().getOrDefault("e0", 0.0);
            double page = w.endpoints().getOrDefault("e1", 0.0);
            together.add(
                    new LoadWindow(
                            1,
                            single + 2 * page,
                            MixedTraffic.BASE + 0.001 * single + 0.01 * page,
                            MixedTraffic.CORES,
                            Optional.of(MixedTraffic.CORES),
                            List.of(),
                            List.of(),
                            Map.of("e0", single, "e1", page, "e2", page)));
        }

        List<EndpointDemand> classes = mix(together).orElseThrow().classes();
        assertThat(classes).hasSize(2);
        assertThat(classes.getFirst().endpoint()).contains("e0");
        assertThat(classes.getFirst().cpuMs()).isCloseTo(1, within(1e-6));
        assertThat(classes.getLast().endpoint()).isEmpty();
        assertThat(classes.getLast().cpuMs()).isCloseTo(5, within(1e-6));
    }

    /// In one minute, the traffic is highest and has seven times the usual share of `e2`.
    @Test
    void mixOfTheBusiestMinuteHasItsOwnLimit() {
        var day =
                new MixedTraffic(
                        5,
                        600,
                        s ->
                                s >= 300 && s < 360
                                        ? new double[] {400, 100, 100}
                                        : MixedTraffic.varying(s),
                        THREE,
                        0.03);
        List<LoadWindow> windows = day.windows();
        Headroom headroom = headroom(windows);

        BusiestMix busiest = headroom.mix().orElseThrow().busiest().orElseThrow();
        double there = day.limitPerS(windows.subList(300, 360));
        assertThat(busiest.limitPerS()).isCloseTo(there, within(0.1 * there));
        assertThat(busiest.perS()).isCloseTo(600, within(30.0));
        assertThat(busiest.limitPerS()).isLessThan(((Known) headroom.cpu()).ci95().lo());
        assertThat(headroom.mix().get().classes().get(2).busiestShare())
                .isCloseTo(1 / 6.0, within(0.02));
    }

    @Test
    void usualMixInTheBusiestMinuteHasNoLimitOfItsOwn() {
        var day =
                new MixedTraffic(
                        6,
                        600,
                        s -> {
                            double[] rates = MixedTraffic.varying(s);
                            return s >= 300 && s < 360
                                    ? MixedTraffic.constant(50)
                                    : Arrays.stream(rates).map(x -> x * 0.8).toArray();
                        },
                        THREE,
                        0.2);

        assertThat(mix(day.windows()).orElseThrow().busiest()).isEmpty();
    }

    /// 3 classes and the base need 40 windows, 2 classes 30.
    @Test
    void fewWindowsHaveOneDemand() {
        assertThat(mix(day(7, 0.02).windows().subList(0, 145))).isEmpty();
        assertThat(mix(day(7, 0.02).windows().subList(0, 250)).orElseThrow().classes()).hasSize(3);
    }

    @Test
    void windowsWithoutEndpointsHaveOneDemand() {
        List<LoadWindow> windows = new ArrayList<>(day(8, 0.02).windows());
        for (int s = 100; s < 105; s++) {
            LoadWindow w = windows.get(s);
            windows.set(s, new LoadWindow(1, w.requests(), w.cores(), w.availableCores()));
        }

        assertThat(mix(windows)).isEmpty();
        assertThat(mix(new Traffic(1, 600, Traffic::swing, 0.05, 0).cpu())).isEmpty();
    }

    @Test
    void idleServiceHasNoMix() {
        double[] none = {0, 0, 0};

        assertThat(mix(new MixedTraffic(9, 600, _ -> none, THREE, 0.1).windows())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY})
    void impossibleRequestsOfAnEndpointAreRefused(double requests) {
        assertThatThrownBy(() ->
                        new LoadWindow(
                                1,
                                1,
                                1,
                                2,
                                Optional.of(2.0),
                                List.of(),
                                List.of(),
                                Map.of("e0", requests)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
