package dev.jdyno.capacity.goal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.jdyno.measure.TestSet;
import dev.jdyno.measure.load.Goal;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Compares the bounds with the result of a very long run.
class MissShareTest {
    private static final Goal GOAL = Goal.responseTime("p99<50ms", 0.99, 50);
    private static final double SATURATION = 500;
    private static final double NEAR_THE_KNEE = 435;
    private static final double Z = 2;
    private static final int TRIALS = TestSet.times(20, 200);

    private final MissShare misses = new MissShare(GOAL, 0, SATURATION, Z);

    /// A one-sided bound of 97.7 %. If an upper bound failed in a tenth of the trials, it would
    /// call bad rates good.
    @Test
    void upperBoundCoversTruthForShortTrial() {
        double truth = misses.queue(drive(SimulatedService.QUIET, 3, 10_000)).share();
        int tooLow = 0;
        var service = new SimulatedService(SimulatedService.QUIET, 7);
        for (int i = 0; i < TRIALS; i++) {
            service.rest();
            tooLow += misses.queue(drive(service, 60)).upper() < truth ? 1 : 0;
        }

        assertThat(tooLow).isLessThanOrEqualTo(TRIALS / 20);
    }

    /// Single misses, one slow reply in a thousand, are soon distinguished from clusters.
    @Test
    void isolatedMissesAreNoClusters() {
        List<OpenTrial.Slice> slices =
                IntStream.range(0, 300)
                        .mapToObj(
                                s -> new OpenTrial.Slice(1, 400, List.of(s % 3 == 0 ? 2L : 1L), 0))
                        .toList();

        ShareBounds b = misses.queue(new OpenTrial(400, slices, List.of()));

        assertThat(b.upper()).isLessThan(1.5 * b.share());
    }

    /// A minute without a miss does not prove a share of zero, because a cluster may follow.
    @Test
    void theoryBoundsMissesIfNoneOccurred() {
        List<OpenTrial.Slice> slices =
                Collections.nCopies(60, new OpenTrial.Slice(1, 400, List.of(0L), 0));

        ShareBounds b = misses.queue(new OpenTrial(400, slices, List.of()));

        // 2 · 0.8² / 0.2² = 32 requests per cluster; 3.8 clusters at 97.7 %
        assertThat(b.share()).isZero();
        assertThat(b.upper() * 400 * 58).isCloseTo(3.8 * 32, withinPercentage(5));
    }

    /// A request that meets a pause also has a queue and its own service time, which the formula
    /// ignores.
    @Tag("full") // simulates an hour for what is true
    @Test
    void pausesCountByTheirObservedMisses() {
        OpenTrial trial = drive(SimulatedService.JVM, 99, 20_000);
        PauseRecord pauses = PauseRecord.of(List.of(trial), PauseLog.NONE, GOAL.limitMs());
        double requests = trial.slices().stream().mapToDouble(OpenTrial.Slice::requests).sum();
        double missed = trial.slices().stream().mapToDouble(s -> s.misses().getFirst()).sum();

        double byFormula = misses.of(trial, pauses).share();
        double asSeen = misses.of(trial, pauses.costing(List.of(misses.cost(trial)))).share();

        assertThat(asSeen).isCloseTo(missed / requests, withinPercentage(4));
        assertThat(byFormula).isLessThan(0.97 * missed / requests);
    }

    /// The length of one short pause shows little about the length of the next pause.
    @Test
    void singleShortPauseDoesNotExcludeLongerPauses() {
        var one = new PauseLog(List.of(60.0), 300);

        double upper = PauseRecord.of(List.of(), one, GOAL.limitMs()).share(0.8, Z, 0).upper();

        // with pauses of 10 ms only, the bound would be 5.7 · 10 ms / 300 s / 0.2
        assertThat(upper).isGreaterThan(2 * 5.7 * 0.01 / 300 / 0.2);
    }

    private static OpenTrial drive(SimulatedService.Setting setting, long seed, double seconds) {
        return drive(new SimulatedService(setting, seed), seconds);
    }

    private static OpenTrial drive(SimulatedService service, double seconds) {
        return service.drive(
                new OpenTrial(NEAR_THE_KNEE, List.of(), List.of()), seconds, List.of(GOAL));
    }
}
