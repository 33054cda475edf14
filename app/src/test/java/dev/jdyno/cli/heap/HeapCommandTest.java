package dev.jdyno.cli.heap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.cli.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class HeapCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String line) {
        String[] args = ("heap " + line).split(" ");
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    private JsonNode json() {
        return JsonMapper.shared().readTree(out.toString());
    }

    @Test
    void documentedExampleHasFrequentFullCollections() {
        int exit =
                run(
                        "--collector parallel --xmx 256m --xmn 20m --survivor-ratio 8"
                                + " --request-bytes 2m --hold 10ms --concurrency 2"
                                + " --requests 1000 --json");

        assertThat(exit).isZero();
        assertThat(json().get("youngGcs").asInt()).isBetween(103, 126);
        assertThat(json().get("fullGcsFrequent").asBoolean()).isTrue();
        assertThat(json().get("safeConcurrency").asInt()).isEqualTo(1);
        assertThat(json().get("promotedBytes").asLong()).isGreaterThan(100_000_000);
        assertThat(json().get("gcTimeMs").asDouble()).isPositive();
        assertThat(json().get("youngIntervalMs").asDouble()).isBetween(30.0, 60.0);
        assertThat(json().get("says").asString()).startsWith("Full collections are frequent");
    }

    @Test
    void smallPiecesOverflowLessThanOneLargeArray() {
        run(
                "--collector serial --xmx 256m --xmn 15m --survivor-ratio 6 --request-bytes 1m"
                        + " --object-bytes 8k --hold 10ms --concurrency 2 --requests 1000"
                        + " --max-tenuring-threshold 3 --target-survivor-ratio 90 --json");

        assertThat(json().get("fullGcsFrequent").asBoolean()).isFalse();
        assertThat(json().get("layout").get("edenBytes").asLong()).isEqualTo(11520 * 1024);
    }

    @Test
    void releaseBeforeTheWaitGivesNoSafeConcurrency() {
        run(
                "--collector serial --xmx 256m --xmn 15m --survivor-ratio 6 --request-bytes 1200k"
                        + " --hold 10ms --release-before-wait --rate 100/s --requests 2000 --json");

        assertThat(json().get("fullGcsFrequent").asBoolean()).isFalse();
        assertThat(json().get("safeConcurrency").isNull()).isTrue();
    }

    @Test
    void aSweepHasARowForEachSize() {
        run(
                "--collector parallel --xmx 512m --request-bytes 1m --concurrency 4"
                        + " --cpu 2ms --sweep-young 16m:256m:5");

        assertThat(out.toString()).contains("16.0 MiB").contains("76.0 MiB").contains("256 MiB");
    }

    @Test
    void everyMistakeIsNamedAtOnce() {
        int exit = run("--collector zgc --xmx lots --request-bytes 2m --hold 10 --rate -3");

        assertThat(exit).isEqualTo(2);
        assertThat(err.toString())
                .contains("4 mistakes")
                .contains("--collector zgc")
                .contains("--xmx lots")
                .contains("--hold 10")
                .contains("--rate -3");
    }

    @Test
    void aGrowingHeapIsRefusedNotIgnored() {
        int exit = run("--xms 64m --xmx 256m --request-bytes 2m");

        assertThat(exit).isEqualTo(2);
        assertThat(err.toString()).contains("is not modelled");
    }

    @Test
    void aYoungGenerationLargerThanTheHeapIsRefused() {
        int exit = run("--xmx 64m --xmn 80m --request-bytes 2m");

        assertThat(exit).isEqualTo(2);
        assertThat(err.toString()).contains("must be smaller than the heap");
    }
}
