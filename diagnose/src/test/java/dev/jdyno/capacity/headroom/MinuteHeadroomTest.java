package dev.jdyno.capacity.headroom;

import static dev.jdyno.capacity.headroom.SimulatedMinute.DAY;
import static dev.jdyno.capacity.headroom.SimulatedMinute.LIMIT;
import static dev.jdyno.capacity.headroom.SimulatedMinute.MINUTES;
import static dev.jdyno.capacity.headroom.SimulatedMinute.day;
import static dev.jdyno.capacity.headroom.SimulatedMinute.made;
import static dev.jdyno.capacity.headroom.SimulatedMinute.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Headroom.Known;
import dev.jdyno.measure.verdict.Headroom.Limit;
import dev.jdyno.measure.verdict.Headroom.Reason;
import dev.jdyno.measure.verdict.Headroom.Resource;
import dev.jdyno.measure.verdict.Headroom.Unknown;
import dev.jdyno.measure.watch.WatchedHeadroom;
import dev.jdyno.measure.watch.WatchedHeadroom.LeftOut;
import dev.jdyno.measure.watch.WatchedMinute;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The headroom over simulated days with a known limit.
class MinuteHeadroomTest {
    private static final int QUARTER = 360;

    private static WatchedHeadroom of(List<SimulatedMinute> minutes) {
        return MinuteHeadroom.of(made(minutes));
    }

    /// Six hours with rising traffic.
    private static List<SimulatedMinute> morning() {
        return day(1, 0.05).subList(QUARTER / 2, QUARTER / 2 + QUARTER);
    }

    private static Known first(WatchedHeadroom watched) {
        return watched.limits().first().orElseThrow().known();
    }

    @Test
    void dayWithoutNoiseGivesExactLimitAndRatios() {
        WatchedHeadroom watched = of(day(1, 0));

        assertThat(watched.minutes()).isEqualTo(MINUTES);
        assertThat(watched.leftOut()).isEmpty();
        assertThat(watched.limits().first().orElseThrow().resource()).isEqualTo(Resource.CPU);
        assertThat(first(watched).limitPerS()).isCloseTo(LIMIT, within(1e-6));
        assertThat(first(watched).windows()).isEqualTo(MINUTES);
        assertThat(first(watched).windowS()).isEqualTo(60);
        assertThat(watched.timesMean().orElseThrow()).isCloseTo(LIMIT / 300, within(1e-6));
        assertThat(watched.timesBusiestMinute().orElseThrow()).isCloseTo(LIMIT / 510, within(1e-6));
        assertThat(watched.traffic().orElseThrow().busiestMinute().from())
                .isEqualTo(DAY.plus(Duration.ofHours(12)));
    }

    @Test
    void dayWithNoiseHasTrueLimitInItsIntervalAndRatioToBusiestHour() {
        List<SimulatedMinute> day = day(2, 0.1);
        WatchedHeadroom watched = of(day);

        assertThat(first(watched).ci95().contains(LIMIT)).isTrue();
        assertThat(first(watched).halfWidth()).isLessThan(0.1);
        assertThat(watched.timesBusiestHour().orElseThrow())
                .isCloseTo(first(watched).limitPerS() / busiestHour(day), within(1e-9));
        assertThat(watched.timesBusiestHour().orElseThrow())
                .isGreaterThan(watched.timesBusiestMinute().orElseThrow())
                .isLessThan(watched.timesMean().orElseThrow());
    }

    private static double busiestHour(List<SimulatedMinute> day) {
        return IntStream.rangeClosed(0, day.size() - 60)
                .mapToDouble(i ->
                        day.subList(i, i + 60).stream()
                                .mapToDouble(SimulatedMinute::perS)
                                .average()
                                .orElseThrow())
                .max()
                .orElseThrow();
    }

    @Tag("full") // fits 60 days
    @Test
    void intervalsOfManyDaysHoldTrueLimit() {
        int held = 0;
        for (int seed = 0; seed < 60; seed++) {
            held += first(of(day(seed, 0.1))).ci95().contains(LIMIT) ? 1 : 0;
        }
        assertThat(held).isGreaterThanOrEqualTo(54);
    }

    @Test
    void constantTrafficIsRefusedAndItsTrafficIsKnown() {
        Random random = new Random(1);
        List<SimulatedMinute> even = new ArrayList<>();
        for (int n = 0; n < MINUTES; n++) {
            even.add(SimulatedMinute.of(n, 400, 0.9 * (1 + 0.05 * random.nextGaussian())));
        }
        WatchedHeadroom watched = of(even);

        assertThat(reason(watched)).isEqualTo(Reason.TOO_LITTLE_VARIATION);
        assertThat(watched.limits().first()).isEmpty();
        assertThat(watched.timesMean()).isEmpty();
        assertThat(watched.timesBusiestHour()).isEmpty();
        assertThat(watched.traffic().orElseThrow().meanPerS()).isCloseTo(400, within(1e-9));
        assertThat(watched.traffic().orElseThrow().busiestHour().orElseThrow().perS())
                .isCloseTo(400, within(1e-9));
    }

    /// A proxy takes 2 ms of CPU a request, so CPU allows (2 - 0.1) / 0.004 requests/s.
    @Test
    void neighboursThatFollowTrafficAreInLowerBound() {
        Random random = new Random(1);
        List<SimulatedMinute> even = new ArrayList<>();
        for (int n = 0; n < QUARTER; n++) {
            double cores = 0.9 * (1 + 0.02 * random.nextGaussian());
            even.add(SimulatedMinute.of(n, 400, cores).cpu(cores, 1.2));
        }

        var cpu = (Unknown) of(even).limits().cpu();

        // 400 requests/s were served, so the bound is not lower
        assertThat(cpu.atLeastPerS().orElseThrow()).isBetween(400.0, 475.0);
    }

    private static Reason reason(WatchedHeadroom watched) {
        Limit cpu = watched.limits().cpu();
        assertThat(cpu).isInstanceOf(Unknown.class);
        return ((Unknown) cpu).reason();
    }

    @Test
    void elevenMinutesAreTooFewAndAdviceIsTwelve() {
        WatchedHeadroom watched = of(morning().subList(0, 11));

        var few = (Unknown) watched.limits().cpu();
        assertThat(few.reason()).isEqualTo(Reason.TOO_FEW_WINDOWS);
        assertThat(few.watchS()).contains(720.0);
        assertThat(few.atLeast()).isPresent();
    }

    @Test
    void nothingCountedAndNoMinuteAreRefused() {
        WatchedHeadroom uncounted = of(with(morning(), 0, QUARTER, m -> m.counted("", 0)));
        WatchedHeadroom stopped = of(with(morning(), 0, QUARTER, m -> m.lasting(60, 5)));

        assertThat(reason(uncounted)).isEqualTo(Reason.NO_THROUGHPUT);
        assertThat(uncounted.leftOut()).isEqualTo(Map.of(LeftOut.NOT_COUNTED, QUARTER));
        assertThat(uncounted.traffic()).isEmpty();
        assertThat(reason(stopped)).isEqualTo(Reason.TOO_FEW_WINDOWS);
        assertThat(stopped.leftOut()).isEqualTo(Map.of(LeftOut.STOPPED, QUARTER));
        assertThat(reason(of(List.of()))).isEqualTo(Reason.NO_THROUGHPUT);
    }

    /// More minutes of the same kind would not help.
    @Test
    void requestsCountedInFewMinutesAreThoughtUncounted() {
        WatchedHeadroom few = of(with(morning(), 0, morning().size() - 5, m -> m.counted("", 0)));
        WatchedHeadroom most = of(with(morning(), 0, 5, m -> m.counted("", 0)));

        assertThat(reason(few)).isEqualTo(Reason.NO_THROUGHPUT);
        assertThat(most.limits().cpu()).isInstanceOf(Known.class);
    }

    private static Arguments hostile(LeftOut reason, UnaryOperator<SimulatedMinute> change) {
        return Arguments.of(reason, change);
    }

    static Stream<Arguments> minutesThatDoNotCount() {
        return Stream.of(
                hostile(LeftOut.IMPOSSIBLE, m -> m.counted("metrics", Double.NaN)),
                hostile(LeftOut.IMPOSSIBLE, m -> m.counted("metrics", -1)),
                hostile(LeftOut.IMPOSSIBLE, m -> m.counted("metrics", 1e15)),
                hostile(LeftOut.IMPOSSIBLE, m -> m.counted("metrics", Double.POSITIVE_INFINITY)),
                hostile(LeftOut.IMPOSSIBLE, m -> m.cpu(Double.NaN, 2)),
                hostile(LeftOut.IMPOSSIBLE, m -> m.cpu(-0.1, 2)),
                hostile(LeftOut.IMPOSSIBLE, m -> m.cpu(2.5, 2)),
                hostile(LeftOut.IMPOSSIBLE, m -> m.cpu(1, Double.NaN)),
                hostile(LeftOut.IMPOSSIBLE, m -> m.cpu(1, 1e15)),
                hostile(LeftOut.IMPOSSIBLE, m -> m.cpu(1, 2, 1.9)),
                hostile(LeftOut.IMPOSSIBLE, m -> m.cpu(1, 2, Double.NaN)),
                hostile(LeftOut.IMPOSSIBLE, m -> m.cpu(1, 2, 1e15)),
                hostile(LeftOut.IMPOSSIBLE, m -> m.lasting(Double.NaN, 0)),
                hostile(LeftOut.IMPOSSIBLE, m -> m.lasting(-60, 0)),
                hostile(LeftOut.IMPOSSIBLE, m -> m.lasting(60, Double.NaN)),
                hostile(LeftOut.IMPOSSIBLE, m -> m.pool(Double.NaN, 8)),
                hostile(LeftOut.IMPOSSIBLE, m -> m.pool(1e300, 8)),
                hostile(LeftOut.IMPOSSIBLE, m -> m.pool(1, Double.NaN)),
                hostile(LeftOut.LENGTH, m -> m.lasting(12, 0)),
                hostile(LeftOut.LENGTH, m -> m.lasting(1e15, 0)),
                hostile(LeftOut.STOPPED, m -> m.lasting(60, 3)),
                hostile(LeftOut.UNKNOWN, m -> m.named(Bottleneck.UNKNOWN)),
                hostile(LeftOut.NOT_COUNTED, m -> m.counted("", 1)),
                hostile(LeftOut.OTHER_COUNT, m -> m.counted("segments", 2000)),
                hostile(LeftOut.NO_CPU, m -> m.cpu(1, 0)));
    }

    /// Three changed minutes have the same effect as three missing ones.
    @ParameterizedTest
    @MethodSource("minutesThatDoNotCount")
    void hostileAndOtherMinutesAreLeftOutAndCounted(
            LeftOut reason, UnaryOperator<SimulatedMinute> change) {
        List<SimulatedMinute> minutes = morning().subList(0, 120);
        List<SimulatedMinute> rest = new ArrayList<>(minutes);
        rest.subList(50, 53).clear();

        WatchedHeadroom watched = of(with(minutes, 50, 53, change));

        assertThat(watched.leftOut()).isEqualTo(Map.of(reason, 3));
        assertThat(watched.minutes()).isEqualTo(117);
        assertThat(watched.limits()).isEqualTo(of(rest).limits());
        assertThat(watched.traffic()).isEqualTo(of(rest).traffic());
    }

    @Test
    void poolWithoutLimitIsNoLimitAndItsMinuteCounts() {
        WatchedHeadroom watched =
                of(with(morning(), 0, QUARTER, m -> m.pool(3, Integer.MAX_VALUE)));

        assertThat(watched.minutes()).isEqualTo(QUARTER);
        assertThat(watched.limits().pools()).isEmpty();
    }

    @Test
    void poolIsFirstLimitAtItsLatestSize() {
        // a request holds a member for 20 ms, so that 8 of them allow 400 requests/s
        List<SimulatedMinute> minutes =
                day(2, 0.02).stream()
                        .map(m -> SimulatedMinute.of(minuteOf(m), m.perS() / 2, m.cores() / 2))
                        .map(m -> m.pool(0.02 * m.perS(), minuteOf(m) < 600 ? 24 : 8))
                        .toList();
        WatchedHeadroom watched = of(minutes);

        assertThat(watched.limits().first().orElseThrow().resource())
                .isEqualTo(Resource.pool("orders"));
        assertThat(first(watched).limitPerS()).isCloseTo(400, within(1e-6));
        assertThat(first(watched).windows()).isEqualTo(MINUTES - 600);
    }

    private static int minuteOf(SimulatedMinute m) {
        return (int) Duration.between(DAY, m.at()).toMinutes();
    }

    @Test
    void restartLeavesOutItsMinutesOnly() {
        WatchedHeadroom watched = of(with(day(1, 0), 700, MINUTES, m -> m.of(4799)));

        assertThat(watched.leftOut()).isEqualTo(Map.of(LeftOut.RESTARTED, 2));
        assertThat(watched.minutes()).isEqualTo(MINUTES - 2);
        assertThat(first(watched).limitPerS()).isCloseTo(LIMIT, within(1e-6));
    }

    /// With 4 cores, CPU allows (4 - 0.1) / 0.002 requests/s.
    @Test
    void restartWithOtherCoresCountsFromThereOn() {
        WatchedHeadroom watched =
                of(with(day(1, 0), 700, MINUTES, m -> m.of(4799).cpu(m.cores(), 4)));

        assertThat(watched.leftOut())
                .isEqualTo(Map.of(LeftOut.RESTARTED, 2, LeftOut.OTHER_CORES, 699));
        assertThat(watched.minutes()).isEqualTo(MINUTES - 701);
        assertThat(first(watched).limitPerS()).isCloseTo(1950, within(1e-6));
    }

    /// Other processes take many of the two cores of the second JVM.
    @ParameterizedTest
    @ValueSource(doubles = {1.8, 1.2})
    void coresThatOthersTakeAreNoOtherNumberOfCores(double available) {
        WatchedHeadroom watched =
                of(with(day(1, 0), 700, MINUTES, m -> m.of(4799).cpu(m.cores(), available)));

        assertThat(watched.leftOut()).isEqualTo(Map.of(LeftOut.RESTARTED, 2));
    }

    /// The second JVM has a quota of 1.2 cores, all of which are available to it.
    @Test
    void smallerQuotaIsAnotherNumberOfCores() {
        WatchedHeadroom watched =
                of(with(day(1, 0), 700, MINUTES, m -> m.of(4799).cpu(m.cores(), 1.2, 1.2)));

        assertThat(watched.leftOut())
                .isEqualTo(Map.of(LeftOut.RESTARTED, 2, LeftOut.OTHER_CORES, 699));
    }

    @Test
    void minutesThatAreThereTwiceCountOnce() {
        List<WatchedMinute> twice = new ArrayList<>(made(morning()));
        twice.addAll(made(morning()));
        WatchedHeadroom watched = MinuteHeadroom.of(twice);

        assertThat(watched.leftOut()).isEqualTo(Map.of(LeftOut.OVERLAPPING, QUARTER));
        assertThat(watched.limits()).isEqualTo(of(morning()).limits());
    }

    /// An hour whose first 10 minutes are busier.
    ///
    /// @param gap missing minutes
    @ParameterizedTest
    @ValueSource(ints = {0, 6, 7})
    void hourNeedsFiftyFourMinutes(int gap) {
        List<SimulatedMinute> hour = new ArrayList<>();
        for (int n = 0; n < 60; n++) {
            hour.add(SimulatedMinute.of(n, n < 10 ? 500 : 200, 0.5));
        }
        hour.subList(30, 30 + gap).clear();
        Optional<WatchedHeadroom.Peak> busiest = of(hour).traffic().orElseThrow().busiestHour();

        assertThat(busiest.isPresent()).isEqualTo(gap <= 6);
        busiest.ifPresent(b ->
                assertThat(b.perS())
                        .isCloseTo((500.0 * 10 + 200 * (50 - gap)) / (60 - gap), within(1e-9)));
    }

    /// The minutes of a month are joined, so that the fit stays short.
    @Tag("full") // fits a month
    @Test
    void monthHasFewWindowsAndSameLimit() {
        List<SimulatedMinute> month = new ArrayList<>();
        for (int d = 0; d < 31; d++) {
            Duration later = Duration.ofDays(d);
            day(d, 0.1).forEach(m -> month.add(m.at(m.at().plus(later))));
        }
        WatchedHeadroom watched = of(month);

        assertThat(watched.minutes()).isEqualTo(31 * MINUTES);
        assertThat(first(watched).windows()).isLessThanOrEqualTo(MinuteHeadroom.MAX_WINDOWS);
        assertThat(first(watched).windowS()).isEqualTo(1800);
        assertThat(first(watched).limitPerS()).isCloseTo(LIMIT, within(0.02 * LIMIT));
    }
}
