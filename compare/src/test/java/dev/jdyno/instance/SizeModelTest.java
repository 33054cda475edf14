package dev.jdyno.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.JvmMemory;
import dev.jdyno.measure.load.Goal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizeModelTest {
    private static final SizeWish WISH = SizeFixture.wish(Optional.empty());

    private static SizeDemand demand(double cpuMs, double restMs) {
        return new SizeDemand(
                cpuMs,
                restMs,
                100 << 20,
                Optional.of(new JvmMemory(40 << 20, 100 << 20)),
                Optional.of(700.0));
    }

    /// 1000/s of 1.1 ms are 1.1 cores, at most 75 % of the limit; heap 60 + 25, outside 110 + 16.
    @Test
    void proposesTheStepWithRoomForTheDemand() {
        assertThat(SizeModel.proposal(demand(1.1, 3), WISH)).isEqualTo(new InstanceSize(1500, 224));
    }

    /// Alone a request takes 95 of 100 ms, so that it must hardly wait.
    @Test
    void aTightGoalNeedsMoreCpu() {
        int loose = SizeModel.proposal(demand(0.4, 3), WISH).milliCpus();
        int tight = SizeModel.proposal(demand(0.4, 98.5), WISH).milliCpus();

        assertThat(loose).isEqualTo(600);
        assertThat(tight).isGreaterThan(loose);
    }

    /// 2000/s of all replicas, with a reserve of 20 %, are 2500/s of 1.2 ms: 3 cores, of which each
    /// replica of 4 cores has 0.75 to use.
    @ParameterizedTest
    @CsvSource({"2000, 1, 1", "2000, 4, 1", "2001, 1, 2", "10000, 4, 5", "10, 1, 1"})
    void replicasByCpuDemandOfWholeRate(double ratePerS, int replicas, long needed) {
        SizeWish wish = SizeFixture.wish(ratePerS, replicas, Optional.empty());

        assertThat(SizeModel.replicas(demand(1.2, 3), wish)).isEqualTo(needed);
        assertThat(wish.testedRatePerS()).isEqualTo(ratePerS / replicas / 0.8);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, SizeWish.MAX_REPLICAS + 1})
    void impossibleNumberOfReplicasIsRefused(int replicas) {
        assertThatThrownBy(() -> SizeFixture.wish(800, replicas, Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theStrictestLimitIsTheShortestOfTheGoals() {
        var errors = new Goal("errors<1%", 0.01, OptionalDouble.empty());
        Goal p99 = Goal.responseTime("p99<100ms", 0.99, 100);
        Goal p50 = Goal.responseTime("p50<20ms", 0.5, 20);

        assertThat(wish(errors, p99, p50).strictestLimitMs()).isEqualTo(20);
        assertThat(wish(errors).strictestLimitMs()).isInfinite();
    }

    private static SizeWish wish(Goal... goals) {
        return new SizeWish(
                800, 1, 0, List.of(goals), SizeFixture.GRID, Optional.empty(), Duration.ofHours(1));
    }

    @Test
    void aDemandAboveTheRangeProposesItsUpperEnd() {
        assertThat(SizeModel.proposal(demand(50, 0), WISH).milliCpus()).isEqualTo(4000);
    }

    @Test
    void withoutTheMemoryOutsideTheHeapTheUseOfTheGroupCounts() {
        var unseen = new SizeDemand(1, 1, 0, Optional.empty(), Optional.of(700.0));
        var nothing = new SizeDemand(1, 1, 0, Optional.empty(), Optional.empty());

        assertThat(SizeModel.proposal(unseen, WISH).mebibytes()).isEqualTo(768);
        assertThat(SizeModel.proposal(nothing, WISH).mebibytes()).isEqualTo(4096);
        assertThat(SizeModel.flags(new InstanceSize(500, 500), Optional.of(unseen)))
                .isEqualTo(List.of("-Xmx300m"));
    }

    @Test
    void theHeapIsWhatTheJvmLeavesOfTheLimit() {
        Optional<SizeDemand> demand = Optional.of(demand(1, 1));

        assertThat(SizeModel.heapMebi(new InstanceSize(500, 256), demand)).isEqualTo(130);
        assertThat(SizeModel.heapMebi(new InstanceSize(500, 128), demand)).isEqualTo(8);
    }
}
