package dev.jdyno.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OthersOnTheMachineTest {
    private static Signals used(double cores) {
        return new Signals(
                Map.of(Sign.NEIGHBOUR_CORES, cores),
                Map.of(Sign.NEIGHBOUR_CORES, "javac (pid 7) " + cores));
    }

    @Test
    void namesNeighboursThatUseTheMachineForSeconds() {
        try (var watch = new OthersOnTheMachine.Watch(2)) {
            for (int second = 0; second < 10; second++) {
                watch.second(second % 2 == 0 ? used(0.6) : Signals.NONE);
            }
            watch.second(used(0.9));

            assertThat(watch.whoHeldIt().orElseThrow())
                    .contains("in 6 of 11 s", "javac (pid 7) 0.9");
        }
    }

    @Test
    void quietMachineHasNoNeighbours() {
        try (var watch = new OthersOnTheMachine.Watch(2)) {
            for (int second = 0; second < 100; second++) {
                watch.second(used(second < 2 ? 1.5 : 0.4));
            }

            assertThat(watch.whoHeldIt()).isEmpty();
        }
    }
}
