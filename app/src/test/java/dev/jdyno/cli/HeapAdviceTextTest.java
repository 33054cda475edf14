package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.gclog.GcLog;
import dev.jdyno.measure.UserError;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class HeapAdviceTextTest {
    /// Parallel on a heap of 256 MiB: a young collection of 5 ms a second, a minute long.
    private static String log() {
        var log =
                new StringBuilder(
                        """
                        [0.010s][info][gc] Using Parallel
                        [0.011s][info][gc,init] Heap Max Capacity: 256M
                        """);
        for (int i = 0; i < 60; i++) {
            log.append(
                    "[%d.500s][info][gc] GC(%d) Pause Young (Allocation Failure) %dM->%dM(245M)"
                                    .formatted(i + 1, i, 90, 26)
                            + " 5.000ms\n");
        }
        return log.toString();
    }

    private static String advice(String slo) throws IOException {
        var analysis =
                GcLog.read(
                        "a log",
                        new ByteArrayInputStream(log().getBytes(StandardCharsets.UTF_8)),
                        GcLog.Options.DEFAULT);
        return String.join(
                "\n",
                HeapAdviceText.lines(analysis, HeapAdviceText.goal(slo), OptionalDouble.of(100)));
    }

    @Test
    void aCalmLogMayHaveASmallerHeap() throws IOException {
        assertThat(advice("gc=1%"))
                .contains("at most 1.0 % of the time")
                .contains("-Xmx128m: a container needs about 328 MiB")
                .contains("256 MiB           60        0");
    }

    @Test
    void aPauseGoalThatIsMissedIsSaid() throws IOException {
        assertThat(advice("pause=2ms,gc=1%"))
                .contains("none above 2 ms")
                .contains("pauses reach 5 ms")
                .contains("-XX:+UseG1GC");
    }

    @Test
    void goalsThatAreNotUnderstoodAreNamed() {
        assertThatThrownBy(() -> HeapAdviceText.goal("pause=50"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--slo pause=50");
        assertThatThrownBy(() -> HeapAdviceText.goal("speed=9"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is no goal");
    }
}
