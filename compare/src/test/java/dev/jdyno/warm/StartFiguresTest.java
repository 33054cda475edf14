package dev.jdyno.warm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.trial.ColdStart.Curve;
import dev.jdyno.trial.ColdStart.Second;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StartFiguresTest {
    /// A start whose first reply comes after 2 s. Throughput follows from then on.
    static Curve curve(double... qps) {
        return curve(Optional.empty(), qps);
    }

    static Curve curve(Optional<Double> afterRest, double... qps) {
        List<Second> seconds = new ArrayList<>();
        for (int i = 0; i < qps.length; i++) {
            seconds.add(new Second(3 + i, 1, qps[i], 10, 0, 2, Optional.of(0)));
        }
        return new Curve(2, 2, seconds, afterRest, Optional.empty());
    }

    @Test
    void shareOfFullSpeedMustLastSomeSeconds() {
        var figures = StartFigures.of(curve(10, 50, 95, 40, 91, 92, 93, 99, 100, 101), 100);

        // the single second with 95 % is too short to count
        assertThat(figures.to90S()).contains(7.0);
        assertThat(figures.to99S()).contains(10.0);
    }

    @Test
    void slowServiceNeverReachesFullSpeed() {
        var figures = StartFigures.of(curve(40, 45, 45, 45, 45, 45), 100);

        assertThat(figures.to90S()).isEmpty();
        assertThat(figures.to99S()).isEmpty();
    }

    @Test
    void startCostIsTimeBeforeFirstReplyPlusAreaAboveCurve() {
        assertThat(StartFigures.of(curve(100, 100, 100), 100).lostS()).isCloseTo(2, within(1e-9));
        assertThat(StartFigures.of(curve(0, 50, 100), 100).lostS()).isCloseTo(3.5, within(1e-9));
    }

    @Test
    void slowRequestsAreCountedOverAllSeconds() {
        assertThat(StartFigures.of(curve(100, 100, 100), 100).slow()).isEqualTo(6);
    }

    @Test
    void fullSpeedIsTheSpeedAfterARestIfHigher() {
        assertThat(WarmJudging.fullQps(List.of(curve(33, 33, 33, 33, 33)))).isEqualTo(33);
        assertThat(
                        WarmJudging.fullQps(
                                List.of(
                                        curve(Optional.of(78.0), 33, 33, 33, 33, 33),
                                        curve(34, 34, 34, 34, 34))))
                .isEqualTo(78);
    }

    @Test
    void plateauIsTheSpeedBeforeARestThatRaisesIt() {
        assertThat(WarmJudging.plateauQps(curve(Optional.of(78.0), 33, 33, 33, 33, 33)))
                .contains(33.0);
        assertThat(WarmJudging.plateauQps(curve(Optional.of(34.0), 33, 33, 33, 33, 33))).isEmpty();
        assertThat(WarmJudging.plateauQps(curve(33, 33, 33, 33, 33))).isEmpty();
    }
}
