package dev.jdyno.trial.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.load.ClientSide;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Latency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NeighboursTest {
    private static Round rate(double perS, double otherCores, double stealPct) {
        return new Round(
                1,
                Optional.of(perS),
                60,
                perS,
                new Interval(perS, perS),
                1000,
                0,
                Map.of(),
                Optional.empty(),
                Latency.NONE,
                ClientSide.withRoom(0, 0),
                Optional.of(CpuUse.ofWholeMachine(1, 0.1, 0.1, otherCores, 2, 60, stealPct, 0)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of());
    }

    @Test
    void aNeighbourBesideOneRateIsSaidWithTheRate() {
        List<Round> rates = List.of(rate(400, 0.05, 0), rate(350, 0.9, 0));
        var said = Neighbours.of(rates).orElseThrow();

        assertThat(said.id()).isEqualTo("neighbours-moved");
        assertThat(Neighbours.marked(rates))
                .extracting(r -> r.disturbance().isPresent())
                .containsExactly(false, true);
        assertThat(said.spoils()).isFalse();
    }

    @Test
    void theHypervisorIsANeighbour() {
        assertThat(Neighbours.of(List.of(rate(400, 0, 0), rate(350, 0, 20)))).isPresent();
    }

    /// A downstream on the same machine works for every rate.
    @Test
    void aSteadyNeighbourIsNotSaid() {
        assertThat(Neighbours.of(List.of(rate(400, 0.9, 1), rate(350, 0.8, 2)))).isEmpty();
        assertThat(Neighbours.of(List.of(rate(400, 0.9, 1)))).isEmpty();
        assertThat(Neighbours.of(List.of())).isEmpty();
    }
}
