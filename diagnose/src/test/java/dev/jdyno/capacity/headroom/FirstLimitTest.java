package dev.jdyno.capacity.headroom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.verdict.Headroom;
import dev.jdyno.measure.verdict.Headroom.AtLeast;
import dev.jdyno.measure.verdict.Headroom.DiskLimit;
import dev.jdyno.measure.verdict.Headroom.First;
import dev.jdyno.measure.verdict.Headroom.Known;
import dev.jdyno.measure.verdict.Headroom.Limit;
import dev.jdyno.measure.verdict.Headroom.PoolLimit;
import dev.jdyno.measure.verdict.Headroom.Raise;
import dev.jdyno.measure.verdict.Headroom.Reason;
import dev.jdyno.measure.verdict.Headroom.Resource;
import dev.jdyno.measure.verdict.Headroom.Unknown;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A pool of 10 is saturated at 500 requests/s, before the CPU at 950. Each request holds a member
/// for 20 ms, so 19 members allow 950.
class FirstLimitTest {
    private static Known known(double limitPerS, double available) {
        return new Known(
                limitPerS,
                new Interval(limitPerS * 0.95, limitPerS * 1.05),
                20,
                new Interval(19, 21),
                0,
                available,
                5,
                200,
                300,
                0.6,
                60);
    }

    private static PoolLimit pool(String name, double size, Limit limit) {
        return new PoolLimit(name, "HikariCP", size, 0.6, limit);
    }

    /// @param atLeastPerS lower bound of the unknown limit; null for none
    private static Unknown unknown(Double atLeastPerS) {
        return new Unknown(
                Reason.TOO_LITTLE_VARIATION,
                Optional.empty(),
                Optional.ofNullable(atLeastPerS).map(perS -> new AtLeast(perS, 100)));
    }

    private static Optional<Raise> raise(PoolLimit... pools) {
        return FirstLimit.of(known(950, 4), List.of(pools), List.of()).orElseThrow().raise();
    }

    /// The size of the pool changed during the observation. Its latest size counts, not the median.
    @ParameterizedTest
    @CsvSource({"10, 10, true", "18, 10, true", "19, 10, false", "30, 10, false", "10, 30, true"})
    void aPoolIsRaisedAboveItsLatestSize(double latest, double median, boolean raised) {
        Optional<Raise> raise = raise(pool("orders", latest, known(500, median)));

        assertThat(raise.isPresent()).isEqualTo(raised);
        assertThat(raise.filter(r -> r.size() != 19 || !r.next().equals(Resource.CPU))).isEmpty();
    }

    /// The limit of the second pool is unknown. Only a lower bound of it may be known.
    @ParameterizedTest
    @CsvSource({"2000, true", "951, true", "700, false", ", false"})
    void aPoolIsNotRaisedPastAnUnknownLimit(Double atLeastPerS, boolean raised) {
        Unknown unknown = unknown(atLeastPerS);

        assertThat(
                        raise(pool("orders", 10, known(500, 10)), pool("http", 200, unknown))
                                .isPresent())
                .isEqualTo(raised);
    }

    /// The CPU's limit is unknown. Each request uses the CPU, so a pool that is saturated at 500
    /// requests/s (475 to 525) is not called first if the CPU's lower bound is not above that.
    @ParameterizedTest
    @CsvSource({"2000, true", "530, true", "520, false", "200, false", ", true"})
    void aPoolIsNotFirstIfTheCpuMayBe(Double atLeastPerS, boolean first) {
        Unknown cpu = unknown(atLeastPerS);
        List<PoolLimit> pools = List.of(pool("orders", 10, known(500, 10)));
        Optional<First> found = FirstLimit.of(cpu, pools, List.of());

        assertThat(found.isPresent()).isEqualTo(first);
        if (!first) {
            assertThat(new Headroom(cpu, pools, found, List.of()).bound().orElseThrow())
                    .satisfies(b ->
                            assertThat(b.atLeast().limitPerS())
                                    .isEqualTo(Math.min(atLeastPerS, 475)));
        }
    }

    /// Only a lower bound of the disk's limit is known.
    @ParameterizedTest
    @CsvSource({"5000, false, true", "700, false, false", "286, true, false", ", true, false"})
    void aDiskMayBeFirstByItsLowerBound(Double atLeastPerS, boolean maybe, boolean raised) {
        Unknown unknown = unknown(atLeastPerS);

        First first =
                FirstLimit.of(
                                known(950, 4),
                                List.of(pool("orders", 10, known(500, 10))),
                                List.of(new DiskLimit("vda", 0.9, unknown)))
                        .orElseThrow();

        assertThat(first.maybe().contains(Resource.disk("vda"))).isEqualTo(maybe);
        assertThat(first.raise().isPresent()).isEqualTo(raised);
    }

    /// A disk that always has work may serve several operations at once. The disk of 300 requests/s
    /// may limit before the pool (500), that of 700 before the CPU (950).
    @ParameterizedTest
    @CsvSource({"300, true, false", "700, false, false", "2000, false, true"})
    void aBusyDiskIsNeverFirst(double limitPerS, boolean maybe, boolean raised) {
        First first =
                FirstLimit.of(
                                known(950, 4),
                                List.of(pool("orders", 10, known(500, 10))),
                                List.of(new DiskLimit("vda", 0.9, known(limitPerS, 1))))
                        .orElseThrow();

        assertThat(first.resource()).isEqualTo(Resource.pool("orders"));
        assertThat(first.maybe().contains(Resource.disk("vda"))).isEqualTo(maybe);
        assertThat(first.raise().isPresent()).isEqualTo(raised);
        assertThat(first.raise().filter(r -> !r.next().equals(Resource.CPU))).isEmpty();
    }

    @Test
    void aDiskAloneIsNoFirstLimit() {
        var cpu = new Unknown(Reason.TOO_LITTLE_VARIATION, Optional.empty());

        assertThat(FirstLimit.of(cpu, List.of(), List.of(new DiskLimit("vda", 0.9, known(300, 1)))))
                .isEmpty();
    }
}
