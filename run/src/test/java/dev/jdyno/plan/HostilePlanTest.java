package dev.jdyno.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.jdyno.measure.load.Incomplete;
import dev.jdyno.measure.load.Workload;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.text.UserError.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Invalid plans, workloads and logs of a user end with exit code 2 and name file and line.
class HostilePlanTest {
    private static final String URL = "url: http://127.0.0.1/\n";
    private static final String LINE =
            "127.0.0.1 - - [10/Oct/2025:13:55:%02d +0000] \"GET /%d HTTP/1.1\" 200 5\n";

    @TempDir Path folder;

    private UserError refused(String text) throws IOException {
        return refused(Files.writeString(folder.resolve("plan.yaml"), text));
    }

    private static UserError refused(Path file) {
        return catchThrowableOfType(UserError.class, () -> PlanFile.read(file, Environment.NONE));
    }

    private Path sparse(String name) throws IOException {
        Path file = folder.resolve(name);
        try (var sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(6L << 30);
        }
        return file;
    }

    static String laughs() {
        return IntStream.range(1, 10)
                .mapToObj(
                        i -> "v" + i + ": &v" + i + " [" + ("*v" + (i - 1) + ",").repeat(9) + "]\n")
                .collect(Collectors.joining("", URL + "v0: &v0 [x,x,x,x,x,x,x,x,x]\n", ""));
    }

    @Test
    void reportsNestedAndRecursiveAliasesWithTheirLine() throws IOException {
        assertThat(refused(laughs()).kind()).isEqualTo(Kind.USAGE);
        assertThat(refused(laughs()).why()).contains("plan.yaml:7: ");
        assertThat(refused(URL + "x: &a [*a]\n").why()).contains("plan.yaml:2: ");
    }

    @ParameterizedTest
    @CsvSource({
        "'x: \u0000', 2",
        "'%YAML 9.9\n---\na: b', 2",
        "'? [a]\n: b', 2",
        "'a: *b', 2",
        "'---\na: b', 3"
    })
    void everyParserErrorIsReportedWithItsLine(String text, int line) throws IOException {
        UserError refused = refused(URL + text);

        assertThat(refused.kind()).isEqualTo(Kind.USAGE);
        assertThat(refused.why()).contains("plan.yaml:" + line);
    }

    @Test
    void tooDeepNestingIsAMistakeWithoutStackOverflow() throws IOException {
        assertThat(refused("url: " + "[".repeat(50_000)).why()).contains("plan.yaml:1: ");
        assertThat(refused(URL + "a:\n" + nested(5000)).kind()).isEqualTo(Kind.USAGE);
    }

    private static String nested(int levels) {
        return IntStream.rangeClosed(1, levels)
                .mapToObj(i -> " ".repeat(Math.min(i, 1000)) + "a:\n")
                .limit(1000)
                .collect(Collectors.joining());
    }

    @Test
    void tooLargeSizeAndWrongEncodingAreMistakes() throws IOException {
        assertThat(refused(sparse("big.yaml")).kind()).isEqualTo(Kind.USAGE);
        Path bytes = folder.resolve("bytes.yaml");
        Files.write(bytes, (URL + "name: \u00ff\n").getBytes(StandardCharsets.ISO_8859_1));
        assertThat(refused(bytes).why()).contains("bytes.yaml:2: ");
    }

    @Test
    void firstMistakesAreListedAndAllAreCounted() {
        var problems = new Problems();
        IntStream.range(0, 100_000).forEach(i -> problems.add("p:" + i, "wrong", "mend"));

        UserError all =
                catchThrowableOfType(UserError.class, () -> problems.throwIfAny("the plan"));

        assertThat(all.what()).contains("100000");
        assertThat(all.why().lines().filter(l -> l.contains(": wrong"))).hasSize(100);
        assertThat(all.why()).endsWith("and 99900 more");
    }

    @Test
    void manyGoalsAndDeepExpressionsAreRefused() throws IOException {
        assertThat(refused(URL + "goal: " + "p50<1ms,".repeat(200_000) + "p60<1s").kind())
                .isEqualTo(Kind.USAGE);
        assertThat(
                        refused(
                                        URL
                                                + "workload: {journeys: [{steps: [{path: /, take: {a: 'regex "
                                                + "(".repeat(100_000)
                                                + "'}}]}]}\n")
                                .kind())
                .isEqualTo(Kind.USAGE);
    }

    @Test
    void plansWithAnyCharacterSurviveWritingAndReading() {
        Plan plan =
                PlanFile.parse(
                        "p",
                        "p",
                        URL + "body: \"\\x01\\x7f\\x85\\u2028\\ufeff\\ud800 ä\\U0001F600\"\n");

        assertThat(PlanFile.parse("p", "p", PlanText.of(plan)).body()).isEqualTo(plan.body());
    }

    private Workload replay(String name, byte[] log) throws IOException {
        return AccessLog.workload(Files.write(folder.resolve(name), log), Optional.of(1.0));
    }

    private static byte[] log() {
        return IntStream.range(0, 5000)
                .mapToObj(i -> LINE.formatted(i / 100, i * 7919L))
                .collect(Collectors.joining())
                .getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void reportsTruncatedCompressedLog() throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(bytes)) {
            out.write(log());
        }
        byte[] packed = bytes.toByteArray();

        var whole = replay("a.log.gz", packed);
        var cut = replay("b.log.gz", Arrays.copyOf(packed, packed.length / 2));

        assertThat(whole.replay().orElseThrow().unread().incomplete()).isEmpty();
        assertThat(whole.warning()).isEmpty();
        Incomplete end = cut.replay().orElseThrow().unread().incomplete().orElseThrow();
        assertThat(end.kind()).isEqualTo(Incomplete.Kind.CUT);
        assertThat(end.behindLine()).isBetween(1000L, 4999L);
        assertThat(cut.warning().orElseThrow().id()).isEqualTo(Incomplete.WARNING);
        assertThat(cut.warning().orElseThrow().spoils()).isFalse();
    }

    @Test
    void aLineWithoutEndIsOneUnreadLine() throws IOException {
        var log = new ByteArrayOutputStream();
        log.writeBytes("x".repeat(10_000_000).getBytes(StandardCharsets.UTF_8));
        log.writeBytes(("\n" + LINE.formatted(1, 1)).getBytes(StandardCharsets.UTF_8));

        var unread = replay("a.log", log.toByteArray()).replay().orElseThrow().unread();

        assertThat(unread.lines()).isEqualTo(2);
        assertThat(unread.count()).isOne();
        assertThat(unread.first().getFirst().length()).isLessThan(300);
    }

    @Test
    void timesCenturiesApartAreNoLog() {
        byte[] log =
                """
                - - - [0001-10-10T13:55:36+00:00] "GET /a HTTP/1.1" 200 5
                - - - [9999-10-10T13:55:36+00:00] "GET /a HTTP/1.1" 200 5
                """
                        .getBytes(StandardCharsets.UTF_8);

        assertThat(catchThrowableOfType(IllegalArgumentException.class, () -> replay("a", log)))
                .isNotNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a.jsonl | 1",
                "a.jsonl | '{\"a\": {}}'",
                "a.jsonl | '{\"a\": '",
                "a.csv   | 'a,b\n1'",
            })
    void namesLinesOfInvalidRows(String name, String text) throws IOException {
        Path file = Files.writeString(folder.resolve(name), text);

        assertThat(catchThrowableOfType(IllegalArgumentException.class, () -> DataRows.read(file)))
                .hasMessageStartingWith("line " + (name.endsWith("csv") ? 2 : 1));
    }

    @Test
    void rowsOfAGiantLineOrOfMillionsAreRefused() throws IOException {
        Path giant = sparse("giant.csv");
        assertThat(catchThrowableOfType(IllegalArgumentException.class, () -> DataRows.read(giant)))
                .hasMessageContaining("line 1 ");
        Path many = Files.writeString(folder.resolve("many.csv"), "a\n" + "b\n".repeat(2_100_000));
        assertThat(catchThrowableOfType(IllegalArgumentException.class, () -> DataRows.read(many)))
                .hasMessageStartingWith("line ");
    }
}
