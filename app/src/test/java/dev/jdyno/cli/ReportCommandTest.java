package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jdyno.measure.RunResult;
import dev.jdyno.report.json.ResultJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReportCommandTest {
    /// A result with one profile: CPU at 40 in flight, 10 samples in `http-nio-exec`, 7 of them in
    /// `dev.jdyno.lab.CpuBurner.burn`.
    private static final Path RESULT =
            Path.of("../report/src/test/resources/report/json/complete.json");

    @TempDir private Path folder;

    private static CliOutput report(String... args) {
        String[] all = new String[args.length + 1];
        all[0] = "report";
        System.arraycopy(args, 0, all, 1, args.length);
        return CliOutput.jdyno(all);
    }

    @Test
    void aFolderPrintsTheResultAndJsonTheDocument() throws IOException {
        Files.copy(RESULT, folder.resolve("result.json"));
        RunResult result = ResultJson.read(RESULT);

        CliOutput text = report(folder.toString());
        CliOutput json = report(folder.toString(), "--json");

        assertThat(text.code()).isZero();
        assertThat(text.out()).contains(result.verdict().bottleneck().key());
        assertThat(json.out()).isEqualTo(ResultJson.toString(result));
    }

    @Test
    void standardOutputHasOnlyTheCollapsedStacks() {
        CliOutput said = report(RESULT.toString(), "--export", "collapsed");

        assertThat(said.code()).isZero();
        assertThat(said.out().lines())
                .containsExactly(
                        "[http-nio-exec] 3", "[http-nio-exec];dev/jdyno/lab/CpuBurner.burn 7");
        assertThat(said.err()).contains("cpu, 40 in flight").contains("10 samples");
        assertThat(report(RESULT.toString(), "--export", "collapsed", "--quiet").err()).isEmpty();
    }

    @Test
    void speedscopeIsOneJsonDocument() {
        CliOutput said = report(RESULT.toString(), "--export", "speedscope");

        JsonNode file = JsonMapper.shared().readTree(said.out());
        assertThat(file.at("/profiles/0/endValue").intValue()).isEqualTo(10);
        assertThat(file.at("/profiles/0/name").stringValue()).startsWith("cpu, 40 in flight");
    }

    @Test
    void aFileIsForItsOwnerOnlyAndAForeignLinkIsNotFollowed() throws IOException {
        Path file = folder.resolve("cpu.collapsed");
        Path victim = Files.writeString(folder.resolve("victim"), "kept");
        Path link = Files.createSymbolicLink(folder.resolve("link"), victim);

        CliOutput said =
                report(RESULT.toString(), "--export", "collapsed", "--out", file.toString());
        CliOutput refused =
                report(RESULT.toString(), "--export", "collapsed", "--out", link.toString());

        assertThat(said.code()).isZero();
        assertThat(said.out()).isEmpty();
        assertThat(Files.readAllLines(file)).hasSize(2);
        assertThat(Files.getPosixFilePermissions(file)).hasSize(2);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(victim).hasContent("kept");
    }

    @ParameterizedTest
    @CsvSource({
        "--export pprof, --out FILE",
        "--export svg, SPEEDSCOPE",
        "--kind cpu, belong to --export",
        "--load 40, belong to --export",
        "--out x, belong to --export",
        "--export collapsed --json, --export speedscope is JSON",
        "--export collapsed --kind wall, cpu at 40",
        "--export collapsed --load 41, cpu at 40"
    })
    void mistakesAreExplained(String options, String said) {
        String[] words = (RESULT + " " + options).split(" ");

        CliOutput refused = report(words);

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains(said);
        assertThat(refused.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"collapsed", "speedscope"})
    void aResultWithoutFlameGraphsIsNamed(String form) {
        CliOutput refused =
                report("../report/src/test/resources/report/result.json", "--export", form);

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("has no stacks").contains("--no-profile");
    }

    @ParameterizedTest
    @CsvSource({"'\"samples\": 10,', '\"samples\": 6,'", "'\"samples\": 7,', '\"samples\": -7,'"})
    void aChangedFileIsRefused(String sample, String damaged) throws IOException {
        String text = Files.readString(RESULT);
        Path file = Files.writeString(folder.resolve("result.json"), text.replace(sample, damaged));
        assertThat(file).content().isNotEqualTo(text);

        CliOutput refused = report(file.toString(), "--export", "collapsed");

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.out()).isEmpty();
    }

    @Test
    @Tag("full") // compiles Go's pprof if it was never used here
    void goToolPprofPrintsTheTopFrame() throws Exception {
        Path go =
                Stream.of(Path.of("/usr/local/go/bin/go"), Path.of("/usr/bin/go"))
                        .filter(Files::isExecutable)
                        .findFirst()
                        .orElse(Path.of("none"));
        assumeTrue(Files.isExecutable(go), "skipped: there is no Go here");
        Path file = folder.resolve("cpu.pb.gz");
        assertThat(report(RESULT.toString(), "--export", "pprof", "--out", file.toString()).code())
                .isZero();

        String top = ran(go, "tool", "pprof", "-top", file.toString());
        String comments = ran(go, "tool", "pprof", "-comments", file.toString());

        List<String> rows = top.lines().dropWhile(l -> !l.contains("flat%")).skip(1).toList();
        assertThat(rows.getFirst().strip()).startsWith("7 70").endsWith("CpuBurner.burn");
        assertThat(rows.get(1).strip()).startsWith("3 30").endsWith("[http-nio-exec]");
        assertThat(comments).contains("cpu, 40 in flight");
        assertThat(ran(go, "tool", "pprof", "-top", "-sample_index=1", file.toString()))
                .contains("cpu_per_request");
    }

    private String ran(Path program, String... args) throws Exception {
        var words = new ArrayList<>(List.of(program.toString()));
        words.addAll(List.of(args));
        var builder = new ProcessBuilder(words).directory(folder.toFile());
        builder.environment().put("GOTOOLCHAIN", "local");
        builder.environment().put("PPROF_TMPDIR", folder.toString());
        Path said = folder.resolve("said.txt");
        Process process = builder.redirectErrorStream(true).redirectOutput(said.toFile()).start();
        process.getOutputStream().close();
        int code = process.waitFor();
        String text = Files.readString(said, StandardCharsets.UTF_8);
        assertThat(code).as(text).isZero();
        return text;
    }
}
