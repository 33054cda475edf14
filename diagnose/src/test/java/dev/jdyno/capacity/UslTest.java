package dev.jdyno.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.jdyno.measure.statistics.Interval;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class UslTest {
    private static final double[] N = {1, 2, 4, 8, 12, 16, 24, 32, 48, 64};

    private static List<Bounds.LoadPoint> points(
            double gamma, double sigma, double kappa, double noise) {
        var random = new SplittableRandom(7);
        return DoubleStream.of(N)
                .mapToObj(n -> {
                    double x = gamma * n / (1 + sigma * (n - 1) + kappa * n * (n - 1));
                    x *= Math.exp(noise * random.nextGaussian());
                    return new Bounds.LoadPoint(n, x, n / x * 1000);
                })
                .toList();
    }

    @Test
    void fitRecoversTheParametersOfExactPoints() {
        Usl usl = Usl.fit(points(900, 0.05, 0.0002, 0)).orElseThrow();

        assertThat(usl.gamma()).isCloseTo(900, withPercentage(0.1));
        assertThat(usl.sigma()).isCloseTo(0.05, withPercentage(0.5));
        assertThat(usl.kappa()).isCloseTo(0.0002, withPercentage(0.5));
        assertThat(usl.peak().orElseThrow()).isCloseTo(68.9, within(0.5));
        assertThat(usl.relativeError()).isLessThan(1e-6);
    }

    @Test
    void perfectScalingHasNoPeakWorthNaming() {
        Usl usl = Usl.fit(points(100, 0, 0, 0)).orElseThrow();

        assertThat(usl.sigma()).isLessThan(1e-6);
        assertThat(usl.peak().orElse(Double.MAX_VALUE)).isGreaterThan(10 * 64);
    }

    @Test
    void intervalCoversTruthUnderNoise() {
        var noisy = points(900, 0.05, 0.0002, 0.03);
        Usl usl = Usl.fit(noisy).orElseThrow();

        Interval sigma = usl.ci95(noisy, Usl::sigma, 1);

        assertThat(sigma.contains(0.05)).isTrue();
        assertThat(sigma.width()).isLessThan(0.05);
    }

    @Test
    void theCurveIsRefusedFarBeyondTheMeasuredRange() {
        Usl usl = Usl.fit(points(900, 0.05, 0.0002, 0)).orElseThrow();

        assertThat(usl.at(90)).isPositive();
        assertThatThrownBy(() -> usl.at(97)).hasMessageContaining("outside of");
    }

    @Test
    void threePointsAreTooFew() {
        assertThat(Usl.fit(points(900, 0.05, 0.0002, 0).subList(0, 3))).isEmpty();
    }

    @Test
    void rejectsModelRefutedByMeasurement() {
        assertThat(new Usl(100, 0.1, 0.001, 32, 0.05).isRefuted()).isFalse();
        assertThat(new Usl(100, 0.1, 0.001, 32, 0.2).isRefuted()).isTrue();
        assertThat(new Usl(100, 1.2, 0, 32, 0.01).isRefuted()).isTrue();
    }

    @Test
    void crosstalkBelowNumericalErrorIsIgnored() {
        assertThat(new Usl(100, 0.1, 5e-20, 32, 0.01).hasCrosstalk()).isFalse();
        assertThat(new Usl(100, 0.1, 0.001, 32, 0.01).hasCrosstalk()).isTrue();
    }

    /// Throughput is flat from the first load on. The fitted curve has a maximum, but the service
    /// has none.
    @Test
    void curveHasNoPeakIfThroughputDoesNotFall() {
        var usl = new Usl(100, 0.5, 0.0078, 32, 0.01);
        List<Bounds.LoadPoint> flat =
                List.of(
                        new Bounds.LoadPoint(1, 100, 10),
                        new Bounds.LoadPoint(8, 101, 80),
                        new Bounds.LoadPoint(32, 99, 320));
        List<Bounds.LoadPoint> falls =
                List.of(
                        new Bounds.LoadPoint(1, 100, 10),
                        new Bounds.LoadPoint(8, 150, 53),
                        new Bounds.LoadPoint(32, 90, 355));

        assertThat(usl.peak().orElseThrow()).isCloseTo(8, within(0.1));
        assertThat(usl.peakIn(flat)).isEmpty();
        assertThat(usl.peakIn(falls).orElseThrow()).isCloseTo(8, within(0.1));
    }
}
