package dev.jdyno.observe.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.observe.host.SchedProbe.Times;
import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchedProbeTest {
    private static final long PID = 42;

    @TempDir Path dir;

    private void schedstat(long tid, String line) throws IOException {
        Path task = Files.createDirectories(dir.resolve("42/task/" + tid));
        Files.writeString(task.resolve("schedstat"), line);
    }

    private SchedProbe probe() {
        return new SchedProbe(new ProcFs(dir), PID, NanoClock.SYSTEM);
    }

    @ParameterizedTest
    @CsvSource({
        "2812345 40112 37, 2812345, 40112",
        "0 0 0, 0, 0",
        "9223372036854775807 9223372036854775807 18446744073709551615, 9223372036854775807, 9223372036854775807",
        "1 2, 1, 2"
    })
    void lineHasTimeOnCoreAndInRunQueue(String line, long onCpu, long waiting) {
        for (String text : new String[] {line, line + "\n"}) {
            byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);

            assertThat(Times.parse(bytes, bytes.length)).isEqualTo(new Times(onCpu, waiting));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", " ", "12", "12 ", "12\n13", "x 1 2", "-1 2 3", "1 x 3"})
    void ignoresInvalidLine(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);

        assertThat(Times.parse(bytes, bytes.length)).isNull();
    }

    @Test
    void ignoresRemainsOfLongerLineInBuffer() {
        byte[] bytes = "1 23456 7".getBytes(StandardCharsets.US_ASCII);

        assertThat(Times.parse(bytes, 3)).isEqualTo(new Times(1, 2));
    }

    @Test
    void readsEveryThreadAndSkipsEndedThreads() throws IOException {
        schedstat(42, "100 1000000000 3\n");
        schedstat(43, "200 0 3\n");
        Files.createDirectories(dir.resolve("42/task/44"));

        var probe = probe();
        SchedProbe.Reading before = probe.read();
        schedstat(42, "100 2000000000 3\n");
        schedstat(45, "0 500000000 1\n");

        assertThat(probe.threads()).containsExactlyInAnyOrder(42L, 43L, 44L, 45L);
        assertThat(before.byThread()).containsOnlyKeys(42L, 43L);
        assertThat(probe.read().runQueueSince(before, 0.5)).isCloseTo(3, Offset.offset(1e-9));
        assertThat(probe.missing()).isEmpty();
    }

    @Test
    void aTargetThatIsGoneHasNoThreads() {
        assertThat(probe().threads()).isEmpty();
        assertThat(probe().read().byThread()).isEmpty();
        assertThat(probe().missing()).isPresent();
    }
}
