package dev.jdyno.load.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TemplateTest {
    @ParameterizedTest
    @CsvSource({
        "/a/${id}?b=${name}, /a/7?b=ann",
        "${other}, ${other}",
        "$${id}, ${id}",
        "a$${id}b${id}c, a${id}b7c",
        "${id}$${id}, 7${id}",
        "$$${id}, $${id}",
        "${open, ${open",
        "$5, $5"
    })
    void templateFillsPlaceholdersAndKeepsOtherText(String text, String filled) {
        assertThat(new Template(text).fill(Map.of("id", "7", "name", "ann"))).isEqualTo(filled);
    }
}
