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
    void reportsNeighbourWithItsRate() {
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

    /// A downstream on the same machine works at every rate.
    @Test
    void steadyNeighbourIsNotReported() {
        assertThat(Neighbours.of(List.of(rate(400, 0.9, 1), rate(350, 0.8, 2)))).isEmpty();
        assertThat(Neighbours.of(List.of(rate(400, 0.9, 1)))).isEmpty();
        assertThat(Neighbours.of(List.of())).isEmpty();
    }

    /// The rate with the largest deviation from the usual use is named, not the one with the
    /// largest use.
    @Test
    void namesRateWithLargestDifference() {
        List<Round> less =
                List.of(rate(300, 1, 0), rate(320, 1, 0), rate(340, 1.3, 0), busy(360, 0));
        assertThat(Neighbours.of(less).orElseThrow().says())
                .contains("360.0/s", "worse than it looks");
        List<Round> more = List.of(rate(300, 0, 0), rate(320, 0, 0), rate(340, 0.9, 0));
        assertThat(Neighbours.of(more).orElseThrow().says())
                .contains("340.0/s", "better than it looks");
    }

    /// A rate at which the service uses all the CPU that is left.
    private static Round busy(double perS, double otherCores) {
        Round r = rate(perS, otherCores, 0);
        return new Round(
                r.concurrency(),
                r.ratePerS(),
                r.seconds(),
                r.qps(),
                r.qpsCi95(),
                r.requests(),
                0,
                Map.of(),
                Optional.empty(),
                Latency.NONE,
                r.client(),
                Optional.of(
                        CpuUse.ofWholeMachine(1.9 - otherCores, 0.1, 0.1, otherCores, 2, 60, 0, 0)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of());
    }
}
