package dev.jdyno.observe.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlightTotalTest {
    private static final Instant START = Instant.parse("2026-11-29T17:30:00Z");

    /// @param numbers one a second
    private static FlightTotal of(String numbers) {
        var total = new FlightTotal();
        String[] each = numbers.isEmpty() ? new String[0] : numbers.split(" ");
        for (int s = 0; s < each.length; s++) {
            total.add(START.plusSeconds(s), Double.parseDouble(each[s]));
        }
        return total;
    }

    private static Optional<Double> lasting(FlightTotal total) {
        return total.lastingPerS(START, START.plusSeconds(60));
    }

    private static Optional<Double> mean(FlightTotal total) {
        return total.perS(START, START.plusSeconds(60));
    }

    @ParameterizedTest
    @CsvSource({
        // in each second
        "1000 1100 1200 1300 1400, 100, 100",
        // classes of a start-up
        "1000 9000 9000 9000 9000, 2000, 0",
        // classes of a first request at the end
        "1000 1000 1000 1000 1200, 50, 0",
        // more in one half than in the other
        "1000 1100 1200 1600 2000, 250, 100",
        // an odd number of intervals: the middle sample is the later one
        "0 10 20 50, 16.666666666666668, 10",
        "1000 1000 1000, 0, 0"
    })
    void lastingGrowthIsThatOfTheSlowerHalf(String numbers, double mean, double lasting) {
        assertThat(mean(of(numbers))).contains(mean);
        assertThat(lasting(of(numbers))).contains(lasting);
    }

    @ParameterizedTest
    @CsvSource({"''", "1000", "1000 1100"})
    void twoSamplesHaveNoLastingGrowth(String numbers) {
        assertThat(lasting(of(numbers))).isEmpty();
    }

    /// A total that falls is not of one JVM.
    @Test
    void fallingTotalHasNoGrowth() {
        assertThat(mean(of("1000 500 400"))).isEmpty();
        assertThat(lasting(of("1000 1100 1200 400 500"))).isEmpty();
    }

    @Test
    void samplesOutsideTheTimeDoNotCount() {
        FlightTotal total = of("0 500 600 700 5000");

        assertThat(total.lastingPerS(START.plusSeconds(1), START.plusSeconds(4))).contains(100.0);
        assertThat(total.lastingPerS(START.plusSeconds(2), START.plusSeconds(4))).isEmpty();
    }

    @Test
    void samplesOfOneMomentHaveNoGrowth() {
        var total = new FlightTotal();
        for (int i = 0; i < 5; i++) {
            total.add(START, 100.0 * i);
        }

        assertThat(mean(total)).isEmpty();
        assertThat(lasting(total)).isEmpty();
    }

    @Test
    void samplesAreReadInOrderOfTime() {
        var total = new FlightTotal();
        total.add(START.plusSeconds(2), 1200);
        total.add(START, 1000);
        total.add(START.plusSeconds(1), 1100);

        assertThat(lasting(total)).contains(100.0);
    }
}
