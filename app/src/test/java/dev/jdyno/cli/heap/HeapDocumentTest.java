package dev.jdyno.cli.heap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.cli.GoldenFile;
import dev.jdyno.cli.Main;
import dev.jdyno.gclog.GcLog;
import dev.jdyno.heapmodel.advice.HeapAdvice;
import dev.jdyno.heapmodel.advice.HeapGoal;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.report.json.HeapAdviceForm;
import dev.jdyno.report.json.JsonDocument;
import dev.jdyno.sizing.HeapReading;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The complete JSON documents of heap advice and heap predictions, which scripts of users read.
class HeapDocumentTest {
    private static final Path FOLDER = Path.of("src/test/resources/cli/heap");
    private static final Path LOGS = Path.of("../gclog/src/test/resources/gclog");

    @ParameterizedTest
    @CsvSource({
        "jdk25-parallel, gc=1%, 580m",
        "jdk25-g1, 'pause=50ms,gc=2%', ''",
        "jdk25-z, gc=1%, ''",
        "jdk25-shenandoah, gc=1%, 1g"
    })
    void adviceMatchesGolden(String log, String slo, String container) throws IOException {
        HeapReading read =
                HeapReading.of(
                        GcLog.read(List.of(LOGS.resolve(log + ".log.gz")), GcLog.Options.DEFAULT));
        HeapGoal goal = HeapGoal.parse(slo);
        Optional<Bytes> limit =
                container.isEmpty() ? Optional.empty() : Optional.of(Bytes.parse(container));
        HeapAdvice advice = new SizingOptions().parse().advice(read, goal, limit);
        GoldenFile.assertMatches(
                FOLDER.resolve("advice-" + log + ".json"),
                JsonDocument.text(HeapAdviceForm.of(read, goal, advice, limit)) + "\n");
    }

    private static void prediction(String name, String line) throws IOException {
        var out = new StringWriter();
        var err = new StringWriter();
        int exit =
                Main.run(
                        new PrintWriter(out, true),
                        new PrintWriter(err, true),
                        ("heap " + line + " --json").split(" "));
        assertThat(exit).as(err.toString()).isZero();
        GoldenFile.assertMatches(FOLDER.resolve(name + ".json"), out.toString());
    }

    @Test
    void predictionMatchesGoldenFile() throws IOException {
        prediction(
                "frequent-full",
                "--collector parallel --xmx 256m --xmn 20m --survivor-ratio 8 --request-bytes 2m"
                        + " --hold 10ms --concurrency 2 --requests 1000");
        prediction(
                "no-safe-limit",
                "--collector serial --xmx 256m --xmn 15m --survivor-ratio 6 --request-bytes 1200k"
                        + " --hold 10ms --release-before-wait --rate 100/s --requests 2000");
    }

    @Test
    void sweepMatchesGoldenFile() throws IOException {
        prediction(
                "sweep",
                "--collector parallel --xmx 512m --request-bytes 1m --concurrency 4 --cpu 2ms"
                        + " --sweep-young 16m:256m:5");
    }
}
