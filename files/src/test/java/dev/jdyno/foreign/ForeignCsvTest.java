package dev.jdyno.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForeignCsvTest {
    private static List<ForeignCsv.Row> rows(ForeignCsv table) throws IOException {
        List<ForeignCsv.Row> rows = new ArrayList<>();
        try (table) {
            for (Optional<ForeignCsv.Row> row = table.next(); row.isPresent(); row = table.next()) {
                rows.add(row.get());
            }
        }
        return rows;
    }

    private static ForeignCsv table(byte[] bytes, long max) throws IOException {
        return ForeignCsv.of(new ByteArrayInputStream(bytes), ',', max);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void quotedTextMayContainDelimitersQuotesAndLineEnds() throws IOException {
        List<ForeignCsv.Row> rows =
                rows(
                        table(
                                utf8(
                                        "\ufeffname , id\r\n\r\n\"b, \"\"c\"\"\", 1\n \n\"two\nlines\",2\r#3,"),
                                1000));

        assertThat(rows)
                .containsExactly(
                        new ForeignCsv.Row(1, List.of("name", "id")),
                        new ForeignCsv.Row(3, List.of("b, \"c\"", "1")),
                        new ForeignCsv.Row(6, List.of("two\nlines", "2")),
                        new ForeignCsv.Row(7, List.of("#3", "")));
    }

    @Test
    void skipsCommentsIfAllowed() throws IOException {
        assertThat(rows(ForeignCsv.commented("# a;b\n1;2\n#\n3;#4\n", ';')))
                .containsExactly(
                        new ForeignCsv.Row(2, List.of("1", "2")),
                        new ForeignCsv.Row(4, List.of("3", "#4")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a,b\n1,\"2\n3,4\n", "a,b\n1,\"2\"3\n"})
    void namesUnterminatedQuotes(String text) throws IOException {
        try (ForeignCsv table = table(utf8(text), 1000)) {
            table.next();
            assertThat(catchThrowableOfType(Malformed.class, table::next).line()).isPresent();
        }
    }

    @Test
    void invalidBytesAreReportedWithTheirLine() throws IOException {
        try (ForeignCsv table = table(new byte[] {'a', '\n', 'b', '\n', (byte) 0xc3, '\n'}, 1000)) {
            table.next();
            table.next();
            assertThat(catchThrowableOfType(Malformed.class, table::next).line()).hasValue(3);
        }
    }

    /// The second line has a quote that is never closed.
    @Test
    void rowsAndTablesThatAreTooLargeAreRefused() throws IOException {
        String line = "x".repeat(1000) + "\n";
        try (ForeignCsv table = table(utf8("a\n\"" + line.repeat(1100)), Long.MAX_VALUE)) {
            table.next();
            assertThat(catchThrowableOfType(Malformed.class, table::next).kind()).contains("row");
        }
        try (ForeignCsv table = table(utf8(line.repeat(3)), 2500)) {
            table.next();
            table.next();
            assertThat(catchThrowableOfType(Malformed.class, table::next).line()).hasValue(3);
        }
    }
}
