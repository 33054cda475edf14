package dev.jdyno.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Files in a target's `/tmp` that another user wrote.
@Timeout(300)
class HostileFilesTest {
    private static final int FIRST = 32;
    private static final int ENTRY_BYTES = 40;

    @TempDir Path dir;

    /// A file with two counters, `a` and `b`, both 7.
    private static ByteBuffer perf() {
        ByteBuffer perf = ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);
        perf.putInt(0, Integer.reverseBytes(0xcafec0c0)).put(4, (byte) 1).put(5, (byte) 2);
        perf.putInt(24, FIRST).putInt(28, 2);
        for (int i = 0; i < 2; i++) {
            int at = FIRST + i * ENTRY_BYTES;
            perf.putInt(at, ENTRY_BYTES).putInt(at + 4, 20).putInt(at + 16, 24);
            perf.put(at + 12, (byte) 'J').put(at + 20, (byte) ('a' + i)).putLong(at + 24, 7);
        }
        return perf;
    }

    private PerfData open(ByteBuffer content) throws IOException {
        return PerfData.open(Files.write(dir.resolve("1"), bytes(content)));
    }

    private static byte[] bytes(ByteBuffer content) {
        byte[] bytes = new byte[content.capacity()];
        content.get(0, bytes);
        return bytes;
    }

    @Test
    void readsBothFilesWrittenByHotSpot() throws IOException {
        try (PerfData perf = open(perf())) {
            assertThat(perf.value("a")).hasValue(7);
            assertThat(perf.value("b")).hasValue(7);
        }
    }

    /// Each case: the offset in the first entry, and the number written there.
    @ParameterizedTest
    @CsvSource({
        "0, 0", "0, -1", "0, 2147483647", "0, 19", "4, -2147483648", "4, 2147483647", "4, 40",
                "4, 0",
        "8, -1", "8, 2147483647", "16, -40", "16, 2147483647", "16, 33", "-8, -1", "-8, 2147483647",
                "-8, 0"
    })
    void ignoresOffsetsBeyondEntry(int at, int number) throws IOException {
        try (PerfData perf = open(perf().putInt(FIRST + at, number))) {
            assertThat(perf.value("a")).isEmpty();
            assertThat(perf.text("a")).isEmpty();
            assertThat(perf.counter("a").or(-3)).isEqualTo(-3);
            assertThat(perf.label("a").or("none")).isEqualTo("none");
        }
    }

    @Test
    void aNameWithoutAnEndEndsWithItsEntry() throws IOException {
        ByteBuffer perf = perf();
        for (int i = FIRST + ENTRY_BYTES + 20; i < FIRST + 2 * ENTRY_BYTES; i++) {
            perf.put(i, (byte) 'x');
        }
        try (PerfData data = open(perf.putInt(28, Integer.MAX_VALUE))) {
            assertThat(data.value("a")).hasValue(7);
            assertThat(data.value("x".repeat(20))).isPresent();
        }
    }

    @Test
    void aFileOfGigabytesIsNoPerfData() throws IOException {
        Path file = Files.write(dir.resolve("1"), bytes(perf()));
        try (var sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(6L << 30);
        }
        assertThatThrownBy(() -> PerfData.open(file)).isInstanceOf(IOException.class);
    }

    /// The mapped memory beyond the new end of the file no longer exists.
    @Test
    void fileTruncatedWhileReadHasNoCounters() throws IOException {
        ByteBuffer large = ByteBuffer.allocate(64 << 10).put(bytes(perf()));
        try (PerfData perf = open(large);
                var file = new RandomAccessFile(dir.resolve("1").toFile(), "rw")) {
            var counter = perf.counter("a");
            assertThat(counter.or(-3)).isEqualTo(7);
            file.setLength(0);

            assertThat(perf.value("a")).isEmpty();
            assertThat(perf.value("none")).isEmpty();
            assertThat(perf.text("none")).isEmpty();
            assertThat(counter.or(-3)).isEqualTo(-3);
            assertThat(perf.label("none").or("?")).isEqualTo("?");
        }
    }

    @Test
    void ignoresFoldersNamedByThirtyDigits() {
        String mark = "9".repeat(30);

        assertThat(SharedFolder.Label.parse("jdyno-1t1-pools-4711t5-0123456789abcdef")).isPresent();
        assertThat(SharedFolder.Label.parse("jdyno-1t1-pools-" + mark + "-0123456789abcdef"))
                .isEmpty();
        assertThat(SharedFolder.Label.parse("jdyno-" + mark + "-run-4711t5-0123456789abcdef"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x a b", "9999999999 a b", "-1 a b", "10 a", "10"})
    void ignoresInvalidNote(String line) {
        assertThat(PoolNote.Before.parse(line)).isEmpty();
    }

    @Test
    void heapSizeOfThirtyDigitsIsUnknown() {
        assertThat(JvmFacts.ofAnswers("", "-XX:MaxHeapSize=" + "9".repeat(30), "").heapMaxBytes())
                .isEmpty();
    }
}
