package dev.jdyno.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Counters in a file with HotSpot's layout. The test writes to it as a JVM does.
class PerfDataTest {
    private static final int ENTRIES_AT = 28;
    private static final int TEXT_BYTES = 32;

    @TempDir Path dir;
    private final ByteBuffer jvm = ByteBuffer.allocate(1024);
    private int end = 32;

    private void prologue(ByteOrder order) {
        jvm.order(ByteOrder.BIG_ENDIAN).putInt(0, 0xcafec0c0);
        jvm.put(4, (byte) (order == ByteOrder.BIG_ENDIAN ? 0 : 1)).put(5, (byte) 2);
        jvm.order(order).putInt(24, 32);
    }

    /// @return offset of the data
    private int entry(String name, char type, int vectorLength, int dataBytes) {
        int dataAt = (20 + name.length() + 1 + 7) / 8 * 8;
        jvm.putInt(end, dataAt + dataBytes).putInt(end + 4, 20).putInt(end + 8, vectorLength);
        jvm.put(end + 12, (byte) type).putInt(end + 16, dataAt);
        jvm.put(end + 20, name.getBytes(StandardCharsets.UTF_8));
        int data = end + dataAt;
        end = data + dataBytes;
        jvm.putInt(ENTRIES_AT, jvm.getInt(ENTRIES_AT) + 1);
        return data;
    }

    private int number(String name, long value) {
        int at = entry(name, 'J', 0, Long.BYTES);
        jvm.putLong(at, value);
        return at;
    }

    private int text(String name, String value) {
        int at = entry(name, 'B', TEXT_BYTES, TEXT_BYTES);
        say(at, value);
        return at;
    }

    private void say(int at, String value) {
        jvm.put(at, new byte[TEXT_BYTES]).put(at, value.getBytes(StandardCharsets.UTF_8));
    }

    private Path write() throws IOException {
        Path file = dir.resolve("1");
        Files.write(file, jvm.array(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        return file;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void countersAreReadInTheByteOrderOfTheJvm(boolean bigEndian) throws IOException {
        prologue(bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        number("a", 0x1122334455667788L);
        text("b", "No GC");

        try (PerfData perf = PerfData.open(write())) {
            assertThat(perf.value("a")).hasValue(0x1122334455667788L);
            assertThat(perf.counter("a").or(0)).isEqualTo(0x1122334455667788L);
            assertThat(perf.text("b")).contains("No GC");
            assertThat(perf.label("b").or("")).isEqualTo("No GC");
        }
    }

    @Test
    void counterAndLabelShowLaterValuesOfTheJvm() throws IOException {
        prologue(ByteOrder.LITTLE_ENDIAN);
        int count = number("count", 7);
        int cause = text("cause", "No GC");
        try (PerfData perf = PerfData.open(write())) {
            var counter = perf.counter("count");
            var label = perf.label("cause");
            assertThat(counter.or(0)).isEqualTo(7);
            assertThat(label.or("")).isEqualTo("No GC");

            jvm.putLong(count, 8);
            for (String now : new String[] {"No GC forced", "No", "", "System.gc()"}) {
                say(cause, now);
                write();

                assertThat(label.or("?")).isEqualTo(now);
            }
            assertThat(counter.or(0)).isEqualTo(8);
        }
    }

    @Test
    void readsTextWithoutTerminatingZero() throws IOException {
        prologue(ByteOrder.LITTLE_ENDIAN);
        String full = "x".repeat(TEXT_BYTES);
        int at = text("t", full);
        number("next", 1);
        try (PerfData perf = PerfData.open(write())) {
            var label = perf.label("t");
            assertThat(label.or("")).isEqualTo(full);
            assertThat(label.or("")).isEqualTo(full);

            say(at, full.substring(1));
            write();

            assertThat(label.or("")).isEqualTo(full.substring(1));
        }
    }

    @Test
    void findsCounterAfterItIsPublished() throws IOException {
        prologue(ByteOrder.LITTLE_ENDIAN);
        number("a", 1);
        try (PerfData perf = PerfData.open(write())) {
            var counter = perf.counter("late");
            var label = perf.label("lateText");
            assertThat(perf.value("late")).isEmpty();
            assertThat(counter.or(-3)).isEqualTo(-3);
            assertThat(counter.or(-4)).isEqualTo(-4);
            assertThat(label.or("none")).isEqualTo("none");
            assertThat(label.or("nothing")).isEqualTo("nothing");

            number("late", 5);
            text("lateText", "here");
            write();

            assertThat(counter.or(-3)).isEqualTo(5);
            assertThat(label.or("none")).isEqualTo("here");
        }
    }

    /// A page that no longer exists must not end the process that reads it.
    @Test
    void fileTruncatedWhileReadHasNoValues() throws IOException {
        prologue(ByteOrder.LITTLE_ENDIAN);
        number("count", 7);
        text("cause", "No GC");
        Path file = write();
        try (PerfData perf = PerfData.open(file)) {
            var counter = perf.counter("count");
            var label = perf.label("cause");
            assertThat(counter.or(0)).isEqualTo(7);
            assertThat(label.or("")).isEqualTo("No GC");

            Files.write(file, new byte[0]);

            assertThat(counter.or(-1)).isEqualTo(-1);
            assertThat(label.or("?")).isEqualTo("?");
            assertThat(perf.value("count")).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0x7fffffff",
        "0, -1",
        "0, 19",
        "4, -5",
        "4, 0x7fffffff",
        "8, -1",
        "8, 0x7ffffff0",
        "16, -9",
        "16, 0x7ffffff8"
    })
    void ignoresEntryBeyondFile(int field, int value) throws IOException {
        prologue(ByteOrder.LITTLE_ENDIAN);
        int first = end;
        text("a", "x");
        number("b", 1);
        jvm.putInt(ENTRIES_AT, Integer.MAX_VALUE);
        jvm.putInt(first + field, value);

        try (PerfData perf = PerfData.open(write())) {
            assertThat(perf.text("a")).isEmpty();
        }
    }

    @Test
    void refusesFileWithoutPrologue() throws IOException {
        Path empty = Files.write(dir.resolve("empty"), new byte[10]);

        assertThatThrownBy(() -> PerfData.open(empty)).isInstanceOf(IOException.class);
    }

    /// Any user can create a FIFO there, and opening it would wait for ever.
    @Test
    @Timeout(300)
    void doesNotOpenFifo() throws Exception {
        Path users = Files.createDirectories(dir.resolve("42/root/tmp/hsperfdata_planted"));
        Files.createSymbolicLink(dir.resolve("42/root/tmp/hsperfdata_link"), users);
        Files.createFile(dir.resolve("42/maps"));
        assertThat(new ProcessBuilder("mkfifo", users.resolve("42").toString()).start().waitFor())
                .isZero();

        assertThatThrownBy(() -> PerfData.of(new ProcFs(dir), 42)).isInstanceOf(UserError.class);
    }
}
