package dev.jdyno.cli.gc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.cli.CliOutput;
import dev.jdyno.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

class GcCommandTest {
    private static final String G1 = "../gclog/src/test/resources/gclog/jdk25-g1.log.gz";

    @TempDir private Path dir;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    @Test
    void theJsonDocumentHasTheKeysOfTheContract() {
        int exit = run("gc", G1, "--json", "--qps", "100");

        assertThat(exit).isZero();
        JsonNode json = new ObjectMapper().readTree(out.toString());
        assertThat(json.get("schema").asString()).isEqualTo("jdyno/gc/1");
        assertThat(json.propertyNames())
                .contains(
                        "collector",
                        "jdk",
                        "spanS",
                        "lines",
                        "linesUnread",
                        "events",
                        "pausesMs",
                        "stoppedMs",
                        "throughputPct",
                        "heap",
                        "allocBytesPerS",
                        "promotedBytesPerS",
                        "requestBytes");
        assertThat(json.get("pausesMs").propertyNames())
                .contains("count", "total", "p50", "p90", "p95", "p99", "p999", "max");
        assertThat(json.get("requestBytes").asDouble() * 100)
                .isCloseTo(
                        json.get("allocBytesPerS").asDouble(),
                        org.assertj.core.data.Offset.offset(1.0));
    }

    @Test
    void theSummaryFitsAScreen() {
        int exit = run("gc", G1);

        assertThat(exit).isZero();
        assertThat(out.toString().lines()).hasSizeBetween(5, 24);
        assertThat(out.toString()).contains("G1, JDK 25");
    }

    @Test
    void readsFilesWithoutOptions() {
        CliOutput files = CliOutput.jdyno("gc", G1);
        CliOutput withOption = CliOutput.jdyno("gc", "--no-color", G1);

        assertThat(files).isEqualTo(withOption);
        assertThat(GcCommand.ofFiles("gc", G1, "-")).isPresent();
        assertThat(GcCommand.ofFiles("gc", G1, "--json")).isEmpty();
        assertThat(GcCommand.ofFiles("gc")).isEmpty();
        assertThat(GcCommand.ofFiles("heap", G1)).isEmpty();
    }

    @Test
    void unreadableFileIsSameErrorWithAndWithoutOption() {
        CliOutput files = CliOutput.jdyno("gc", "no-such.log");

        assertThat(files.code()).isEqualTo(2);
        assertThat(files).isEqualTo(CliOutput.jdyno("gc", "--quiet", "no-such.log"));
    }

    @Test
    void missingFileIsUsageErrorWithItsName() {
        int exit = run("gc", "no-such.log");

        assertThat(exit).isEqualTo(2);
        assertThat(err.toString()).contains("no-such.log", "no such file").doesNotContain("\tat ");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void anEmptyFileIsAUsageError() throws IOException {
        Path empty = Files.createFile(dir.resolve("empty.log"));

        assertThat(run("gc", empty.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("is empty");
    }

    @Test
    void fileThatIsNoGcLogIsUsageErrorWithALine() throws IOException {
        Path text = Files.writeString(dir.resolve("app.log"), "INFO started\nINFO stopped\n");

        assertThat(run("gc", text.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("is not a GC log", "INFO started");
    }

    @Test
    void refusesToFollowCompressedLogWithAdvice() {
        assertThat(run("gc", G1, "--follow")).isEqualTo(2);
        assertThat(err.toString()).contains("cannot follow", "compressed", "without --follow");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void jsonLinesHaveEveryEventWithPhasesAndAgeTable() throws IOException {
        Path events = dir.resolve("events.jsonl");

        assertThat(run("gc", G1, "--jsonl", events.toString(), "--json")).isZero();

        JsonNode summary = new ObjectMapper().readTree(out.toString());
        List<JsonNode> lines =
                Files.readAllLines(events).stream().map(new ObjectMapper()::readTree).toList();
        List<JsonNode> pauses =
                lines.stream().filter(n -> n.get("event").asString().equals("pause")).toList();
        assertThat(pauses).hasSize(summary.get("pausesMs").get("count").asInt());
        assertThat(pauses.stream().mapToDouble(n -> n.get("ms").asDouble()).sum())
                .isCloseTo(
                        summary.get("pausesMs").get("total").asDouble(),
                        org.assertj.core.data.Offset.offset(1e-3));
        assertThat(lines)
                .allSatisfy(n -> assertThat(n.propertyNames()).contains("line", "uptimeS"));
        assertThat(pauses.getFirst().propertyNames())
                .contains("kind", "cause", "heap", "phases", "tenuring");
        assertThat(lines.stream().map(n -> n.get("event").asString()))
                .contains("cycle", "concurrentPhase");
    }
}
