package dev.jdyno.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Slice;
import dev.jdyno.measure.verdict.Validity.Warning;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SteadinessTest {
    private static boolean reached(List<Slice> slices) {
        return new Steadiness(slices, List.of()).reached();
    }

    private static Optional<Warning> missed(List<Slice> slices, Duration atMost, int cores) {
        return new Steadiness(slices, List.of()).missed(atMost, cores);
    }

    private static List<Slice> slices(double... rtMs) {
        List<Slice> all = new ArrayList<>();
        for (double rt : rtMs) {
            all.add(new Slice(1000 / rt, rt, Optional.of(500 / rt)));
        }
        return all;
    }

    @Test
    void aServiceThatStillGetsFasterIsNotSteady() {
        assertThat(reached(slices(50, 40, 30, 22, 18, 15))).isFalse();
    }

    @Test
    void aServiceWhoseLastSecondsAreAlikeIsSteady() {
        assertThat(reached(slices(50, 40, 20, 20.2, 19.9, 20, 20.1, 20))).isTrue();
    }

    @Test
    void tooFewSecondsNeverCount() {
        assertThat(reached(slices(20, 20, 20, 20, 20))).isFalse();
    }

    @Test
    void fallingCpuPerRequestKeepsItWarmingUp() {
        List<Slice> all = new ArrayList<>();
        for (double cores : new double[] {1.5, 1.4, 1.3, 0.9, 0.8, 0.7}) {
            all.add(new Slice(100, 10, Optional.of(cores)));
        }

        assertThat(reached(all)).isFalse();
    }

    @Test
    void aWarmUpThatEndedTooEarlySaysWhatStillChanged() {
        assertThat(missed(slices(50, 40, 30, 20, 15), Duration.ofSeconds(5), 2))
                .get()
                .extracting(w -> w.says())
                .asString()
                .startsWith(
                        "give a longer --warmup than 5s: response time still fell by 50 % in its last 2 s");
        assertThat(missed(slices(20, 20.2, 19.9), Duration.ofSeconds(3), 2)).isEmpty();
        assertThat(missed(slices(20), Duration.ofSeconds(1), 2)).isEmpty();
    }

    @Test
    void cpuPerRequestTellsNothingWhereCoresAreFree() {
        List<Slice> falls = new ArrayList<>();
        for (double cores : new double[] {1.5, 1.4, 1.3, 1.2, 1.1, 1.1}) {
            falls.add(new Slice(100, 10, Optional.of(cores)));
        }

        assertThat(missed(falls, Duration.ofSeconds(6), 8)).isEmpty();
        assertThat(missed(falls, Duration.ofSeconds(6), 2))
                .get()
                .extracting(w -> w.says())
                .asString()
                .contains("CPU per request still fell by 19 % in its last 3 s");
    }

    /// Throughput of a Spring Boot application stayed at 240/s for six seconds and was 980/s a
    /// minute later: the compilers had used half of the cores all the time.
    @Test
    void aServiceWhoseCompilersAreBusyIsNotSteadyHoweverAlikeItsSecondsAre() {
        var slice = new Slice(240, 33, Optional.of(1.9));
        List<Slice> alike = List.of(slice, slice, slice, slice, slice, slice);

        var busy = new Steadiness(alike, List.of(1.2, 1.1, 1.0, 0.9, 1.0, 0.9));
        assertThat(busy.reached()).isFalse();
        assertThat(busy.missed(Duration.ofSeconds(6), 2)).isPresent();

        var ended = new Steadiness(alike, List.of(1.2, 1.1, 1.0, 0.15, 0.2, 0.1));
        assertThat(ended.reached()).isTrue();
        assertThat(ended.missed(Duration.ofSeconds(6), 2)).isEmpty();
    }

    @Test
    void compilersThatTakeFreeCoresAreNotWaitedFor() {
        var sleeps = new Slice(100, 20, Optional.of(0.12));
        List<Slice> alike = List.of(sleeps, sleeps, sleeps, sleeps, sleeps, sleeps);

        assertThat(new Steadiness(alike, List.of(0.3, 0.1, 0.1, 0.08, 0.09, 0.07)).reached())
                .isTrue();
    }

    @Test
    void aTargetThatIsNotSeenIsJudgedByLatencyAlone() {
        var slice = new Slice(100, 10, Optional.empty());

        assertThat(reached(List.of(slice, slice, slice, slice, slice, slice))).isTrue();
    }
}
