package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class GuardCommandTest {
    private static final String RISES =
            """
            # a comment
            day,ms,rate
            1,10,200
            2,10.5,205
            3,10.1,199
            4,9.9,203
            5,10.2,198
            6,10.3,201
            7,20,100
            8,20.4,101
            9,19.8,99
            10,20.1,102
            11,20.3,98
            12,19.9,100
            """;

    @TempDir private Path folder;

    private Path file(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, text);
        return file;
    }

    @ParameterizedTest
    @CsvSource({
        "--column ms --lower-is-better, 4, regression",
        "--column ms, 0, ok",
        "--column 2 --lower-is-better, 4, regression",
        "'', 4, regression"
    })
    void currentLevelDecides(String options, int code, String verdict) throws IOException {
        String line = ("guard --json --series " + file("s.csv", RISES) + " " + options).strip();

        CliOutput said = CliOutput.jdyno(line.split(" +"));

        assertThat(said.code()).as(said.err()).isEqualTo(code);
        JsonNode json = JsonMapper.shared().readTree(said.out());
        assertThat(json.get("verdict").asString()).isEqualTo(verdict);
        assertThat(json.get("changePoints").size()).isEqualTo(1);
        assertThat(json.get("changePoints").get(0).get("index").asInt()).isEqualTo(6);
    }

    @Test
    void aListOfNumbersIsEnough() throws IOException {
        CliOutput said =
                CliOutput.jdyno(
                        "guard",
                        "--series",
                        file("s.json", "[5, 5.1, 4.9, 5]").toString(),
                        "--json");

        assertThat(said.code()).isEqualTo(3);
        assertThat(JsonMapper.shared().readTree(said.out()).get("verdict").asString())
                .isEqualTo("unclear");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "s.csv | a,b\\n1,x\\n2,y\\n | row 2;row 3",
                "s.csv | '' | empty",
                "s.csv | x\\ny\\n | no column",
                "s.json | {} | no list",
                "s.json | [1, \"two\", null] | two;null",
                "s.json | [1, | no JSON"
            })
    void namesInvalidNumber(String name, String text, String named) throws IOException {
        Path file = file(name, text.replace("\\n", "\n"));
        String column = named.startsWith("row") ? " --column b" : "";

        CliOutput said = CliOutput.jdyno(("guard --series " + file + column).split(" "));

        assertThat(said.code()).as(said.err()).isEqualTo(2);
        assertThat(said.err()).contains(named.split(";"));
    }

    /// Six values about 100, and six about 120: each file is the same series.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "decimal comma | day;ms | %d;%s,5 | ''",
                "decimal comma without a heading | '' | a%d;%s,5 | ''",
                "one column with decimal commas | ms | %2$s,5 | ''",
                "tabs | day\\tms | %d\\t%s,5 | ''",
                "sep= | sep=;\\nday;ms | %d;%s,5 | ''",
                "sep= in quotes | \"sep=;\"\\nday;ms | %d;%s,5 | ''",
                "a mark and sep= | \\ufeffsep=,\\nday,ms | %d,%s.5 | ''",
                "a mark | \\ufeffms | %2$s.5 | --column ms",
                "quotes | \"day\",\"ms\" | \"%d\",\"%s.5\" | ''",
                "quoted heading made of numbers | \"1\",\"2\" | %d,%s.5 | ''",
                "a heading with a number | day,2026 | d%d,%s.5 | ''",
                "a heading with numbers | 'users,10,200' | %d,7,%s.5 | --column 200",
                "an index without a name | ',200' | %d,%s.5 | ''",
                "days below a heading with a number | day,2026 | 2026-01-%02d,%s.5 | ''",
                "commits below a heading with a number | commit,2026 | 6c0ffe%02d,%s.5 | ''",
                "a last column of commits | day,ms,commit | %d,%s.5,12345%02d | ''",
                "a last column without a name | '' | %d,%s.5,a1b%d | ''",
                "commits in the last column | '' | %d,%s.5,6c0ffee%d | ''",
                "a column of times behind | ms,at | %2$s.5,17%1$06d | ''",
                "thousands in quotes | day,ms | '%d,\"1,%s.5\"' | ''",
                "thousands with points | day;ms | %d;1.%s,5 | ''",
                "thousands with blanks | day;ms | %d;1 %s,5 | ''",
                "a semicolon at the end | day;ms; | %d;%s,5; | ''",
                "comments and blank lines | # by hand\\nday,ms\\n | %d,%s.5\\n# one more\\n | ''"
            })
    void everyDialectIsTheSameSeries(String name, String heading, String row, String options)
            throws IOException {
        var text = new StringBuilder(heading == null ? "" : lines(heading) + "\n");
        for (int i = 1; i <= 12; i++) {
            text.append(String.format(lines(row), i, i <= 6 ? 100 + i % 3 : 120 + i % 3, i))
                    .append('\n');
        }
        Path file = file("s.csv", text.toString());

        CliOutput said =
                CliOutput.jdyno(
                        ("guard --json --lower-is-better --series " + file + " " + options)
                                .strip()
                                .split(" +"));

        assertThat(said.code()).as(name + "\n" + text + said.err()).isEqualTo(4);
        JsonNode json = JsonMapper.shared().readTree(said.out());
        assertThat(json.get("values").asInt()).isEqualTo(12);
        JsonNode change = json.get("changePoints").get(0);
        assertThat(change.get("index").asInt()).isEqualTo(6);
        double thousands = name.startsWith("thousands") ? 1000 : 0;
        assertThat(change.get("before").asDouble()).isEqualTo(thousands + 101.5);
        assertThat(change.get("after").asDouble()).isEqualTo(thousands + 121.5);
    }

    private static String lines(String text) {
        return text.replace("\\n", "\n").replace("\\t", "\t").replace("\\ufeff", "\ufeff");
    }

    /// A text with two possible meanings is refused, instead of choosing one of them.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'ms\\n1,234\\n1,240\\n' | comma",
                "'day;ms\\n1;1,234\\n2;1,240\\n' | comma",
                "'day,ms\\n1,100,5\\n2,101,5\\n' | row 2;row 3;semicolons",
                "'day;ms\\n1;100,5\\n2;101.5\\n' | comma",
                "'day,ms\\n1,12d\\n2,0x1p3\\n3,5\\n4,6\\n5,7\\n' | row 2;row 3",
                "'2026-01-01,n/a\\n2026-01-02,5\\n2026-01-03,6\\n' | row 1",
                "'ms\\n5\\n\\n6\\nNaN\\n7\\n' | row 5",
                "'day,ms\\n1,\"5\\n2,6\\n' | quotes"
            })
    void refusesAmbiguousNumber(String text, String named) throws IOException {
        Path file = file("s.csv", lines(text));

        CliOutput said = CliOutput.jdyno("guard", "--series", file.toString());

        assertThat(said.code()).as(said.out() + said.err()).isEqualTo(2);
        assertThat(said.err()).contains(named.split(";"));
    }

    @Test
    void theTimeOfMeasurementOrdersTheValues() throws IOException {
        var newestFirst = new StringBuilder("commit,at,ms\n");
        for (int day = 12; day >= 1; day--) {
            newestFirst.append(
                    String.format(
                            "c%d,2026-01-%02dT04:30:00+01:00,%d\n",
                            day, day, (day <= 6 ? 100 : 120) + day % 3));
        }
        Path file = file("s.csv", newestFirst.toString());

        CliOutput said =
                CliOutput.jdyno(
                        "guard", "--series", file.toString(), "--lower-is-better", "--json");

        assertThat(said.code()).as(said.err()).isEqualTo(4);
        JsonNode change = JsonMapper.shared().readTree(said.out()).get("changePoints").get(0);
        assertThat(change.get("before").asDouble()).isEqualTo(101);
    }

    @Test
    void zerosBeforeHaveNoRatioInWords() throws IOException {
        Path file = file("s.json", "[0, 0, 0, 0, 0, 0, 0, 5, 5.2, 4.9, 5.1, 5, 5.1]");

        CliOutput said = CliOutput.jdyno("guard", "--series", file.toString(), "--lower-is-better");

        assertThat(said.code()).as(said.err()).isEqualTo(4);
        assertThat(said.out()).doesNotContain("Infinity", "NaN", "unlimited", "×");
        assertThat(CliOutput.jdyno("guard", "--series", file.toString()).code()).isZero();
    }

    @Test
    void aSeriesThatTakesGigabytesIsRefused() throws IOException {
        Path file = file("s.csv", "5\n".repeat(5001));

        CliOutput said = CliOutput.jdyno("guard", "--series", file.toString());

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("5001");
    }

    private Path plan(String target) throws IOException {
        return file("shop.yaml", "url: http://127.0.0.1:{port}/\ntarget: " + target + "\n");
    }

    @Test
    void reportsAllMistakesOfCommandLine() {
        CliOutput said =
                CliOutput.jdyno(
                        "guard", "a.yaml", "--series", "b.csv", "--starts", "0", "--block", "1s");

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("--series");
        said = CliOutput.jdyno("guard", "a.yaml", "--starts", "0", "--block", "1s", "--since", "x");
        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("--starts 0", "--block 1s", "--since x");
        assertThat(CliOutput.jdyno("guard").code()).isEqualTo(2);
    }

    @Test
    void refusesServiceWithoutLaunchCommand() throws IOException {
        Path plan = file("attached.yaml", "url: http://127.0.0.1:1/\ntarget: {pid: 1}\n");
        assertThat(CliOutput.jdyno("guard", plan.toString()).code()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "drive: 'wrk {n} {seconds} 8080' | '' | drive,no {port},write {port}",
                "drive: 'wrk {n} {seconds} {port}' | --bisect v1..v2 | drive:",
                "drive: {command: 'k6 {n} {seconds}', through: 8090} | reference | through:"
            })
    void loadToolThatCannotLoadTheServiceIsRefused(String drive, String how, String named)
            throws IOException {
        boolean pinned = "reference".equals(how);
        Path plan =
                file(
                        "driven.yaml",
                        "url: 'http://127.0.0.1:{port}/'\ntarget: {launch: 'java -jar a.jar {port}'}\n"
                                + drive
                                + (pinned ? "\nreference: 'java -jar old.jar {port}'" : "")
                                + (how.isEmpty() || pinned ? "\n" : "\nbuild: make\n"));
        String line = "guard " + plan + (pinned ? "" : " " + how);

        CliOutput said = CliOutput.jdyno(line.strip().split(" +"));

        assertThat(said.code()).as(said.err()).isEqualTo(2);
        assertThat(said.err()).contains(named.split(","));
    }

    @Test
    void referenceNeedsPortIfServiceHasPort() throws IOException {
        Path plan = plan("{launch: \"java -jar a.jar {port}\"}\nreference: java -jar old.jar 8080");
        CliOutput said = CliOutput.jdyno("guard", plan.toString());
        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("reference", "{port}");
    }

    @Test
    void budgetMustHaveTimeForThreeStartsOfBothBuilds() throws IOException {
        Path plan =
                plan(
                        "{launch: \"java -jar a.jar {port}\"}\n"
                                + "reference: java -jar old.jar {port}");

        CliOutput said = CliOutput.jdyno("guard", plan.toString(), "--budget", "1m");

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("--budget 1m");
    }

    /// 12 blocks of 5 minutes take longer than the 20 minutes of the default.
    @Test
    void defaultBudgetMustHaveTimeForTheBlocks() throws IOException {
        Path plan =
                plan(
                        "{launch: \"java -jar a.jar {port}\"}\n"
                                + "reference: java -jar old.jar {port}");

        CliOutput said = CliOutput.jdyno("guard", plan.toString(), "--block", "5m");

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("20m", "--budget 1h");
    }

    @Test
    void refusesToAcceptUnguardedFigure() throws IOException {
        Path plan = plan("{launch: \"java -jar a.jar {port}\"}");
        CliOutput said =
                CliOutput.jdyno(
                        "guard",
                        plan.toString(),
                        "--accept",
                        "new parser",
                        "--store",
                        folder.resolve("store/history.db").toString());
        assertThat(said.code()).isEqualTo(2);
    }
}
