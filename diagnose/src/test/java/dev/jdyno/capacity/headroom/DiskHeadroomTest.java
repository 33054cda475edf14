package dev.jdyno.capacity.headroom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.verdict.Headroom;
import dev.jdyno.measure.verdict.Headroom.First;
import dev.jdyno.measure.verdict.Headroom.Hidden;
import dev.jdyno.measure.verdict.Headroom.Known;
import dev.jdyno.measure.verdict.Headroom.Resource;
import dev.jdyno.measure.verdict.Headroom.Unknown;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Limits of disks. CPU allows 950 requests/s.
class DiskHeadroomTest {
    /// Ten minutes with a disk.
    ///
    /// @param busy share of a second in which the disk has work, by the requests per second
    private static Headroom of(ToDoubleFunction<LoadWindow> busy) {
        return of(busy, Optional.empty());
    }

    private static Headroom of(ToDoubleFunction<LoadWindow> busy, Optional<Double> rtMs) {
        List<LoadWindow> windows = new ArrayList<>();
        for (LoadWindow w : Traffic.of(1, 600, s -> Traffic.swing(s) / 2, 0.03).cpuAndPool()) {
            windows.add(
                    new LoadWindow(
                            1,
                            w.requests(),
                            w.cores(),
                            w.availableCores(),
                            w.allCores(),
                            w.pools(),
                            List.of(new DiskBusy("vda", Math.clamp(busy.applyAsDouble(w), 0, 1))),
                            Map.of()));
        }
        return NaturalLoad.headroom(windows, rtMs);
    }

    @Test
    void diskThatFollowsTheRequestsIsAResourceOfOneUnit() {
        Random random = new Random(1);
        Headroom headroom =
                of(w -> (0.1 + 0.0025 * w.requests()) * (1 + 0.05 * random.nextGaussian()));

        Known disk = (Known) headroom.disks().getFirst().limit();
        assertThat(disk.limitPerS()).isCloseTo(360, within(15.0));
        assertThat(disk.ci95().contains(360)).isTrue();
        assertThat(disk.demandMs()).isCloseTo(2.5, within(0.15));
        assertThat(disk.base()).isCloseTo(0.1, within(0.03));
        assertThat(disk.available()).isEqualTo(1);
        First first = headroom.first().orElseThrow();
        assertThat(first.resource()).isEqualTo(Resource.pool("orders"));
        assertThat(first.maybe()).containsExactly(Resource.disk("vda"));
        assertThat(first.raise()).isEmpty();
        assertThat(headroom.noLimitSeen().orElseThrow())
                .isEqualTo(
                        new Headroom.NoLimitSeen(
                                List.of(Hidden.LOCKS, Hidden.DOWNSTREAM),
                                first.known().highestUtilisation()));
    }

    /// A disk that has work for 90 % of the time may serve many operations at once.
    @Test
    void busyDiskAddsNoResponseTime() {
        Headroom idle = of(_ -> 0, Optional.of(30.0));
        Headroom busy = of(w -> 0.1 + 0.003 * w.requests(), Optional.of(30.0));

        assertThat(busy.disks().getFirst().limit()).isInstanceOf(Known.class);
        assertThat(idle.times()).isNotEmpty();
        assertThat(busy.times()).isEqualTo(idle.times());
    }

    /// Only lower bounds are known, and that of the CPU is higher.
    @Test
    void busyDiskIsALowerBound() {
        var unknown =
                new Unknown(
                        Headroom.Reason.TOO_LITTLE_VARIATION,
                        Optional.empty(),
                        Optional.of(new Headroom.AtLeast(900, 200)));
        Headroom busy = of(w -> 0.1 + 0.003 * w.requests());
        Known disk = (Known) busy.disks().getFirst().limit();
        var bounded =
                new Headroom(
                        unknown,
                        Optional.empty(),
                        List.of(),
                        busy.disks(),
                        0,
                        Optional.empty(),
                        List.of());

        Headroom.Bound bound = bounded.bound().orElseThrow();
        assertThat(bound.resource()).isEqualTo(Resource.disk("vda"));
        assertThat(bound.atLeast().limitPerS()).isEqualTo(disk.ci95().lo());
    }

    /// The little work of the disk has nothing to do with the requests.
    @Test
    void idleDiskIsNoPossibleFirstLimit() {
        Random random = new Random(2);
        Headroom headroom = of(_ -> 0.01 + 0.02 * random.nextDouble());

        First first = headroom.first().orElseThrow();
        assertThat(first.resource()).isEqualTo(Resource.pool("orders"));
        assertThat(first.maybe()).isEmpty();
        assertThat(first.raise()).isPresent();
        Unknown unknown = (Unknown) headroom.disks().getFirst().limit();
        assertThat(unknown.atLeastPerS().orElseThrow()).isGreaterThan(5000);
        assertThat(headroom.disks().getFirst().highestUtilisation()).isBetween(0.01, 0.03);
    }

    @Test
    void disksWithoutWorkAreLeftOutButMeasured() {
        Headroom idle = of(_ -> 0);

        assertThat(idle.disks()).isEmpty();
        assertThat(idle.idleDisks()).isEqualTo(1);
        assertThat(idle.first().orElseThrow().maybe()).isEmpty();
        assertThat(idle.noLimitSeen().orElseThrow().resources())
                .containsExactly(Hidden.LOCKS, Hidden.DOWNSTREAM);
    }

    @Test
    void unmeasuredResourcesAreNamed() {
        Headroom headroom =
                NaturalLoad.headroom(
                        Traffic.of(1, 600, Traffic::swing, 0.05).cpu(), Optional.empty());

        Headroom.NoLimitSeen hidden = headroom.noLimitSeen().orElseThrow();
        assertThat(hidden.resources()).containsExactly(Hidden.values());
        assertThat(hidden.below()).isEqualTo(((Known) headroom.cpu()).highestUtilisation());
        assertThat(NaturalLoad.uncounted().noLimitSeen()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 1.1, Double.NaN})
    void impossibleShareIsRefused(double share) {
        assertThatThrownBy(() -> new DiskBusy("vda", share))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
