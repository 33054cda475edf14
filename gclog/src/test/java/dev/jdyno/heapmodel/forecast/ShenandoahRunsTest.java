package dev.jdyno.heapmodel.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.measure.gc.ShenandoahCycle;
import dev.jdyno.measure.text.Bytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Replays of real runs: three programs of bench/heap on JDK 25, each on 200 and 480 MiB. One
/// leaves almost nothing, so its cycles end after marking. Two keep 42 and 47 MiB among garbage, so
/// cycles of the smaller heap may copy too little to free most of it. More runs:
/// docs/heap-forecast-errors.md.
class ShenandoahRunsTest {
    private static final double MIB = 1024.0 * 1024.0;

    @ParameterizedTest(name = "{0} on {2} MiB from its log on {1}: off by {3} at most")
    @CsvSource({
        "text, 200, 480, 0.05",
        "text, 480, 200, 0.05",
        "cache, 200, 480, 0.20",
        "cache, 480, 200, 0.25",
        "expiry, 200, 480, 0.10",
        "expiry, 480, 200, 0.10"
    })
    void predictsOneRunFromTheOther(String program, int from, int to, double error)
            throws IOException {
        double came = run(program, to).size();

        HeapForecast forecast = HeapForecast.of(seen(from, run(program, from)), Bytes.mebi(to));

        assertThat(Math.abs(forecast.cycles() / came - 1)).isLessThan(error);
    }

    /// Result of the rules alone for the heap of the run, without a correction by the observed
    /// figures.
    @ParameterizedTest
    @CsvSource({"text, 200", "text, 480", "cache, 200", "cache, 480"})
    void replayMatchesRun(String program, int heap) throws IOException {
        List<ShenandoahCycle> run = run(program, heap);

        double replayed =
                (double)
                        ShenandoahReplay.of(
                                        new ShenandoahHistory(run, heap * MIB),
                                        heap * MIB,
                                        OptionalDouble.empty())
                                .orElseThrow()
                                .cycles();

        assertThat(Math.abs(replayed / run.size() - 1)).isLessThan(0.1);
    }

    @Test
    void predictsNothingFromTooSmallHeap() throws IOException {
        List<ShenandoahCycle> run = run("cache", 480);

        assertThat(
                        ShenandoahReplay.of(
                                new ShenandoahHistory(run, 480 * MIB),
                                40 * MIB,
                                OptionalDouble.empty()))
                .isEmpty();
    }

    /// If threads stopped between two cycles, the rate was unknown, and a replay never ended.
    @Test
    void aRunWithoutAllocationBetweenCyclesIsReplayed() {
        List<ShenandoahCycle> run =
                IntStream.range(0, 20)
                        .mapToObj(i ->
                                new ShenandoahCycle(
                                        i, 0.9, 20 * MIB, 90 * MIB, 90 * MIB, 0, 60 * MIB))
                        .toList();

        assertThat(HeapForecast.of(seen(200, run), Bytes.mebi(480)).cycles()).isPositive();
    }

    /// Most cycles degenerated, so the remaining ones do not represent the run.
    @Test
    void aRunThatMostlyDegeneratedIsNotReplayed() throws IOException {
        List<ShenandoahCycle> run = run("text", 200);

        assertThat(ShenandoahForecast.of(seen(200, run, 3L * run.size()))).isEmpty();
        assertThat(ShenandoahForecast.of(seen(200, run, run.size()))).isPresent();
    }

    private static HeapObservation seen(int heapMiB, List<ShenandoahCycle> run) {
        return seen(heapMiB, run, run.size());
    }

    private static HeapObservation seen(int heapMiB, List<ShenandoahCycle> run, long cycles) {
        return new HeapObservation(
                HeapObservation.Kind.SHENANDOAH,
                OptionalInt.of(25),
                heapMiB * MIB,
                Optional.empty(),
                0,
                false,
                0,
                run.getLast().endS(),
                8_000 * MIB,
                0,
                0,
                0,
                cycles,
                0,
                0,
                cycles * 0.2,
                Optional.empty(),
                List.of(),
                run);
    }

    private static List<ShenandoahCycle> run(String program, int heapMiB) throws IOException {
        try (var file =
                Objects.requireNonNull(
                        ShenandoahRunsTest.class.getResourceAsStream(
                                "/heapmodel/shenandoah.csv"))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.split(",", -1))
                    .filter(f -> f[0].equals(program) && f[1].equals(Integer.toString(heapMiB)))
                    .map(ShenandoahRunsTest::cycle)
                    .toList();
        }
    }

    private static ShenandoahCycle cycle(String[] f) {
        double[] v = Arrays.stream(f).skip(2).mapToDouble(Double::parseDouble).toArray();
        return new ShenandoahCycle(
                v[0], v[1], v[2] * MIB, v[3] * MIB, v[4] * MIB, v[5] * MIB, v[6] * MIB);
    }
}
