package dev.jdyno.heapmodel.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecentValuesTest {
    /// Running sums must equal the sums over all values.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 100})
    void matchesCalculationFromAllValues(int max) {
        var random = new Random(max);
        var recent = new RecentValues(max);
        List<Double> all = new ArrayList<>();
        for (int i = 0; i < 350; i++) {
            double value = 1000 * random.nextDouble();
            recent.add(value);
            all.add(value);
            List<Double> last = all.subList(Math.max(0, all.size() - max), all.size());

            double mean = last.stream().mapToDouble(v -> v).average().orElseThrow();
            double variance =
                    last.stream().mapToDouble(v -> (v - mean) * (v - mean)).average().orElseThrow();
            assertThat(recent.mean()).isCloseTo(mean, offset(1e-6));
            assertThat(recent.deviation()).isCloseTo(Math.sqrt(variance), offset(1e-3));
            assertThat(recent.predicted()).isCloseTo(line(last), offset(1e-5));
        }
    }

    private static double line(List<Double> values) {
        int n = values.size();
        double middle = (n - 1) / 2.0;
        double mean = values.stream().mapToDouble(v -> v).average().orElseThrow();
        double both = 0;
        double spread = 0;
        for (int i = 0; i < n; i++) {
            both += (i - middle) * (values.get(i) - mean);
            spread += (i - middle) * (i - middle);
        }
        return n < 2 ? mean : mean + both / spread * (n - middle);
    }

    @Test
    void nextValueOfALineIsExtrapolated() {
        var recent = new RecentValues(10);
        for (int i = 0; i < 25; i++) {
            recent.add(5 + 3.0 * i);
        }

        assertThat(recent.predicted()).isCloseTo(5 + 3.0 * 25, offset(1e-9));
    }

    @Test
    void resultIsEmptyBeforeTheFirstValue() {
        var recent = new RecentValues(4);
        assertThat(recent.isEmpty()).isTrue();
        recent.add(1);
        assertThat(recent.isEmpty()).isFalse();
    }
}
