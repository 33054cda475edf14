package dev.jdyno.measure.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.statistics.CurvePoint;
import dev.jdyno.measure.statistics.Interval;
import java.util.List;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Expected figures stay within the bounds by requests in flight and by the best throughput.
class ExpectedTest {
    private static final Offset<Double> CLOSE = Offset.offset(1e-6);

    /// 16 in flight, 100/s at 160 ms. A single request takes 40 ms.
    private static final MeasuredLoad NOW =
            new MeasuredLoad(16, 100, new Interval(95, 105), 160, 40);

    @ParameterizedTest
    @CsvSource({
        // the change would give more than 16 ÷ 40 ms
        "8, 0.1, 40, 400, 40, 16",
        // at most the best throughput at any load
        "2, 0.25, 40, 200, 80, 16",
        // a change that shortens the single request
        "8, 0.125, 20, 800, 20, 16",
        // more throughput, which needs more requests in flight
        "2, 1, 40, 200, 160, 32",
        // a change without a gain
        "1, 0.5, 40, 100, 160, 16"
    })
    void expectedFiguresObeyLittlesLaw(
            double qpsRatio, double rtRatio, double alone, double qps, double rt, int load) {
        Expected e = Expected.of(NOW, qpsRatio, rtRatio, alone);

        assertThat(e.qps()).isCloseTo(qps, CLOSE);
        assertThat(e.rtMs()).isCloseTo(rt, CLOSE);
        assertThat(e.atConcurrency()).isEqualTo(load);
        assertThat(e.qps() * e.rtMs() / 1000).as("Little's law").isCloseTo(load, CLOSE);
    }

    /// 29 of 75 in flight are served, the others cannot connect. 2.5 times the throughput needs no
    /// more than the 75.
    @Test
    void requestsThatFailAreNoLoadThatAChangeNeeds() {
        var failing = new MeasuredLoad(75, 1145, new Interval(1100, 1190), 25.3, 25);

        Expected e = Expected.of(failing, 2.5, 1, 25);

        assertThat(e.qps()).isCloseTo(2.5 * 1145, CLOSE);
        assertThat(e.atConcurrency()).isEqualTo(75);
    }

    /// A quota of 0.8 cores, and 2.95 ms of CPU a request at 271/s with one in flight. Two cores
    /// need two in flight. If already more requests than cores are in flight, no more are needed.
    @ParameterizedTest
    @CsvSource({
        // one request uses one core
        "1, 271, 3.69, 2.4, 2.95, 2",
        // four cores, for three in flight
        "3, 678, 4.42, 2, 2.9, 4",
        // twice the cores, for one request in flight per core
        "4, 678, 5.9, 2, 2.9, 4",
        "20, 271, 73.8, 2.4, 2.95, 20"
    })
    void coresAreUsedByAsManyRequests(
            int concurrency, double qps, double rtMs, double ratio, double alone, int load) {
        var now = new MeasuredLoad(concurrency, qps, new Interval(qps, qps), rtMs, rtMs);

        Expected e = Expected.inUse(now, ratio, 1 / ratio, alone);

        assertThat(e.atConcurrency()).isEqualTo(load);
        assertThat(e.qps()).isCloseTo(ratio * qps, Offset.offset(1.0));
        assertThat(e.rtMs()).isGreaterThanOrEqualTo(alone - 0.01);
        assertThat(e.qps() * e.rtMs() / 1000)
                .as("Little's law")
                .isCloseTo(load, Offset.offset(0.01));
    }

    /// Twice the cores: the model's curves give four times the throughput at 16 in flight, but the
    /// change gives at most twice as much.
    @Test
    void whatIfStaysWithinItsBound() {
        var knee =
                new Knee(4, new Interval(4, 4), 98, 41, "", 10, Optional.empty())
                        .withModel(List.of(new CurvePoint(1, 25, 40), new CurvePoint(16, 98, 163)));
        var twice =
                new WhatIf(
                        StandardChange.CORES,
                        190,
                        42,
                        8,
                        "F2",
                        List.of(new CurvePoint(1, 25, 40), new CurvePoint(16, 390, 41)));

        Expected e = twice.at(NOW, knee).expected().orElseThrow();

        assertThat(e.qps()).isLessThanOrEqualTo(190 + 1e-9);
        assertThat(e.qps() * 40 / 1000).isLessThanOrEqualTo(16);
        assertThat(e.atConcurrency()).isEqualTo(16);
    }
}
