package dev.jdyno.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DriftTest {
    private static List<Double> runs(int count, double deviation) {
        var random = new SplittableRandom(3);
        List<Double> runs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            runs.add(1000 * Math.exp(random.nextGaussian() * deviation));
        }
        return runs;
    }

    @Test
    void fewRunsUsePublishedDrift() {
        assertThat(Drift.of(runs(7, 0.01))).isEqualTo(Drift.PUBLISHED);
    }

    @Test
    void coversMostDifferencesOfConsecutiveRuns() {
        double deviation = 0.01;
        Drift drift = Drift.of(runs(40, deviation));

        assertThat(drift.runs()).isEqualTo(40);
        // the difference of two runs has √2 times the deviation of one run
        assertThat(drift.share()).isBetween(1.4 * deviation, 4.2 * deviation);
    }

    @Test
    void singleChangeBarelyMovesDrift() {
        List<Double> same = runs(20, 0.01);
        List<Double> changed = new ArrayList<>(same);
        for (int i = 10; i < changed.size(); i++) {
            changed.set(i, changed.get(i) * 2);
        }

        assertThat(Drift.of(changed).share()).isLessThan(1.5 * Drift.of(same).share());
    }

    @Test
    void equalRunsHavePositiveDrift() {
        assertThat(Drift.of(runs(20, 0)).share()).isPositive();
    }
}
