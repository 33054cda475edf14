package dev.jdyno.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WrapTest {
    @Test
    void continuationIsAlignedWithTextOfRow() {
        assertThat(Wrap.at(30, List.of("  pauses      175, 9.13s in all; p50 11.58ms")))
                .containsExactly("  pauses      175, 9.13s in", "              all; p50 11.58ms");
    }

    @Test
    void indentsContinuationOfAdviceAndDiagnoses() {
        assertThat(
                        Wrap.at(
                                24,
                                List.of(
                                        "critical live-set: all of it stays alive",
                                        "    -Xmx192m: 3 times the live set")))
                .containsExactly(
                        "critical live-set: all",
                        "    of it stays alive",
                        "    -Xmx192m: 3 times",
                        "    the live set");
    }

    @Test
    void aWordThatIsTooLongIsLeftWhole() {
        assertThat(Wrap.at(10, List.of("/a/very/long/path/of/one/word", "short")))
                .containsExactly("/a/very/long/path/of/one/word", "short");
    }
}
