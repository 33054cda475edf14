package dev.jdyno.report.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Change.Amount;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/// The JSON keys of each kind of change, and files of other versions.
class ChangeFormTest {
    private record Document(List<ChangeForm> changes) {}

    private static String written(Change change) {
        String document = JsonDocument.line(new Document(ChangeForm.of(List.of(change))));
        return document.substring("{\"changes\":[".length(), document.length() - "]}".length());
    }

    private static List<Change> read(String... changes) {
        var json =
                JsonMapper.shared().readTree("{\"changes\":[" + String.join(",", changes) + "]}");
        return ChangeForm.read(
                Bound.read(new JsonCursor("result.json", "", json), Document.class).changes());
    }

    static Stream<Arguments> kinds() {
        return Stream.of(
                Arguments.of(
                        new Change.JvmFlag("-Xmx", "512m"),
                        "{'kind':'jvm-flag','name':'-Xmx','value':'512m'}"),
                Arguments.of(
                        new Change.JvmFlag("-XX:+UseG1GC"),
                        "{'kind':'jvm-flag','name':'-XX:+UseG1GC','value':null}"),
                Arguments.of(
                        new Change.WithoutJvmFlag("-Xint"),
                        "{'kind':'without-jvm-flag','name':'-Xint'}"),
                Arguments.of(
                        new Change.SystemProperty("a", "b"),
                        "{'kind':'system-property','name':'a','value':'b'}"),
                Arguments.of(
                        new Change.SystemSetting("somaxconn", new Amount.Exactly("4096")),
                        "{'kind':'system-setting','name':'somaxconn','to':'4096'}"),
                Arguments.of(
                        new Change.SystemSetting("memory.max", new Amount.Larger()),
                        "{'kind':'system-setting','name':'memory.max'}"),
                Arguments.of(
                        new Change.LoggingEdit(Optional.empty(), "level", "INFO"),
                        "{'kind':'logging','file':null,'part':'level','edit':'INFO'}"),
                Arguments.of(
                        new Change.LoggingEdit(Optional.of("logback.xml"), "drop", "<x/>"),
                        "{'kind':'logging','file':'logback.xml','part':'drop','edit':'<x/>'}"),
                Arguments.of(
                        new Change.EnvironmentVariable("SIZE", "8"),
                        "{'kind':'environment','name':'SIZE','value':'8'}"),
                Arguments.of(
                        new Change.ProgramArgument("--server={}", "undertow"),
                        "{'kind':'argument','template':'--server={}','value':'undertow'}"),
                Arguments.of(
                        new Change.FileValue("app.yml", "size", "8"),
                        "{'kind':'file-value','template':'app.yml','name':'size','value':'8'}"),
                Arguments.of(
                        new Change.PoolSize("db", new Amount.Times(2)),
                        "{'kind':'pool-size','name':'db','times':2.0}"),
                Arguments.of(new Change.Concurrency(40), "{'kind':'concurrency','inFlight':40}"),
                Arguments.of(new Change.Cores(2, 3.5), "{'kind':'cores','from':2.0,'to':3.5}"),
                Arguments.of(new Change.Code(), "{'kind':'code'}"),
                Arguments.of(
                        new Change.CodeAt("a.B.c", Optional.of("B.java:7"), 0.62),
                        "{'kind':'code-at','method':'a.B.c','source':'B.java:7','share':0.62}"),
                Arguments.of(
                        new Change.CodeAt("a.B.c", Optional.empty(), 1),
                        "{'kind':'code-at','method':'a.B.c','source':null,'share':1.0}"),
                Arguments.of(new Change.Outside(), "{'kind':'outside'}"));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void eachKindHasItsKeysAndIsReadBack(Change change, String json) {
        String expected = json.replace('\'', '"');

        assertThat(written(change)).isEqualTo(expected);
        assertThat(read(expected)).containsExactly(change);
    }

    @Test
    void secretsInChangesAreMasked() {
        assertThat(written(new Change.ProgramArgument("--password={}", "https://a:b@c/")))
                .doesNotContain("a:b@");
    }

    @Test
    void aKindOfALaterVersionIsLeftOut() {
        assertThat(read("{\"kind\":\"quantum\",\"spin\":2}", "{\"kind\":\"code\"}"))
                .containsExactly(new Change.Code());
    }

    @Test
    void keysMissingInEarlierVersionsAreEmpty() {
        assertThat(read("{\"kind\":\"logging\",\"file\":null,\"edit\":\"INFO\"}"))
                .containsExactly(new Change.LoggingEdit(Optional.empty(), "", "INFO"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"kind\":\"jvm-flag\",\"value\":\"1\"}",
                "{\"kind\":\"cores\",\"from\":1}",
                "{\"kind\":\"concurrency\",\"inFlight\":1.5}",
                "{\"kind\":\"environment\",\"name\":1,\"value\":\"2\"}",
                "7"
            })
    void refusesInvalidChangeWithItsPlace(String change) {
        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() -> read(change))
                .satisfies(e -> assertThat(e.why()).contains("changes[0]"));
    }
}
