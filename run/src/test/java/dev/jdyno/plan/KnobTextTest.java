package dev.jdyno.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Change;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KnobTextTest {
    private static final String HEAD =
            """
            url: http://127.0.0.1:{port}/
            target: {launch: "java -jar app.jar {port} {app.tmpl}"}
            knobs:
            """;

    @TempDir private Path folder;

    private Plan plan(String knobs) throws IOException {
        Path file = folder.resolve("plan.yaml");
        Files.writeString(file, HEAD + knobs);
        return PlanFile.read(file, Environment.NONE);
    }

    @Test
    void everyPlaceOfAKnobIsReadAndWritten() throws IOException {
        Files.writeString(folder.resolve("app.tmpl"), "pool: {pool}\n");

        Plan plan =
                plan(
                        """
                          - {name: server, values: [tomcat, undertow], arg: "--server={}"}
                          - {name: cache, values: ["off", 10s], env: "CACHE_TTL={}"}
                          - {name: workers, range: 8..256, property: "server.tomcat.threads.max={}"}
                          - {name: inline, values: [35, 70], flag: "-XX:MaxInlineSize={}"}
                          - {name: dedup, values: ["", "-XX:+UseStringDeduplication"], flag: "{}"}
                          - {name: pool, values: [8, 16], file: app.tmpl}
                        """);

        assertThat(plan.knobs().stream().map(k -> k.to("7")))
                .containsExactly(
                        new Change.ProgramArgument("--server={}", "7"),
                        new Change.EnvironmentVariable("CACHE_TTL", "7"),
                        new Change.SystemProperty("server.tomcat.threads.max", "7"),
                        new Change.JvmFlag("-XX:MaxInlineSize", "7"),
                        new Change.JvmFlag("7"),
                        new Change.FileValue(
                                folder.resolve("app.tmpl").toAbsolutePath().toString(),
                                "pool",
                                "7"));
        Path again = folder.resolve("again.yaml");
        Files.writeString(again, PlanText.of(plan));
        assertThat(PlanFile.read(again, Environment.NONE).knobs()).isEqualTo(plan.knobs());
    }

    @Test
    void ordersValuesToTry() throws IOException {
        List<Knob> knobs =
                plan("""
                  - {name: a, values: [now, x, y], arg: "--a={}"}
                  - {name: b, range: 8..128, arg: "--b={}"}
                """)
                        .knobs();

        assertThat(knobs.get(0).first()).containsExactly("x", "y");
        assertThat(knobs.get(0).near("x", List.of("x", "y"))).isEmpty();
        assertThat(knobs.get(1).first()).containsExactly("8", "32", "128");
        assertThat(knobs.get(1).near("32", List.of("8", "32", "128"))).containsExactly("16", "64");
        assertThat(knobs.get(1).near("8", List.of("8", "32", "128"))).containsExactly("16");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{values: [a, b], arg: '--a={}'} | name: missing",
                "{name: a, values: [a], arg: '--a={}'} | fewer than two",
                "{name: a, arg: '--a={}'} | values: missing",
                "{name: a, range: 9..3, arg: '--a={}'} | does not rise",
                "{name: a, range: many, arg: '--a={}'} | no range",
                "{name: a, values: [a, b], range: 1..2, arg: '--a={}'} | both values and range",
                "{name: a, values: [a, b]} | nothing says where",
                "{name: a, values: [a, b], arg: '--a'} | no {}",
                "{name: a, values: [a, b], env: '{}'} | no NAME={}",
                "{name: a, values: [a, b], env: 'A-B={}'} | no name of a variable",
                "{name: a, values: [a, b], arg: '--a={}', env: 'A={}'} | more than one",
                "{name: a, values: [a, b], file: gone.tmpl} | there is no file",
                "{name: a, values: [a, b], arg: '--a={}', extra: 1} | unknown key",
                "{name: 'a b', values: [a, b], arg: '--a={}'} | no plain word"
            })
    void mistakeInAKnobIsReportedWithItsPlace(String knob, String says) {
        UserError error = catchThrowableOfType(UserError.class, () -> plan("  - " + knob + "\n"));

        assertThat(error.kind()).isEqualTo(UserError.Kind.USAGE);
        assertThat(error.why()).contains("plan.yaml:4").contains(says);
    }

    @Test
    void knobsThatContradictEachOtherAreNamed() {
        UserError error =
                catchThrowableOfType(
                        UserError.class,
                        () ->
                                plan(
                                        """
                                          - {name: a, values: [1, 2], env: "X={}"}
                                          - {name: b, values: [1, 2], env: "X={}"}
                                          - {name: a, values: [1, 2], arg: "--y={}"}
                                        """));

        assertThat(error.why()).contains("b contradicts the knob a");
        assertThat(error.what()).contains("2 mistakes");
    }

    @Test
    void aServiceThatRunsAlreadyHasNoKnobs() throws IOException {
        Path file = folder.resolve("plan.yaml");
        Files.writeString(
                file,
                """
                url: http://127.0.0.1:1/
                target: {pid: 4711}
                knobs: [{name: a, values: [1, 2], env: "X={}"}]
                """);

        assertThat(
                        catchThrowableOfType(
                                        UserError.class,
                                        () -> PlanFile.read(file, Environment.NONE))
                                .why())
                .contains("knobs");
    }
}
