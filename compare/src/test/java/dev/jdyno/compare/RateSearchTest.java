package dev.jdyno.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RateSearchTest {
    private static final double MAX = 1000;

    /// A single-server queue. A request that is alone takes 1 ms, and the response time grows
    /// without limit at saturation.
    private static double p99(double rate) {
        return rate >= MAX ? Double.POSITIVE_INFINITY : 5 / (1 - rate / MAX);
    }

    private static RateSearch searched(double limitMs) {
        var search = new RateSearch(MAX, limitMs);
        for (int i = 0; i < RateSearch.BLOCKS; i++) {
            search.measured(p99(search.next()));
        }
        return search;
    }

    @ParameterizedTest
    @ValueSource(doubles = {8, 12, 25, 50, 100})
    void findsRateWithinFewPercent(double limitMs) {
        double truth = MAX * (1 - 5 / limitMs);

        assertThat(searched(limitMs).rate().orElseThrow()).isCloseTo(truth, within(0.06 * truth));
    }

    @Test
    void limitThatNoRateKeepsGivesNoRate() {
        assertThat(searched(4).rate()).isEmpty();
    }

    @Test
    void limitThatEveryRateKeepsGivesHighestRate() {
        var search = new RateSearch(MAX, 10);
        double highest = 0;
        for (int i = 0; i < RateSearch.BLOCKS; i++) {
            highest = search.next();
            search.measured(1);
        }

        assertThat(search.rate().orElseThrow()).isEqualTo(highest);
        assertThat(highest).isGreaterThan(MAX);
    }
}
