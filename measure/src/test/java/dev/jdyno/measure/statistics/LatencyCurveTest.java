package dev.jdyno.measure.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LatencyCurveTest {
    private static final double ERROR = 0.001;

    private static LatencyCurve curve(int requests) {
        var nanos = new Histogram(3);
        for (int i = 1; i <= requests; i++) {
            nanos.recordValue(i * 1_000_000L);
        }
        return LatencyCurve.of(nanos);
    }

    /// Response times of 1 ms, 2 ms, … n ms. For a share of q, the quantile is at most q · n ms.
    @Test
    void quantilesEndAtSlowestRequest() {
        List<LatencyCurve.Quantile> quantiles = curve(1000).quantiles();

        assertThat(quantiles)
                .allSatisfy(q ->
                        assertThat(q.ms()).isBetween(1000 * q.share() - 2, 1000 * q.share() + 2));
        assertThat(quantiles.getFirst().share()).isZero();
        assertThat(quantiles.getLast())
                .isEqualTo(new LatencyCurve.Quantile(1, quantiles.getLast().ms()));
        assertThat(quantiles.get(quantiles.size() - 2).share()).isLessThanOrEqualTo(0.999);
        assertThat(quantiles).extracting(LatencyCurve.Quantile::ms).isSorted();
        assertThat(quantiles.stream().anyMatch(q -> Math.abs(q.share() - 0.5) < 1e-9)).isTrue();
    }

    @Test
    void binsCoverAllRequestsWithEqualLogarithmicWidth() {
        List<LatencyCurve.Bin> bins = curve(1000).bins();

        assertThat(bins.stream().mapToLong(LatencyCurve.Bin::count).sum()).isEqualTo(1000);
        assertThat(bins)
                .allSatisfy(b ->
                        assertThat(b.toMs() / b.fromMs())
                                .isCloseTo(Math.pow(2, 0.25), within(1e-9)));
        for (LatencyCurve.Bin b : bins) {
            double expected = Math.ceil(Math.min(1001, b.toMs())) - Math.ceil(b.fromMs());
            assertThat((double) b.count()).isCloseTo(expected, within(1 + ERROR * b.toMs()));
        }
    }

    @Test
    void curveBarelyGrowsWithNumberOfRequests() {
        assertThat(curve(100_000).quantiles().size())
                .isLessThan(2 * curve(1000).quantiles().size());
    }

    @Test
    void singleRequestHasOneBinAndTwoQuantiles() {
        var curve = curve(1);

        assertThat(curve.bins()).hasSize(1);
        assertThat(curve.quantiles())
                .extracting(LatencyCurve.Quantile::share)
                .containsExactly(0.0, 1.0);
    }
}
