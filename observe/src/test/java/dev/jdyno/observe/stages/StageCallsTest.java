package dev.jdyno.observe.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.thread.StageTimes.Stage;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StageCallsTest {
    @Test
    void intervalCountsTheCallsThatEndedInIt() {
        var calls = new StageCalls();
        calls.add("A.a", new StageCalls.Call(0.5, 2));
        calls.add("A.a", new StageCalls.Call(1.0, 4));
        calls.add("A.a", new StageCalls.Call(1.1, 40));

        Stage first = calls.stage("A.a", 0, 1, "x");

        assertThat(first.count()).isEqualTo(2);
        assertThat(first.meanMs()).hasValue(3.0);
        assertThat(first.minMs()).hasValue(2.0);
        assertThat(first.maxMs()).hasValue(4.0);
        assertThat(first.stdDevMs().orElseThrow()).isCloseTo(Math.sqrt(2), within(1e-9));
        assertThat(calls.stage("A.a", 1, 2, "x").stdDevMs()).as("of a single call").isEmpty();
        assertThat(calls.stage("A.b", 0, 2, "x").count()).isZero();
    }

    @Test
    void windowHasThreeToTenIntervalsUnlessStopped() {
        assertThat(StageCalls.ends(1, 1)).hasSize(3);
        assertThat(StageCalls.ends(5, 5)).containsExactly(1.0, 2.0, 3.0, 4.0, 5.0);
        assertThat(StageCalls.ends(60, 60)).hasSize(10);
        assertThat(StageCalls.ends(5, 2.5)).containsExactly(1.0, 2.0, 2.5);
        assertThat(StageCalls.ends(3600, 0.75)).containsExactly(0.75);
    }

    @Test
    void recordsRarestMethodsAndNamesOmittedMethods() {
        var methods = List.of("A.often", "A.some", "A.never");
        var rates = Map.of("A.often", 1_000_000.0, "A.some", 4_000.0);

        var rare = StageCalls.rareEnough(methods, rates);

        assertThat(rare).containsExactlyInAnyOrder("A.some", "A.never");
        assertThat(StageCalls.tooOften(methods, rare, rates, "no figure"))
                .isEqualTo(
                        "A.often: 1,000,000 calls/s; more than 5,000/s are not written down one by"
                                + " one: no figure");
        assertThat(StageCalls.tooOften(methods, java.util.Set.copyOf(methods), rates, ""))
                .isEmpty();
    }
}
