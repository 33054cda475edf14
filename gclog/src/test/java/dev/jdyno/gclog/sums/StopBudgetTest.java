package dev.jdyno.gclog.sums;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StopBudgetTest {
    private record Stop(double beginS, double endS) {}

    private static double worst(StopBudget budget, double seconds) {
        return budget.worst().stream()
                .filter(w -> w.seconds() == seconds)
                .findFirst()
                .orElseThrow()
                .stoppedPct();
    }

    @Test
    void safepointIncludesPauseLoggedBeforeIt() {
        var budget = new StopBudget();
        budget.stop(10.592, 5, 1);
        budget.around(10, 600, 2);

        assertThat(worst(budget, 1)).isCloseTo(60, within(0.01));
    }

    @Test
    void pauseBeforeASafepointCountsSeparately() {
        var budget = new StopBudget();
        budget.stop(9.9, 50, 1);
        budget.around(10, 100, 2);

        assertThat(worst(budget, 1)).isCloseTo(15, within(0.01));
    }

    /// Compared with a plain sum over each window that ends with a stop.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void sharesMatchSimpleSum(long seed) {
        var random = new SplittableRandom(seed);
        var budget = new StopBudget();
        List<Stop> stops = new ArrayList<>();
        double at = 1;
        for (int i = 0; i < 5000; i++) {
            at += random.nextDouble(0.003, 0.4);
            double length = random.nextDouble(0.003, 0.6);
            if (random.nextBoolean()) {
                double pauses = at;
                for (int n = random.nextInt(4); n > 0; n--) {
                    double ms = length * 1000 * random.nextDouble(0.01, 0.2);
                    budget.stop(pauses, ms, i);
                    pauses += ms / 1000;
                }
                budget.around(at, length * 1000, i);
            } else {
                budget.stop(at, length * 1000, i);
            }
            stops.add(new Stop(at, at + length));
            at += length;
        }

        for (double window : StopBudget.WINDOWS_S) {
            assertThat(worst(budget, window)).isCloseTo(bySum(stops, window), within(0.01));
        }
    }

    private static double bySum(List<Stop> stops, double window) {
        double worst = 0;
        for (int last = 0; last < stops.size(); last++) {
            double from = stops.get(last).endS() - window;
            double sum = 0;
            for (int i = last; i >= 0 && stops.get(i).endS() > from; i--) {
                sum += stops.get(i).endS() - Math.max(from, stops.get(i).beginS());
            }
            worst = Math.max(worst, Math.min(1, sum / window));
        }
        return 100 * worst;
    }
}
