package dev.jdyno.report.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.text.Printable;
import dev.jdyno.report.terminal.TerminalWriter.Form;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TerminalWriterTest {
    private static String shown(Form form, String... pieces) {
        var text = new StringWriter();
        try (PrintWriter out = TerminalWriter.over(text, form)) {
            for (String piece : pieces) {
                out.print(piece);
            }
        }
        return text.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u001b[2J", // ESC
                "\u009b2J", // CSI in one character
                "\u009d0;title\u009c", // OSC in one character, and its end
                "\u0090q\u009c", // DCS
                "\u0007", // bell
                "\b", // backspace
                "\u007f", // DEL
                "\u000e", // another character set
                "\rover", // back to the start of the line
                "\u202eesrever\u202c", // right-to-left text
                "\u2066isolated\u2069",
                "\ud83d", // half a pair
                "\udc00",
                "\ufdd0[1m", // a part of our own mark
            })
    void escapesControlSequencesOfForeignText(String evil) {
        String text = shown(Form.TEXT, "a" + evil + "b\n");

        assertThat(text).hasSize(evil.length() + 3).contains("\ufffd").endsWith("b\n");
        assertThat(text.codePoints().allMatch(Printable::isInText)).isTrue();
        String json = shown(Form.JSON, "\"a" + evil + "b\"\n");
        assertThat(json.codePoints().allMatch(Printable::isInText)).isTrue();
        assertThat(json).contains("\\u");
    }

    @Test
    void coloursAndCursorMovementsOfJdynoArePrinted() {
        assertThat(shown(Form.TEXT, Ink.BOLD.on("b") + Ink.RED.on("r")))
                .isEqualTo("\u001b[1mb\u001b[0m\u001b[1;31mr\u001b[0m");
        assertThat(shown(Form.TEXT, Cursor.up(12) + Cursor.lineStart() + Cursor.eraseRest()))
                .isEqualTo("\u001b[12A\r\u001b[K");
        assertThat(shown(Form.TEXT, Ink.ours("\u001b[36m@\u001b[39m")))
                .isEqualTo("\u001b[36m@\u001b[39m");
    }

    @Test
    void foreignColourInsideOurColourIsEscaped() {
        assertThat(shown(Form.TEXT, Ink.BOLD.on("a\u001b[31mb")))
                .isEqualTo("\u001b[1ma\ufffd[31mb\u001b[0m");
    }

    @Test
    void foreignTextSimilarToOurMarkIsEscaped() {
        String almost = EscapeMark.text().substring(1) + "[31m";
        String longer = "\ufdd0" + EscapeMark.text() + "[31m";

        assertThat(shown(Form.TEXT, almost)).isEqualTo("\ufffd".repeat(15) + "[31m");
        // the end of the text is our own colour
        assertThat(shown(Form.TEXT, longer)).isEqualTo("\ufffd\u001b[31m");
        assertThat(shown(Form.TEXT, EscapeMark.text() + "]0;x"))
                .isEqualTo("\ufffd".repeat(16) + "]0;x");
        assertThat(shown(Form.TEXT, EscapeMark.text())).isEqualTo("\ufffd".repeat(16));
    }

    @Test
    void writingInPiecesGivesSameOutput() {
        String all =
                "a\r\nb\rc\ud83d\ude80d\ud83de\u001bf" + Ink.RED.on("g\ufdd3") + Cursor.lineStart();
        for (int seed = 0; seed < 50; seed++) {
            var random = new Random(seed);
            var text = new StringWriter();
            try (PrintWriter out = TerminalWriter.over(text, Form.TEXT)) {
                for (int at = 0; at < all.length(); ) {
                    int end = Math.min(all.length(), at + 1 + random.nextInt(5));
                    out.write(all, at, end - at);
                    out.flush();
                    at = end;
                }
            }

            assertThat(text.toString())
                    .as("seed %d", seed)
                    .isEqualTo(
                            "a\r\nb\ufffdc\ud83d\ude80d\ufffde\ufffdf"
                                    + "\u001b[1;31mg\ufffd\u001b[0m\r");
        }
    }
}
