package dev.jdyno.gclog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.gclog.sums.Analysis;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Lines of a quarter of a megabyte that are made to take long: each may begin many kinds of text.
class HostileLogTest {
    private static final int LINE_BYTES = 250_000;
    private static final int LINES = 40;
    private static final String GOOD =
            "[1.000s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 24M->8M(64M)"
                    + " 5.100ms\n";

    /// Each line once took eight seconds, because the time grew with the square of its length.
    @ParameterizedTest
    @ValueSource(strings = {"[", "[x", "[1.0s]", "[gc", "[safepoint", "1.5: [GC ", "[1.0s][x] "})
    @Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void timeOfReadingALineGrowsLinearlyWithItsLength(String begin) {
        String line = begin.repeat(LINE_BYTES / begin.length()) + "\n";
        byte[] log = (GOOD + line.repeat(LINES) + GOOD).getBytes(StandardCharsets.UTF_8);

        Analysis a = GcLog.read("log", new ByteArrayInputStream(log), GcLog.Options.DEFAULT);

        assertThat(a.count("young")).isEqualTo(2);
        assertThat(a.lines().total()).isEqualTo(LINES + 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-XX:F%d=1 ", "-XX:+%d "})
    void limitsNumberOfFlagsAndNames(String flag) {
        var log = new StringBuilder(GOOD);
        for (int i = 0; i < 200; i++) {
            log.append("CommandLine flags: ");
            for (int f = 0; f < 100; f++) {
                log.append(flag.formatted(100 * i + f));
            }
            log.append('\n');
        }
        log.append("[2.0s][info][gc] GC(1) Pause Young (Normal) (")
                .append("x".repeat(100_000))
                .append(") 24M->8M(64M) 5.100ms\n");

        Analysis a =
                GcLog.read(
                        "log",
                        new ByteArrayInputStream(log.toString().getBytes(StandardCharsets.UTF_8)),
                        GcLog.Options.DEFAULT);

        assertThat(a.setup().flags()).hasSizeLessThanOrEqualTo(4096);
        assertThat(a.causes()).allSatisfy(c -> assertThat(c.cause()).hasSizeLessThanOrEqualTo(256));
    }
}
