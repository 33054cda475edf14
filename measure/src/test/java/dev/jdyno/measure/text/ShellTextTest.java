package dev.jdyno.measure.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShellTextTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a b", "it's", "$HOME", "`id`", "a;b", "*", "~", "", "a\"b", "a\\b", "größe", "#a",
                "a\nb", "!x"
            })
    void shellReturnsQuotedWord(String text) throws Exception {
        Process shell =
                new ProcessBuilder("sh", "-c", "printf '%s\\0' " + ShellText.word(text))
                        .redirectErrorStream(true)
                        .start();
        String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(said).isEqualTo(text + "\0");
    }

    @Test
    void plainTextHasNoQuotes() {
        assertThat(ShellText.words(List.of("--store", "postgresql://a@h:5432/b", "jdyno-out/x")))
                .isEqualTo("--store postgresql://a@h:5432/b jdyno-out/x");
        assertThat(ShellText.words(List.of("--store", "a b"))).isEqualTo("--store 'a b'");
    }
}
