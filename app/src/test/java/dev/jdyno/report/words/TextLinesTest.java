package dev.jdyno.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TextLinesTest {
    private static final String METHOD =
            "org.springframework.jdbc.core.simple.DefaultJdbcClient$DefaultStatementSpec$"
                    + "IndexedParamMappedQuerySpec.list";

    @Test
    void nothingIsCutWhileThereAreLines() {
        String text = "Halve the time of a request; most goes to " + METHOD + " in Owners.withPets";

        List<String> lines = TextLines.fold(text, "  ", "    ", 6, 60);

        assertThat(lines).allMatch(l -> l.length() <= 60);
        assertThat(lines.getFirst()).startsWith("  Halve");
        assertThat(String.join("", lines).replace(" ", "")).isEqualTo(text.replace(" ", ""));
    }

    @Test
    void aLongNameIsBrokenBehindAMark() {
        assertThat(TextLines.fold(METHOD, "", "", 6, 60))
                .containsExactly(
                        "org.springframework.jdbc.core.simple.DefaultJdbcClient$",
                        "DefaultStatementSpec$IndexedParamMappedQuerySpec.list");
    }

    @Test
    void whatGoesOnBehindTheLastLineEndsInDots() {
        List<String> lines = TextLines.fold("a ".repeat(1000), "", "", 3, 20);

        assertThat(lines).hasSize(3).allMatch(l -> l.length() <= 20);
        assertThat(lines.getLast()).endsWith("...");
        assertThat(TextLines.fold("x".repeat(1000), "", "", 2, 20)).hasSize(2);
        assertThat(TextLines.fold("\ud83d\ude00".repeat(15), "", "", 9, 21))
                .allMatch(l -> !Character.isHighSurrogate(l.charAt(l.length() - 1)));
    }
}
