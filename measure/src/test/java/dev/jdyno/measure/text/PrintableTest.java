package dev.jdyno.measure.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class PrintableTest {
    @Test
    void controlsDirectionMarksAndHalfPairsAreUnprintable() {
        assertThat(
                        IntStream.concat(
                                        IntStream.rangeClosed(0, 0x1f),
                                        IntStream.concat(
                                                IntStream.rangeClosed(0x7f, 0x9f),
                                                IntStream.concat(
                                                        IntStream.rangeClosed(0x202a, 0x202e),
                                                        IntStream.rangeClosed(0x2066, 0x2069))))
                                .allMatch(Printable::isObeyed))
                .isTrue();
        for (int one :
                new int[] {
                    0xad, 0x61c, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029, 0xfeff, 0xd800, 0xdfff,
                    0xfdd0, 0xfdef, 0xfffe, 0x1ffff, 0xe0001
                }) {
            assertThat(Printable.isObeyed(one)).as("U+%04X", one).isTrue();
        }
    }

    @Test
    void lettersSignsAndPicturesArePrintable() {
        String shown = " ~azAZ09äßé€×…·ΩЖ日本語ไทยעברית🚀\ufffd";

        assertThat(Printable.text(shown)).isSameAs(shown);
        assertThat(Printable.line(shown)).isSameAs(shown);
        assertThat(Printable.json(shown)).isSameAs(shown);
    }

    @Test
    void removesLineEndsFromLinesAndKeepsThemInTexts() {
        assertThat(Printable.line("a\nb\tc\rd\u001b[1m"))
                .isEqualTo("a\ufffdb\ufffdc\ufffdd\ufffd[1m");
        assertThat(Printable.text("a\nb\tc\rd\u001b[1m")).isEqualTo("a\nb\tc\ufffdd\ufffd[1m");
    }

    @Test
    void jsonKeepsAllCharacters() {
        var mapper = JsonMapper.shared();
        String evil = "\u001b]0;x\u0007 \u009b2J \u202e \udbff\udfff \u007f \ue000 \udb40\udc01 z";
        String document =
                mapper.writerWithDefaultPrettyPrinter()
                        .writeValueAsString(mapper.createObjectNode().put(evil, evil));

        String clean = Printable.json(document);

        assertThat(clean.codePoints().allMatch(Printable::isInText)).isTrue();
        assertThat(mapper.readTree(clean).get(evil).stringValue()).isEqualTo(evil);
        assertThat(mapper.readTree(Printable.json("\"a\ud800b\"")).stringValue())
                .isEqualTo("a\ufffdb");
    }
}
