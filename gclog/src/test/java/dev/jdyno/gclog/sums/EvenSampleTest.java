package dev.jdyno.gclog.sums;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EvenSampleTest {
    private static final int MAX = 8;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 100, 1000, 4097})
    void valuesAreEvenlySpreadFromTheFirst(int count) {
        var sample = new EvenSample<Integer>(MAX);
        IntStream.range(0, count).forEach(sample::add);

        List<Integer> values = sample.values();

        assertThat(values).hasSize(Math.min(count, values.size()));
        assertThat(values.size()).isBetween(Math.min(count, MAX / 2), MAX);
        int step = values.size() < 2 ? 1 : values.get(1) - values.get(0);
        assertThat(step).isEqualTo(Integer.highestOneBit(step));
        assertThat(values)
                .isEqualTo(IntStream.range(0, values.size()).mapToObj(i -> i * step).toList());
        assertThat(count - 1).isLessThan(values.size() * step + (values.isEmpty() ? 1 : 0));
    }
}
