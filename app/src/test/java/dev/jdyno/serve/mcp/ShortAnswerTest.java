package dev.jdyno.serve.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.text.UserError;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class ShortAnswerTest {
    private static ObjectNode object() {
        return JsonMapper.shared().createObjectNode();
    }

    /// A list with one object for each number.
    private static ObjectNode withList(String name, int elements, String text) {
        ObjectNode document = object().put("schema", "a/1");
        ArrayNode list = document.putArray(name);
        for (int i = 0; i < elements; i++) {
            list.addObject().put("number", i).put("text", text);
        }
        return document;
    }

    /// The document, with its text as a tool's answer contains both.
    private static JsonNode fits(ObjectNode document) {
        String answer = ShortAnswer.of(document.toString());
        String text = JsonMapper.shared().writeValueAsString(answer);
        assertThat((answer + text).getBytes(StandardCharsets.UTF_8).length)
                .isLessThan(ShortAnswer.MAX_BYTES);
        return JsonMapper.shared().readTree(answer);
    }

    @Test
    void anAnswerThatFitsIsUnchanged() {
        String document = withList("results", 100, "of no great length").toString();

        assertThat(ShortAnswer.of(document)).isEqualTo(document);
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "\"quoted\" \\ twice", "größer als 日本語 🎯", "\t\u0001\n"})
    void theEndOfTheLongestListIsLeftOut(String text) {
        ObjectNode document = withList("results", 20_000, text);
        document.putArray("few").add(1).add(2);

        JsonNode answer = fits(document);

        int kept = answer.get("results").size();
        assertThat(kept).isGreaterThan(100);
        assertThat(answer.at("/results/0/number").asInt()).isZero();
        assertThat(answer.get("few").size()).isEqualTo(2);
        assertThat(answer.get("schema").asString()).isEqualTo("a/1");
        assertThat(answer.get("leftOut").size()).isEqualTo(1);
        assertThat(answer.at("/leftOut/0/at").asString()).isEqualTo("/results");
        assertThat(answer.at("/leftOut/0/kept").asInt()).isEqualTo(kept);
        assertThat(answer.at("/leftOut/0/of").asInt()).isEqualTo(20_000);
    }

    @Test
    void usesMostOfTheAllowedSize() {
        int length = ShortAnswer.of(withList("results", 20_000, "text").toString()).length();

        assertThat(length).isGreaterThan(ShortAnswer.MAX_BYTES / 3);
    }

    @Test
    void theNewestPointsOfATrendAreKept() {
        JsonNode answer = fits(withList("points", 20_000, "a day"));

        JsonNode points = answer.get("points");
        assertThat(points.get(points.size() - 1).get("number").asInt()).isEqualTo(19_999);
    }

    @Test
    void aListInsideTheOnlyElementIsShortened() {
        ObjectNode document = object();
        document.putArray("results").add(withList("parts/a", 20_000, "a method"));

        JsonNode answer = fits(document);

        assertThat(answer.get("results").size()).isEqualTo(1);
        assertThat(answer.at("/leftOut/0/at").asString()).isEqualTo("/results/0/parts~1a");
        assertThat(answer.at(answer.at("/leftOut/0/at").asString()).size()).isPositive();
    }

    @Test
    void shortensLongTextsIfListsAreShort() {
        ObjectNode document = object().put("says", "x".repeat(200_000));
        document.putArray("one").add("y".repeat(200_000));

        JsonNode answer = fits(document);

        assertThat(answer.get("says").asString()).startsWith("xxx").endsWith("…");
        assertThat(answer.at("/one/0").asString()).startsWith("yyy").endsWith("…");
        assertThat(answer.at("/leftOut/0/of").asInt()).isEqualTo(200_000);
        assertThat(answer.get("leftOut").size()).isEqualTo(2);
    }

    @Test
    void anAnswerThatCannotBeShortenedIsAnError() {
        ObjectNode document = object();
        for (int i = 0; i < 20_000; i++) {
            document.put("key" + i, i);
        }

        assertThatThrownBy(() -> ShortAnswer.of(document.toString()))
                .isInstanceOfSatisfying(
                        UserError.class, e -> assertThat(e.fix()).contains("fewer results"));
    }
}
