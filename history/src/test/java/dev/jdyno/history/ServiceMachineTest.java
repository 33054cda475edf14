package dev.jdyno.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.compare.Compared;
import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Outcome;
import dev.jdyno.measure.Machine;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The machine in a stored result is that of the service.
class ServiceMachineTest {
    private static final Machine AWAY =
            new Machine(64, 1L << 38, "Linux 9", 0, Optional.of("app1"), Optional.of("fast"));

    private static Entry.Environment stored(Optional<Machine> away) throws IOException {
        var compared =
                new Compared(
                        Outcome.BETTER,
                        Metric.QPS,
                        List.of(),
                        3,
                        9,
                        0,
                        16,
                        0,
                        Optional.empty(),
                        60,
                        Optional.empty(),
                        true,
                        0.03,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        false);
        var origin =
                new Entries.Origin(
                        Instant.EPOCH,
                        "jdyno compare",
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
        return Entries.of(compared, "shop", away, origin).environment();
    }

    @Test
    void comparisonOnAnotherHostIsStoredUnderThatHost() throws IOException {
        assertThat(stored(Optional.of(AWAY)))
                .isEqualTo(
                        new Entry.Environment(
                                "app1", 64, "fast", "Linux 9", Optional.empty(), List.of()));
    }

    @Test
    void comparisonOnThisHostIsStoredUnderIt() throws IOException {
        Entry.Environment here = stored(Optional.empty());

        assertThat(here).isEqualTo(Entries.machine());
        assertThat(here.isSameMachine(stored(Optional.of(AWAY)))).isFalse();
    }

    /// An agent of an earlier version does not name its machine.
    @Test
    void machineWithoutANameKeepsItsOwnCores() throws IOException {
        Entry.Environment unnamed = stored(Optional.of(new Machine(64, 1, "Linux 9", 0)));

        assertThat(unnamed.cores()).isEqualTo(64);
        assertThat(unnamed.kernel()).isEqualTo("Linux 9");
        assertThat(unnamed.host()).isEqualTo(Entries.machine().host());
    }
}
