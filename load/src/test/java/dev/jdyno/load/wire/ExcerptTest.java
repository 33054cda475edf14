package dev.jdyno.load.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExcerptTest {
    @ParameterizedTest
    @CsvSource({
        "plain text, plain text",
        "'a\r\n\tb', a\\r\\n\\tb",
        "'\u001b[31m', \\x1b[31m",
        "'\u009b', \\x9b",
        "'\u202e', ?",
        "'back\\slash', back\\\\slash",
    })
    void escapesUnprintableCharacters(String text, String shown) {
        assertThat(Excerpt.of(text)).isEqualTo(shown);
    }

    @Test
    void everyByteIsShownInPrintableAscii() {
        for (int c = 0; c < 256; c++) {
            byte[] one = {(byte) c};

            assertThat(Excerpt.of(one, 0, 1)).as("byte %d", c).matches("[ -~]{1,4}");
        }
    }

    @Test
    void aLongTextIsCutAndMarked() {
        byte[] all = "\u0001".repeat(1000).getBytes(StandardCharsets.ISO_8859_1);

        assertThat(Excerpt.of(all, 0, all.length))
                .endsWith("...")
                .hasSizeLessThanOrEqualTo(Excerpt.LONGEST);
        assertThat(Excerpt.of("y".repeat(1_000_000)))
                .isEqualTo("y".repeat(Excerpt.LONGEST - 3) + "...");
    }
}
