package dev.jdyno.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
                watch.second(second % 2 == 0 ? used(0.6) : Signals.NONE, 0);
            }
            watch.second(used(0.9), 0);

            assertThat(watch.whoHeldIt().orElseThrow())
                    .contains("in 6 of 11 s", "javac (pid 7) 0.9");
        }
    }

    @Test
    void quietMachineHasNoNeighbours() {
        try (var watch = new OthersOnTheMachine.Watch(2)) {
            for (int second = 0; second < 100; second++) {
                watch.second(used(second < 2 ? 1.5 : 0.4), second < 2 ? 0.5 : 0.05);
            }

            assertThat(watch.whoHeldIt()).isEmpty();
        }
    }

    /// Neither the processes nor the hypervisor alone hold the machine in the second case.
    @ParameterizedTest
    @CsvSource({"0, 0.6, true", "0.3, 0.3, true", "0.3, 0.1, false", "0, 0.4, false"})
    void timeThatTheHypervisorTookCounts(double cores, double stolen, boolean held) {
        try (var watch = new OthersOnTheMachine.Watch(2)) {
            for (int second = 0; second < OthersOnTheMachine.SECONDS_HELD; second++) {
                watch.second(cores > 0 ? used(cores) : Signals.NONE, stolen);
            }

            assertThat(watch.whoHeldIt().isPresent()).isEqualTo(held);
            watch.whoHeldIt().ifPresent(w -> assertThat(w).contains("steal"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "cpu  10132153 290696 3084719 46828483 16683 0 25195 175628 0 0, 175628",
        "cpu 1 2 3 4, 0"
    })
    void readsStealOfAllCores(String first, long stolen, @TempDir Path proc) throws IOException {
        Files.writeString(proc.resolve("stat"), first + "\ncpu0 1 2 3 4 5 6 7 8 9 10\n");

        assertThat(OthersOnTheMachine.stolenTicks(new ProcFs(proc))).isEqualTo(stolen);
    }
}
