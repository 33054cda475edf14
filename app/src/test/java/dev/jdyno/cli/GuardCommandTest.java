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
    void theLevelThatHoldsNowDecides(String options, int code, String verdict) throws IOException {
        String line = ("guard --json --series " + file("s.csv", RISES) + " " + options).strip();

        Said said = Said.jdyno(line.split(" +"));

        assertThat(said.code()).as(said.err()).isEqualTo(code);
        JsonNode json = JsonMapper.shared().readTree(said.out());
        assertThat(json.get("verdict").asString()).isEqualTo(verdict);
        assertThat(json.get("changePoints").size()).isEqualTo(1);
        assertThat(json.get("changePoints").get(0).get("index").asInt()).isEqualTo(6);
    }

    @Test
    void aListOfNumbersIsEnough() throws IOException {
        Said said =
                Said.jdyno(
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
    void whatIsNoNumberIsNamed(String name, String text, String named) throws IOException {
        Path file = file(name, text.replace("\\n", "\n"));
        String column = named.startsWith("row") ? " --column b" : "";

        Said said = Said.jdyno(("guard --series " + file + column).split(" "));

        assertThat(said.code()).as(said.err()).isEqualTo(2);
        assertThat(said.err()).contains(named.split(";"));
    }

    private Path plan(String target) throws IOException {
        return file("shop.yaml", "url: http://127.0.0.1:{port}/\ntarget: " + target + "\n");
    }

    @Test
    void allMistakesOfTheCommandLineAtOnce() {
        Said said =
                Said.jdyno(
                        "guard", "a.yaml", "--series", "b.csv", "--starts", "0", "--block", "1s");

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("--series");
        said = Said.jdyno("guard", "a.yaml", "--starts", "0", "--block", "1s", "--since", "x");
        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("--starts 0", "--block 1s", "--since x");
        assertThat(Said.jdyno("guard").code()).isEqualTo(2);
    }

    @Test
    void whatIsNotLaunchedIsNotGuarded() throws IOException {
        Path plan = file("attached.yaml", "url: http://127.0.0.1:1/\ntarget: {pid: 1}\n");
        assertThat(Said.jdyno("guard", plan.toString()).code()).isEqualTo(2);
    }

    @Test
    void aReferenceNeedsAPortWhereTheServiceHasOne() throws IOException {
        Path plan = plan("{launch: \"java -jar a.jar {port}\"}\nreference: java -jar old.jar 8080");
        Said said = Said.jdyno("guard", plan.toString());
        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("reference", "{port}");
    }

    @Test
    void nothingIsAcceptedThatWasNeverGuarded() throws IOException {
        Path plan = plan("{launch: \"java -jar a.jar {port}\"}");
        Said said =
                Said.jdyno(
                        "guard",
                        plan.toString(),
                        "--accept",
                        "new parser",
                        "--store",
                        folder.resolve("store/history.db").toString());
        assertThat(said.code()).isEqualTo(2);
    }
}
