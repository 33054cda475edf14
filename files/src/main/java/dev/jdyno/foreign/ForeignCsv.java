package dev.jdyno.foreign;

import dev.jdyno.foreign.ForeignLines.Line;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/// Rows of a table from an untrusted source (RFC 4180): UTF-8, with or without a byte order mark. A
/// quoted cell may contain the delimiter, doubled quotes, and line ends. Blank lines are left out.
public final class ForeignCsv implements Closeable {
    /// Maximum size of a row: observed ones have some hundred bytes.
    private static final int MAX_ROW_BYTES = 1 << 20;

    private final Lines lines;
    private final CSVParser parser;
    private final Iterator<CSVRecord> records;

    private ForeignCsv(Lines lines, CSVFormat format) throws IOException {
        this.lines = lines;
        this.parser = format.parse(lines);
        this.records = parser.iterator();
    }

    /// A row.
    ///
    /// @param line number of its last line, from 1
    /// @param cells without surrounding blanks
    public record Row(long line, List<String> cells) {
        public Row {
            cells = List.copyOf(cells);
        }
    }

    /// @param mostBytes maximum size of the whole; a larger table is refused, not truncated
    public static ForeignCsv of(InputStream in, char delimiter, long mostBytes) throws IOException {
        return new ForeignCsv(new Lines(in, mostBytes), format(delimiter).get());
    }

    /// A table in memory; lines that begin with `#` are comments.
    public static ForeignCsv commented(String text, char delimiter) throws IOException {
        var in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        return new ForeignCsv(
                new Lines(in, Long.MAX_VALUE), format(delimiter).setCommentMarker('#').get());
    }

    private static CSVFormat.Builder format(char delimiter) {
        return CSVFormat.RFC4180
                .builder()
                .setDelimiter(delimiter)
                .setIgnoreEmptyLines(true)
                .setIgnoreSurroundingSpaces(true)
                .setTrim(true);
    }

    /// The next row; empty at the end.
    ///
    /// @throws Malformed with the line number
    public Optional<Row> next() throws IOException {
        lines.beginRow();
        try {
            return records.hasNext()
                    ? Optional.of(new Row(parser.getCurrentLineNumber(), records.next().toList()))
                    : Optional.empty();
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof Malformed malformed) {
                throw malformed;
            }
            throw quotes(e);
        } catch (IllegalStateException e) {
            throw quotes(e);
        }
    }

    private Malformed quotes(RuntimeException cause) {
        int line = (int) Math.min(Integer.MAX_VALUE, lines.begun);
        var malformed = Malformed.at(line, "quotes that do not belong together");
        malformed.initCause(cause);
        return malformed;
    }

    @Override
    public void close() throws IOException {
        parser.close();
    }

    /// The lines as a stream of characters that fails if a row or the whole is too large.
    private static final class Lines extends Reader {
        private static final String MARK = "\ufeff";

        private final ForeignLines lines;
        private final long mostBytes;
        private String text = "";
        private int at;
        private long bytes;
        private long ofRow;
        private long number;
        private long begun;

        Lines(InputStream in, long mostBytes) {
            // each byte as one character, because each line is decoded strictly afterwards
            this.lines = new ForeignLines(in, StandardCharsets.ISO_8859_1, MAX_ROW_BYTES);
            this.mostBytes = mostBytes;
        }

        void beginRow() {
            ofRow = 0;
            begun = number + 1;
        }

        @Override
        public int read(char[] into, int from, int length) throws IOException {
            if (at == text.length() && !fill()) {
                return -1;
            }
            int count = Math.min(length, text.length() - at);
            text.getChars(at, at + count, into, from);
            at += count;
            return count;
        }

        private boolean fill() throws IOException {
            Optional<Line> next = lines.next();
            if (next.isEmpty()) {
                return false;
            }
            Line line = next.get();
            number = line.number();
            if (!line.whole() || ofRow > MAX_ROW_BYTES) {
                throw at("more than " + MAX_ROW_BYTES + " bytes in a row");
            }
            ofRow += line.text().length() + 1L;
            bytes += line.text().length();
            if (bytes > mostBytes) {
                throw at("more than " + (mostBytes >> 20) + " MiB in all: give fewer rows");
            }
            text = decoded(line) + "\n";
            at = 0;
            return true;
        }

        private String decoded(Line line) throws Malformed {
            byte[] raw = line.text().getBytes(StandardCharsets.ISO_8859_1);
            String decoded;
            try {
                decoded = ForeignText.decode(raw, StandardCharsets.UTF_8);
            } catch (Malformed e) {
                throw at(e.kind());
            }
            if (line.number() == 1 && decoded.startsWith(MARK)) {
                decoded = decoded.substring(MARK.length());
            }
            return decoded.isBlank() ? "" : decoded;
        }

        private Malformed at(String kind) {
            return Malformed.at((int) Math.min(Integer.MAX_VALUE, number), kind);
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }
}
