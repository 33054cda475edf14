package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Output for truncated or corrupt compressed logs.
class IncompleteLogTest {
    @TempDir private Path dir;

    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    private int run(String... args) {
        out = new StringWriter();
        err = new StringWriter();
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    private JsonNode json(String... args) {
        assertThat(run(args)).isZero();
        return JsonMapper.shared().readTree(out.toString());
    }

    private static byte[] packed() throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write(
                    IntStream.range(0, 5000)
                            .mapToObj(i ->
                                    "["
                                            + (i + 1)
                                            + ".000s][info][gc] GC("
                                            + i
                                            + ") Pause Young (Normal) (G1 Evacuation Pause) 24M->8M(64M) 5."
                                            + (100 + i * 7919 % 899)
                                            + "ms\n")
                            .collect(Collectors.joining())
                            .getBytes(StandardCharsets.UTF_8));
        }
        return packed.toByteArray();
    }

    private Path whole() throws IOException {
        return Files.write(dir.resolve("whole.log.gz"), packed());
    }

    private Path cut() throws IOException {
        byte[] packed = packed();
        return Files.write(dir.resolve("cut.log.gz"), Arrays.copyOf(packed, packed.length / 2));
    }

    private Path corrupt() throws IOException {
        byte[] packed = packed();
        Arrays.fill(packed, packed.length / 2, packed.length / 2 + 20, (byte) 0xff);
        return Files.write(dir.resolve("corrupt.log.gz"), packed);
    }

    private long warnings() {
        return out.toString().lines().filter(l -> l.startsWith("warning: ")).count();
    }

    @Test
    void marksIncompleteLogInTextJsonAndPage() throws IOException {
        Path cut = cut();
        JsonNode at = json("gc", cut.toString(), "--json").get("incomplete");

        assertThat(at).hasSize(1);
        assertThat(at.get(0).get("file").asString()).isEqualTo(cut.toString());
        assertThat(at.get(0).get("kind").asString()).isEqualTo("cut");
        assertThat(at.get(0).get("behindLine").asLong()).isBetween(1000L, 4999L);
        run("gc", cut.toString(), "--html", dir.resolve("gc.html").toString());
        assertThat(warnings()).isOne();
        assertThat(Files.readString(dir.resolve("gc.html")))
                .contains(at.get(0).get("says").asString());
    }

    @Test
    void distinguishesCorruptFromTruncatedLog() throws IOException {
        assertThat(
                        json("gc", corrupt().toString(), "--json")
                                .get("incomplete")
                                .get(0)
                                .get("kind")
                                .asString())
                .isEqualTo("corrupt");
        assertThat(json("gc", whole().toString(), "--json").get("incomplete")).isEmpty();
        assertThat(run("gc", whole().toString())).isZero();
        assertThat(warnings()).isZero();
    }

    @Test
    void marksIncompleteLogInFolderAndComparison() throws IOException {
        Path whole = whole();
        Path cut = cut();
        corrupt();

        JsonNode logs = json("gc", dir.toString(), "--json").get("logs");
        List<String> kinds =
                logs.valueStream()
                        .flatMap(l -> l.get("incomplete").valueStream())
                        .map(i -> i.get("kind").asString())
                        .sorted()
                        .toList();
        assertThat(logs).hasSize(3);
        assertThat(kinds).containsExactly("corrupt", "cut");
        run("gc", dir.toString());
        assertThat(warnings()).isEqualTo(2);

        assertThat(json("gc", whole.toString(), cut.toString(), "--json").get("incomplete"))
                .hasSize(1);
        run("gc", whole.toString(), cut.toString());
        assertThat(warnings()).isOne();
    }

    @Test
    void namesIncompletePart() throws IOException {
        byte[] packed = packed();
        Files.write(dir.resolve("gc.log.0.gz"), Arrays.copyOf(packed, packed.length / 2));
        Path last =
                Files.writeString(
                        dir.resolve("gc.log"),
                        "[9000.000s][info][gc] GC(9000) Pause Young (Normal) (G1 Evacuation Pause) 24M->8M(64M) 5.100ms\n");

        JsonNode json = json("gc", last.toString(), "--json");

        assertThat(json.get("incomplete").get(0).get("file").asString()).endsWith("gc.log.0.gz");
        assertThat(json.get("events").get("young").asLong())
                .isGreaterThan(json.get("incomplete").get(0).get("behindLine").asLong() - 2);
    }

    @Test
    void compressedLogOfFifteenBytesIsAUserError() throws IOException {
        Path file = Files.write(dir.resolve("a.log.gz"), Arrays.copyOf(packed(), 15));

        assertThat(run("gc", file.toString())).isEqualTo(2);
        assertThat(err.toString()).startsWith("error: cannot read " + file);
    }
}
