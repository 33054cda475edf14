package dev.jdyno.observe.throughput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineCountTest {
    @TempDir Path dir;

    private void append(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Test
    void countsAppendedAndCompletedLines() throws IOException {
        Path log = dir.resolve("access.log");
        append(log, "old\nolder\n");
        LineCount count = LineCount.of(log);

        append(log, "a\nb\nhal");
        assertThat(count.take()).isEqualTo(2);
        append(log, "f\n");
        assertThat(count.take()).isEqualTo(1);
        assertThat(count.take()).isZero();
    }

    @Test
    void followsRotatedLogIntoNewFile() throws IOException {
        Path log = dir.resolve("access.log");
        append(log, "1\n2\n3\n");
        LineCount count = LineCount.of(log);

        Files.move(log, dir.resolve("access.log.1"));
        append(log, "4\n5\n6\n7\n");
        assertThat(count.take()).as("another file of that name").isEqualTo(4);

        Files.writeString(log, "8\n");
        assertThat(count.take()).as("the same file, truncated").isEqualTo(1);
    }

    /// The service writes to the old file until it is asked to open the new one.
    @Test
    void theTailOfARotatedFileCounts() throws IOException {
        Path log = dir.resolve("access.log");
        Path old = dir.resolve("access.log.1");
        append(log, "1\n");
        try (LineCount count = LineCount.of(log)) {
            append(log, "2\n3\n");
            Files.move(log, old);
            append(old, "4\n");
            assertThat(count.take()).as("before there is a new one").isEqualTo(3);
            append(old, "5\n");
            append(log, "6\n");
            assertThat(count.take()).isEqualTo(2);
            append(old, "7\n");
            Files.delete(old);
            assertThat(count.take()).as("late, and gone by its name").isEqualTo(1);
            assertThat(count.rotations()).isEqualTo(1);
            assertThat(count.truncations()).isZero();

            Files.writeString(log, "");
            assertThat(count.take()).isZero();
            assertThat(count.truncations()).isEqualTo(1);
        }
    }

    @Test
    void linesBeyondOneBufferAreCounted() throws IOException {
        Path log = dir.resolve("access.log");
        append(log, "");
        LineCount count = LineCount.of(log);

        append(log, "GET / 200\n".repeat(20_000));

        assertThat(count.take()).isEqualTo(20_000);
    }

    @Test
    void missingLogIsUserError() {
        assertThatThrownBy(() -> LineCount.of(dir.resolve("none.log")))
                .isInstanceOfSatisfying(
                        UserError.class, e -> assertThat(e.kind()).isEqualTo(UserError.Kind.USAGE));
    }

    /// A line that is written in two parts, and one that is longer than what is kept of it.
    @Test
    void requestsAreCountedByEndpoint() throws IOException {
        Path log = dir.resolve("access.log");
        append(log, "127.0.0.1 \"GET /old HTTP/1.1\" 200\n127.0.0.1 ");
        try (LineCount count = LineCount.byEndpoint(log)) {
            append(log, "\"GET /begun HTTP/1.1\" 200\n127.0.0.1 \"GET /or");
            assertThat(count.take()).isEqualTo(1);
            append(
                    log,
                    "ders/7 HTTP/1.1\" 200\n127.0.0.1 \"GET /long HTTP/1.1\" "
                            + "x".repeat(100_000)
                            + " \"GET /end\n");
            assertThat(count.take()).isEqualTo(2);

            assertThat(count.takeEndpoints())
                    .isEqualTo(Map.of("GET /begun", 1.0, "GET /orders/{}", 1.0, "GET /long", 1.0));
            assertThat(count.takeEndpoints()).isEmpty();

            Files.move(log, dir.resolve("access.log.1"));
            append(log, "\"PUT /orders/7 HTTP/1.1\" 200\n");
            assertThat(count.take()).isEqualTo(1);
            assertThat(count.takeEndpoints()).isEqualTo(Map.of("PUT /orders/{}", 1.0));
        }
    }

    @Test
    void endpointsAreNotCountedUnlessWanted() throws IOException {
        Path log = dir.resolve("access.log");
        append(log, "");
        try (LineCount count = LineCount.of(log)) {
            append(log, "\"GET /a HTTP/1.1\" 200\n");

            assertThat(count.take()).isEqualTo(1);
            assertThat(count.takeEndpoints()).isEmpty();
        }
    }
}
