package dev.jdyno.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.foreign.ForeignLines.Line;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ForeignLinesTest {
    private static List<Line> read(InputStream in) throws IOException {
        List<Line> all = new ArrayList<>();
        try (var lines = new ForeignLines(in, StandardCharsets.UTF_8, 1000)) {
            for (var line = lines.next(); line.isPresent(); line = lines.next()) {
                all.add(line.get());
            }
        }
        return all;
    }

    private static List<String> texts(String text) throws IOException {
        return read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))).stream()
                .map(Line::text)
                .toList();
    }

    @Test
    void splitsLinesLikeBufferedReader() throws IOException {
        for (String text : List.of("a\nb\r\nc\rd", "a\r\r\n\n\nb\n", "", "\n", "ä", "\r\n\r\n")) {
            assertThat(texts(text)).isEqualTo(text.lines().toList());
        }
    }

    @Test
    void keepsBeginOfEndlessLine() throws IOException {
        var endless =
                new InputStream() {
                    private long left = 1L << 26;

                    @Override
                    public int read() {
                        throw new UnsupportedOperationException();
                    }

                    @Override
                    public int read(byte[] to, int from, int length) {
                        int n = (int) Math.min(left, length);
                        left -= n;
                        java.util.Arrays.fill(to, from, from + n, (byte) 0);
                        return n == 0 ? -1 : n;
                    }
                };

        assertThat(read(endless)).containsExactly(new Line(1, "\0".repeat(1000), false));
        assertThat(texts("x".repeat(1001) + "\nb")).containsExactly("x".repeat(1000), "b");
    }

    @Test
    void invalidForeignNumberIsEmptyInsteadOfAnException() {
        assertThat(ForeignNumber.whole("123456789012345678")).hasValue(123456789012345678L);
        assertThat(ForeignNumber.whole("1234567890123456789012")).isEmpty();
        for (String none : List.of("", "-1", "+1", "1.5", " 1", "0x1", "٣")) {
            assertThat(ForeignNumber.whole(none)).as(none).isEmpty();
        }
        assertThat(ForeignNumber.hexadecimal("0x7f8c38002f30")).hasValue(0x7f8c38002f30L);
        assertThat(ForeignNumber.hexadecimal("0x" + "f".repeat(30))).isEmpty();
        assertThat(ForeignNumber.decimal("12.50")).hasValue(12.5);
        assertThat(ForeignNumber.decimal("1.2.3")).isEmpty();
    }
}
