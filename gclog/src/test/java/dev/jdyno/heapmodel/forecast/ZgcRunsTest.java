package dev.jdyno.heapmodel.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.measure.gc.ZgcYoung;
import dev.jdyno.measure.text.Bytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Replays of real runs: two programs of bench/heap/Corpus.java on JDK 25, each on 200 and 480 MiB.
/// One allocates slowly and keeps nothing. In the other one, threads wait for memory at two of
/// three collections. More runs: docs/heap-forecast-errors.md.
class ZgcRunsTest {
    private static final double MIB = 1024.0 * 1024.0;

    @ParameterizedTest(name = "{0} on {2} MiB from its log on {1}: off by {3} at most")
    @CsvSource({
        "text, 200, 480, 0.15",
        "text, 480, 200, 0.15",
        "sessions, 200, 480, 0.25",
        "sessions, 480, 200, 0.30"
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
    @CsvSource({"text, 200, 0.1", "text, 480, 0.1", "sessions, 200, 0.3", "sessions, 480, 0.3"})
    void replayMatchesRun(String program, int heap, double error) throws IOException {
        List<ZgcYoung> run = run(program, heap);

        double replayed =
                (double)
                        ZgcReplay.collections(new ZgcHistory(run), heap * MIB, heap * MIB)
                                .orElseThrow();

        assertThat(Math.abs(replayed / run.size() - 1)).isLessThan(error);
    }

    private static HeapObservation seen(int heapMiB, List<ZgcYoung> run) {
        return new HeapObservation(
                HeapObservation.Kind.ZGC,
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
                run.size(),
                0,
                0,
                run.size() * 0.03,
                Optional.empty(),
                run,
                List.of());
    }

    private static List<ZgcYoung> run(String program, int heapMiB) throws IOException {
        try (var file =
                Objects.requireNonNull(
                        ZgcRunsTest.class.getResourceAsStream("/heapmodel/zgc.csv"))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.split(",", -1))
                    .filter(f -> f[0].equals(program) && f[1].equals(Integer.toString(heapMiB)))
                    .map(ZgcRunsTest::collection)
                    .toList();
        }
    }

    private static ZgcYoung collection(String[] f) {
        double[] v = Arrays.stream(f).skip(4).mapToDouble(Double::parseDouble).toArray();
        return new ZgcYoung(
                f[2],
                Boolean.parseBoolean(f[3]),
                v[0],
                v[1],
                v[2],
                v[3],
                v[4],
                v[5] * MIB,
                v[6] * MIB,
                v[7] * MIB,
                v[8] * MIB,
                v[9] * MIB,
                v[10] * MIB,
                v[11] * MIB,
                v[12] * MIB,
                v[13] * MIB,
                v[14] * MIB);
    }
}
