package dev.jdyno.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Slice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SteadinessTest {
    private static List<Slice> slices(double... rtMs) {
        List<Slice> all = new ArrayList<>();
        for (double rt : rtMs) {
            all.add(new Slice(1000 / rt, rt, Optional.of(500 / rt)));
        }
        return all;
    }

    @Test
    void aServiceThatStillGetsFasterIsNotSteady() {
        assertThat(Steadiness.reached(slices(50, 40, 30, 22, 18, 15))).isFalse();
    }

    @Test
    void aServiceWhoseLastSecondsAreAlikeIsSteady() {
        assertThat(Steadiness.reached(slices(50, 40, 20, 20.2, 19.9, 20, 20.1, 20))).isTrue();
    }

    @Test
    void tooFewSecondsNeverCount() {
        assertThat(Steadiness.reached(slices(20, 20, 20, 20, 20))).isFalse();
    }

    @Test
    void fallingCpuPerRequestKeepsItWarmingUp() {
        List<Slice> all = new ArrayList<>();
        for (double cores : new double[] {1.5, 1.4, 1.3, 0.9, 0.8, 0.7}) {
            all.add(new Slice(100, 10, Optional.of(cores)));
        }

        assertThat(Steadiness.reached(all)).isFalse();
    }

    @Test
    void aWarmUpThatEndedTooEarlySaysWhatStillChanged() {
        assertThat(Steadiness.missed(slices(50, 40, 30, 20, 15), Duration.ofSeconds(5), 2))
                .get()
                .extracting(w -> w.says())
                .asString()
                .startsWith(
                        "give a longer --warmup than 5s: response time still fell by 50 % in its last 2 s");
        assertThat(Steadiness.missed(slices(20, 20.2, 19.9), Duration.ofSeconds(3), 2)).isEmpty();
        assertThat(Steadiness.missed(slices(20), Duration.ofSeconds(1), 2)).isEmpty();
    }

    @Test
    void cpuPerRequestTellsNothingWhereCoresAreFree() {
        List<Slice> falls = new ArrayList<>();
        for (double cores : new double[] {1.5, 1.4, 1.3, 1.2, 1.1, 1.1}) {
            falls.add(new Slice(100, 10, Optional.of(cores)));
        }

        assertThat(Steadiness.missed(falls, Duration.ofSeconds(6), 8)).isEmpty();
        assertThat(Steadiness.missed(falls, Duration.ofSeconds(6), 2))
                .get()
                .extracting(w -> w.says())
                .asString()
                .contains("CPU per request still fell by 19 % in its last 3 s");
    }

    @Test
    void aTargetThatIsNotSeenIsJudgedByLatencyAlone() {
        var slice = new Slice(100, 10, Optional.empty());

        assertThat(Steadiness.reached(List.of(slice, slice, slice, slice, slice, slice))).isTrue();
    }
}
