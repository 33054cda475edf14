package dev.jdyno.heapmodel.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.jdyno.heapmodel.forecast.Lifetimes.Spread;
import dev.jdyno.heapmodel.simulation.Collector;
import dev.jdyno.heapmodel.simulation.GcCosts;
import dev.jdyno.heapmodel.simulation.HeapExhausted;
import dev.jdyno.heapmodel.simulation.HeapFlags;
import dev.jdyno.heapmodel.simulation.HeapTally;
import dev.jdyno.heapmodel.simulation.ParallelHeap;
import dev.jdyno.heapmodel.simulation.SerialHeap;
import dev.jdyno.heapmodel.simulation.SimulatedHeap;
import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.measure.gc.HeapObservation.Copying;
import dev.jdyno.measure.gc.HeapObservation.Kind;
import dev.jdyno.measure.text.Bytes;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Simulated runs with known lifetimes, which the search must find.
class LifetimeSearchTest {
    private static final double MIB = 1024.0 * 1024.0;
    private static final double ALLOCATED = 7_000 * MIB;
    private static final double EDEN = 50 * MIB;
    private static final double SECONDS_PER_BYTE = 4 / ALLOCATED;

    private static HeapTally run(Collector collector, Lifetimes lives, double heapMiB)
            throws HeapExhausted {
        HeapFlags flags = HeapFlags.of(collector, Bytes.mebi(heapMiB)).withJdk(25);
        GcCosts costs = GcCosts.of(collector);
        SimulatedHeap heap =
                collector == Collector.SERIAL
                        ? new SerialHeap(flags, costs)
                        : new ParallelHeap(flags, costs, true);
        return LifetimeReplay.run(heap, lives, EDEN / 4, EDEN, ALLOCATED, SECONDS_PER_BYTE);
    }

    private static HeapObservation seen(Collector collector, HeapTally tally, double liveBytes) {
        return new HeapObservation(
                collector == Collector.SERIAL ? Kind.SERIAL : Kind.PARALLEL,
                OptionalInt.of(25),
                200 * MIB,
                Optional.of(200 * MIB / 3),
                liveBytes,
                false,
                90 * MIB,
                5,
                ALLOCATED,
                (double) tally.promotedBytes(),
                tally.youngGcs(),
                tally.fullGcs(),
                0,
                tally.youngSeconds() * 1000,
                tally.fullSeconds() * 1000,
                0,
                Optional.of(
                        new Copying(
                                EDEN,
                                (double) tally.copiedBytes() / tally.youngGcs(),
                                (double) tally.promotedBytes() / tally.youngGcs(),
                                tally.movedBytes(),
                                tally.youngSeconds() * 1000 / tally.youngGcs(),
                                List.of())),
                List.of(),
                List.of());
    }

    @ParameterizedTest(name = "{0}: a share of {1} that lives, begun at {2}, live set begun at {3}")
    @CsvSource({
        "SERIAL, 0.6, 0.9, 1", "SERIAL, 0.6, 0.3, 1.5", "SERIAL, 0.3, 0.8, 0.7",
        "PARALLEL, 0.6, 0.9, 1", "PARALLEL, 0.6, 0.45, 1.2", "PARALLEL, 0.4, 0.8, 0.8"
    })
    void recoversParametersOfRun(
            Collector collector, double share, double firstShare, double firstLive)
            throws HeapExhausted {
        double live = 42 * MIB;
        HeapTally was = run(collector, Lifetimes.churn(share, live / share, Spread.EVEN), 200);
        HeapObservation seen = seen(collector, was, live);
        Lifetimes reported =
                Lifetimes.churn(firstShare, firstLive * live / firstShare, Spread.EVEN);

        Lifetimes found =
                LifetimeSearch.from(
                        reported,
                        seen,
                        seen.copying().orElseThrow(),
                        ALLOCATED,
                        lives -> run(collector, lives, 200));

        HeapTally here = run(collector, found, 200);
        assertThat((double) here.youngGcs()).isCloseTo((double) was.youngGcs(), withPercentage(4));
        assertThat(here.movedBytes()).isCloseTo(was.movedBytes(), withPercentage(7));
        assertThat(found.churnLiveBytes()).isCloseTo(live, withPercentage(15));
        HeapTally there = run(collector, found, 480);
        HeapTally truth = run(collector, Lifetimes.churn(share, live / share, Spread.EVEN), 480);
        assertThat((double) there.youngGcs())
                .isCloseTo((double) truth.youngGcs(), withPercentage(10));
        assertThat(there.movedBytes()).isCloseTo(truth.movedBytes(), withPercentage(10));
    }

    /// If the first estimate does not fit into the heap, the search leaves it.
    @Test
    void searchLeavesALiveSetThatDoesNotFit() throws HeapExhausted {
        double live = 42 * MIB;
        HeapTally was = run(Collector.SERIAL, Lifetimes.churn(0.6, live / 0.6, Spread.EVEN), 200);
        HeapObservation seen = seen(Collector.SERIAL, was, live);

        Lifetimes found =
                LifetimeSearch.from(
                        Lifetimes.churn(0.6, 300 * MIB / 0.6, Spread.EVEN),
                        seen,
                        seen.copying().orElseThrow(),
                        ALLOCATED,
                        lives -> {
                            if (lives.churnLiveBytes() > 220 * MIB) {
                                throw new HeapExhausted(64);
                            }
                            return run(Collector.SERIAL, lives, 200);
                        });

        assertThat(found.churnLiveBytes()).isLessThan(220 * MIB);
    }

    /// Every lifetime gives the same collections, so no candidate is better than the first.
    @Test
    void searchEndsIfNoCandidateIsBetter() throws HeapExhausted {
        HeapTally was = run(Collector.SERIAL, Lifetimes.churn(0.6, 70 * MIB, Spread.EVEN), 200);
        HeapObservation seen = seen(Collector.SERIAL, was, 42 * MIB);

        Lifetimes found =
                LifetimeSearch.from(
                        Lifetimes.churn(0.6, 70 * MIB, Spread.EVEN),
                        seen,
                        seen.copying().orElseThrow(),
                        ALLOCATED,
                        _ -> was);

        assertThat(found.churnLiveBytes()).isCloseTo(42 * MIB, withPercentage(1));
    }
}
