package dev.jdyno.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.capacity.Bounds.LoadPoint;
import dev.jdyno.experiment.SearchSteps.Seen;
import dev.jdyno.experiment.SearchSteps.Steps;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SearchStepsTest {
    private static final Steps AS_PUBLISHED =
            new Steps(
                    new Seen(45, 200),
                    new Seen(49, 100),
                    new Seen(49.5, 90),
                    new Seen(190, 240),
                    new Seen(76, 2000));

    private static boolean holds(Steps measured) {
        return SearchSteps.judged(measured, AS_PUBLISHED).holds();
    }

    @Test
    void experimentHoldsForThePublishedFigures() {
        assertThat(holds(AS_PUBLISHED)).isTrue();
    }

    @Test
    void failsIfParallelCallsRaiseThroughput() {
        assertThat(
                        holds(
                                new Steps(
                                        new Seen(45, 200),
                                        new Seen(52, 100),
                                        new Seen(52, 90),
                                        new Seen(190, 240),
                                        new Seen(76, 2000))))
                .isFalse();
    }

    @Test
    void failsIfMoreUsersGainLittle() {
        assertThat(
                        holds(
                                new Steps(
                                        new Seen(45, 200),
                                        new Seen(49, 100),
                                        new Seen(49, 90),
                                        new Seen(120, 240),
                                        new Seen(76, 2000))))
                .isFalse();
    }

    /// A request takes 200 ms, with at most 50 requests a second.
    private static final List<LoadPoint> CURVE =
            IntStream.rangeClosed(1, 300)
                    .mapToObj(n ->
                            new LoadPoint(n, Math.min(n / 0.2, 50), Math.max(200, n / 50.0 * 1000)))
                    .toList();

    @Test
    void thinkTimeFollowsInteractiveResponseTimeLaw() {
        Seen few = SearchSteps.withThink(CURVE, 12, 1000);
        Seen many = SearchSteps.withThink(CURVE, 200, 1000);

        assertThat(few.rtMs()).isCloseTo(200, within(1e-9));
        assertThat(few.qps()).isCloseTo(10, within(1e-9));
        assertThat(many.qps()).isCloseTo(50, within(1e-9));
        assertThat(many.rtMs()).isCloseTo(3000, within(1e-9));
    }
}
