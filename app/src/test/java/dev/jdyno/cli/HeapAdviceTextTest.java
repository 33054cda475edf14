package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.gclog.GcLog;
import dev.jdyno.heapmodel.HeapAdvice;
import dev.jdyno.heapmodel.HeapGoal;
import dev.jdyno.measure.Bytes;
import dev.jdyno.measure.UserError;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

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
        HeapReading read = HeapReading.of(analysis);
        HeapGoal goal = HeapAdviceText.goal(slo);
        HeapAdvice advice = new SizingOptions().advice(read, goal, Optional.empty());
        return String.join("\n", HeapAdviceText.lines(read, goal, advice, OptionalDouble.of(100)));
    }

    @Test
    void aCalmLogMayHaveASmallerHeap() throws IOException {
        assertThat(advice("gc=1%"))
                .contains("at most 1.0 % of the time")
                .contains("-Xms128m -Xmx128m: a container needs about 554 MiB")
                .containsPattern("256 MiB +- +- +60 +0 +300ms");
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

    @Test
    void inJsonEachSizeHasItsCostAndItsFlags() throws IOException {
        var analysis =
                GcLog.read(
                        "a log",
                        new ByteArrayInputStream(log().getBytes(StandardCharsets.UTF_8)),
                        GcLog.Options.DEFAULT);
        HeapReading read = HeapReading.of(analysis);
        HeapGoal goal = HeapAdviceText.goal("gc=1%");
        HeapAdvice advice =
                new SizingOptions().advice(read, goal, Optional.of(Bytes.parse("580m")));

        JsonNode json =
                JsonMapper.shared()
                        .valueToTree(
                                HeapAdviceJson.of(
                                        read, goal, advice, Optional.of(Bytes.parse("580m"))));

        assertThat(json.get("choices")).hasSize(8);
        assertThat(json.get("chosen").get("heapBytes").asLong()).isEqualTo(128L << 20);
        assertThat(json.get("chosen").get("flags").toString()).contains("-Xmx128m");
        assertThat(json.get("chosen").get("memory").get("threadsPossible").asLong())
                .isBetween(200L, 230L);
        JsonNode largest = json.get("choices").get(7);
        assertThat(largest.get("fitsContainer").asBoolean()).isFalse();
        assertThat(largest.get("meets").asBoolean()).isFalse();
        assertThat(largest.get("pauseMs").asDouble())
                .isLessThan(json.get("chosen").get("pauseMs").asDouble());
    }
}
