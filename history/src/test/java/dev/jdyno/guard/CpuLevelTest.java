package dev.jdyno.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.TestSet;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.watch.WatchEvent.CpuPerRequestChanged;
import dev.jdyno.measure.watch.WatchedMinute;
import dev.jdyno.measure.watch.WatchedMinute.Dumps;
import dev.jdyno.measure.watch.WatchedMinute.Named;
import dev.jdyno.measure.watch.WatchedMinute.Requests;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CpuLevelTest {
    private static final Instant START = Instant.parse("2026-11-30T14:00:00Z");
    private static final double NOISE = 0.03;
    private static final int HOUR = 60;

    /// A minute of a simulated service.
    ///
    /// @param from source of the count of requests
    /// @param cpuMs CPU time of one request, before noise is added
    private record Made(
            long pid, String from, double perS, double cpuMs, double seconds, double stoppedS) {
        static Made of(double perS, double cpuMs) {
            return lasting(perS, cpuMs, 60, 0);
        }

        static Made lasting(double perS, double cpuMs, double seconds, double stoppedS) {
            return new Made(1, "metrics", perS, cpuMs, seconds, stoppedS);
        }

        Made of(long jvm) {
            return new Made(jvm, from, perS, cpuMs, seconds, stoppedS);
        }

        Made countedBy(String source) {
            return new Made(pid, source, perS, cpuMs, seconds, stoppedS);
        }
    }

    private static WatchedMinute minute(int number, Made made, double noise) {
        return new WatchedMinute(
                START.plusSeconds(60L * number),
                made.seconds(),
                0,
                made.stoppedS(),
                "shop",
                made.pid(),
                Optional.empty(),
                Optional.of(
                        new Requests(
                                made.perS(),
                                made.from(),
                                Optional.empty(),
                                Optional.of(made.cpuMs() * noise))),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                0,
                new Dumps(3, 1),
                new Named(Bottleneck.LOAD, "", 0.9),
                Optional.empty());
    }

    private static List<CpuPerRequestChanged> events(
            int minutes, long seed, IntFunction<Made> made) {
        var random = new SplittableRandom(seed);
        var level = new CpuLevel();
        List<CpuPerRequestChanged> found = new ArrayList<>();
        for (int i = 0; i < minutes; i++) {
            double noise = 1 + NOISE * random.nextGaussian();
            level.after(minute(i, made.apply(i), noise))
                    .ifPresent(e -> found.add((CpuPerRequestChanged) e));
        }
        return found;
    }

    private static long number(Instant at) {
        return Duration.between(START, at).toMinutes();
    }

    /// There is no false event in 1,000 hours.
    @Test
    void noiseIsNoEvent() {
        assertThat(events(TestSet.times(40, 1000) * HOUR, 1, _ -> Made.of(50, 2))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(doubles = {1.2, 0.8, 1.5})
    void changeIsFoundWithinHourAndReportedOnce(double factor) {
        int change = 3 * HOUR + 2;
        for (long seed = 0; seed < TestSet.times(3, 20); seed++) {
            List<CpuPerRequestChanged> found =
                    events(change + 8 * HOUR, seed, i -> Made.of(50, i < change ? 2 : 2 * factor));

            assertThat(found).as("seed %d", seed).hasSize(1);
            CpuPerRequestChanged event = found.getFirst();
            assertThat(number(event.at())).isBetween(change + 1L, change + (long) HOUR);
            assertThat(number(event.since()))
                    .isBetween(change - 2L * CpuLevel.MINUTES, change + 2L * CpuLevel.MINUTES);
            assertThat(event.beforeMs()).isCloseTo(2, within(0.1));
            assertThat(event.ratio()).isCloseTo(factor, within(0.06));
        }
    }

    @Test
    void levelThatComesAndGoesIsTwoEvents() {
        List<CpuPerRequestChanged> found =
                events(12 * HOUR, 1, i -> Made.of(50, i >= 3 * HOUR && i < 6 * HOUR ? 2.6 : 2));

        assertThat(found).hasSize(2);
        assertThat(found.getFirst().ratio()).isGreaterThan(1.2);
        assertThat(found.getLast().ratio()).isLessThan(0.9);
    }

    @Test
    void otherJvmBeginsNewSeriesAfterItsCompilersRested() {
        int restart = 3 * HOUR;
        List<CpuPerRequestChanged> found =
                events(
                        restart + 8 * HOUR,
                        1,
                        i ->
                                i < restart
                                        ? Made.of(50, 2)
                                        : Made.of(50, i < restart + CpuLevel.LEFT_OUT ? 8 : 2.6)
                                                .of(2L));

        assertThat(found).isEmpty();
    }

    /// The JMX counter of the web server also counts the requests that the metrics leave out, so by
    /// its count a request takes less CPU.
    @Test
    void otherSourceOfTheCountIsNoEvent() {
        int change = 3 * HOUR;

        assertThat(
                        events(
                                change + 8 * HOUR,
                                1,
                                i ->
                                        i < change
                                                ? Made.of(50, 2)
                                                : Made.of(62.5, 1.6).countedBy("tomcat")))
                .isEmpty();
    }

    /// A change is found although another source counted the requests of some minutes.
    @Test
    void changeIsFoundAmongMinutesOfOneSource() {
        int change = 3 * HOUR;
        IntFunction<Made> made =
                i -> {
                    Made minute = Made.of(50, i < change ? 2 : 2.6);
                    return i % HOUR < 3 ? minute.countedBy("tomcat") : minute;
                };

        List<CpuPerRequestChanged> found = events(change + 8 * HOUR, 1, made);

        assertThat(found).hasSize(1);
        assertThat(found.getFirst().ratio()).isCloseTo(1.3, within(0.06));
    }

    @Test
    void unusableMinutesAreLeftOut() {
        List<Made> odd =
                List.of(
                        // few requests
                        Made.of(1, 20),
                        // short
                        Made.lasting(50, 20, 20, 0),
                        // stopped
                        Made.lasting(50, 20, 60, 10));
        for (Made other : odd) {
            assertThat(events(8 * HOUR, 1, i -> i % 60 < 20 ? other : Made.of(50, 2)))
                    .as("%s", other)
                    .isEmpty();
        }
    }

    @Test
    void minutesWithoutRequestsAreNoError() {
        var level = new CpuLevel();
        WatchedMinute with = minute(0, Made.of(50, 2), 1);
        for (double cpuMs : new double[] {0, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThat(level.after(minute(0, Made.of(50, cpuMs), 1))).isEmpty();
        }
        var without =
                new WatchedMinute(
                        with.at(),
                        60,
                        0,
                        0,
                        "shop",
                        1,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        0,
                        with.dumps(),
                        with.verdict(),
                        Optional.empty());
        for (int i = 0; i < HOUR; i++) {
            assertThat(level.after(without)).isEmpty();
        }
    }

    /// The CPU of an idle service is a larger share of each request at night.
    @Tag("full") // simulates days
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.01, 0.03})
    void trafficOfDaysIsNoEvent(double idleCores) {
        int days = 5;
        assertThat(
                        events(
                                days * 24 * HOUR,
                                1,
                                i -> {
                                    double perS =
                                            60 - 50 * Math.cos(2 * Math.PI * i / (24.0 * HOUR));
                                    return Made.of(perS, 2 + 1000 * idleCores / perS);
                                }))
                .isEmpty();
    }

    @Tag("full") // simulates days
    @Test
    void changeUnderTrafficOfDaysIsFound() {
        int change = 32 * HOUR;
        List<CpuPerRequestChanged> found =
                events(
                        48 * HOUR,
                        1,
                        i -> {
                            double perS = 60 - 50 * Math.cos(2 * Math.PI * i / (24.0 * HOUR));
                            return Made.of(perS, (i < change ? 2 : 2.6) + 10 / perS);
                        });

        assertThat(found).hasSize(1);
        assertThat(number(found.getFirst().at())).isBetween(change + 1L, change + (long) HOUR);
    }
}
