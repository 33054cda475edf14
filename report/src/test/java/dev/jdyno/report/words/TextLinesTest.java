package dev.jdyno.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextLinesTest {
    private static final String METHOD =
            "org.springframework.jdbc.core.simple.DefaultJdbcClient$DefaultStatementSpec$"
                    + "IndexedParamMappedQuerySpec.list";

    @Test
    void truncatesNothingWhileLinesRemain() {
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
    void truncatedTextEndsInDots() {
        List<String> lines = TextLines.fold("a ".repeat(1000), "", "", 3, 20);

        assertThat(lines).hasSize(3).allMatch(l -> l.length() <= 20);
        assertThat(lines.getLast()).endsWith("...");
        assertThat(TextLines.fold("x".repeat(1000), "", "", 2, 20)).hasSize(2);
        assertThat(TextLines.fold("\ud83d\ude00".repeat(15), "", "", 9, 21))
                .allMatch(l -> !Character.isHighSurrogate(l.charAt(l.length() - 1)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    waits in Page.get                | 17 | waits in Page.get
                    waits in Page.get of the shelf   | 22 | waits in Page.get ...
                    waits in LambdaFactory.spin      | 20 | waits in ...
                    com.acme.LambdaFactory.spin      | 20 | com.acme....
                    abcdefghijklmnopqrstuvwxyz       | 20 | abcdefghijklmnopq...
                    """)
    void aLineIsCutBetweenItsWords(String line, int columns, String cut) {
        assertThat(TextLines.cut(line, columns)).isEqualTo(cut).hasSizeLessThanOrEqualTo(columns);
    }

    @Test
    void breaksLongNameAfterDot() {
        assertThat(TextLines.wrap("in com.acme.shelf.Inventory.count twice", "  ", 4, 22))
                .isEqualTo(List.of("  in com.acme.shelf.", "  Inventory.count", "  twice"));
    }
}
