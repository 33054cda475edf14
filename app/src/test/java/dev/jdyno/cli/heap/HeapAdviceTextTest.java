package dev.jdyno.cli.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.gclog.GcLog;
import dev.jdyno.heapmodel.advice.HeapAdvice;
import dev.jdyno.heapmodel.advice.HeapGoal;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.report.json.HeapAdviceForm;
import dev.jdyno.report.json.JsonDocument;
import dev.jdyno.report.words.memory.HeapAdviceText;
import dev.jdyno.sizing.HeapReading;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class HeapAdviceTextTest {
    /// Log of Parallel on a heap of 256 MiB: one young collection of 5 ms a second, for a minute.
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
        HeapGoal goal = HeapGoal.parse(slo);
        HeapAdvice advice = new SizingOptions().parse().advice(read, goal, Optional.empty());
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
    void reportsMissedPauseGoal() throws IOException {
        assertThat(advice("pause=2ms,gc=1%"))
                .contains("none above 2 ms")
                .contains("pauses reach 5 ms")
                .contains("-XX:+UseG1GC");
    }

    /// The output reports the number of collections of a long log that the forecast leaves out.
    @Tag("full") // four replays of thousands of collections
    @Test
    void youngCollectionsThatAreNotReplayedAreCounted() throws IOException {
        assertThat(advice(ZGC, ZGC_YOUNG, 4096)).doesNotContain("forecasts replay");
        assertThat(advice(ZGC, ZGC_YOUNG, 4100))
                .contains("replay the first 4096 of the 4100 young collections in the log");
        assertThat(advice(SHENANDOAH, SHENANDOAH_CYCLE, 4096)).doesNotContain("forecasts replay");
        assertThat(advice(SHENANDOAH, SHENANDOAH_CYCLE, 9000))
                .contains("replay the first 4096 of the 9000 cycles in the log");
    }

    private static final String ZGC =
            """
            [0.010s][info][gc,init] Initializing The Z Garbage Collector
            [0.011s][info][gc,init] Heap Max Capacity: 200M
            """;

    private static final String SHENANDOAH =
            """
            [0.010s][info][gc     ] Using Shenandoah
            [0.011s][info][gc,init] Heap Max Capacity: 200M
            """;

    /// The relevant lines of one cycle in a log of Temurin 25.0.3.
    private static final String SHENANDOAH_CYCLE =
            """
            [AT][info][gc,start    ] GC(N) Concurrent reset (unload classes)
            [AT][info][gc          ] GC(N) Concurrent reset (unload classes) 0.036ms
            [AT][info][gc          ] GC(N) Pause Init Mark (unload classes) 0.036ms
            [AT][info][gc,ergo     ] GC(N) Pacer for Mark. Expected Live: 41003K, Free: 17809K, Non-Taxable: 1780K, Alloc Tax Rate: 2.8x
            [AT][info][gc,ergo     ] GC(N) Collectable Garbage: 75700K (56%), Immediate: 100K (0%), 0 regions, CSet: 75600K (56%), 329 regions
            [AT][info][gc          ] GC(N) Concurrent cleanup (unload classes) 178M->178M(200M) 0.027ms
            [AT][info][gc          ] GC(N) Concurrent cleanup (unload classes) 194M->111M(200M) 0.029ms
            [AT][info][gc,ergo     ] GC(N) At end of GC: used: 111M, used regions: 200M, humongous waste: 255K, soft capacity: 200M, max capacity: 200M, available: 79872K
            """;

    /// @param collection text of one collection
    /// @param collections number of times that the log repeats it
    private static String advice(String start, String collection, int collections)
            throws IOException {
        var log = new StringBuilder(start);
        for (int i = 0; i < collections; i++) {
            String at = String.format(Locale.ROOT, "[%.3fs]", 1 + i * 0.05);
            String name = "GC(" + i + ")";
            collection
                    .lines()
                    .forEach(l ->
                            log.append(l.replace("[AT]", at).replace("GC(N)", name)).append('\n'));
        }
        var analysis =
                GcLog.read(
                        "a log",
                        new ByteArrayInputStream(log.toString().getBytes(StandardCharsets.UTF_8)),
                        GcLog.Options.DEFAULT);
        HeapReading read = HeapReading.of(analysis);
        HeapGoal goal = HeapGoal.parse("gc=1%");
        HeapAdvice advice = new SizingOptions().parse().advice(read, goal, Optional.empty());
        return String.join("\n", HeapAdviceText.lines(read, goal, advice, OptionalDouble.empty()));
    }

    /// The relevant lines of one collection in a log of Temurin 25.0.3.
    private static final String ZGC_YOUNG =
            """
            [AT][info][gc          ] GC(N) Minor Collection (Allocation Rate)
            [AT][info][gc,phases   ] GC(N) y: Young Generation
            [AT][info][gc,phases   ] GC(N) y: Pause Mark Start 0.002ms
            [AT][info][gc,phases   ] GC(N) y: Concurrent Mark 0.293ms
            [AT][info][gc,phases   ] GC(N) y: Concurrent Relocate 0.014ms
            [AT][info][gc,heap     ] GC(N) y: Heap Statistics:
            [AT][info][gc,heap     ] GC(N) y:      Free:      54M (27%)         50M (25%)         160M (80%)         158M (79%)         160M (80%)         50M (25%)
            [AT][info][gc,heap     ] GC(N) y:      Used:       146M (73%)          150M (75%)          40M (20%)          42M (21%)          150M (75%)          40M (20%)
            [AT][info][gc,heap     ] GC(N) y: Young Generation Statistics:
            [AT][info][gc,heap     ] GC(N) y:      Used:       112M (56%)           116M (58%)            6M (3%)            8M (4%)
            [AT][info][gc,heap     ] GC(N) y:      Live:         -                 0M (0%)            0M (0%)            0M (0%)
            [AT][info][gc,heap     ] GC(N) y: Allocated:         -                 4M (2%)            5M (2%)            7M (3%)
            [AT][info][gc,phases   ] GC(N) y: Young Generation 146M(73%)->42M(21%) 0.001s
            [AT][info][gc          ] GC(N) Minor Collection (Allocation Rate) 146M(73%)->42M(21%) 0.001s
            """;

    @Test
    void invalidGoalsAreNamed() {
        assertThatThrownBy(() -> HeapGoal.parse("pause=50"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--slo pause=50");
        assertThatThrownBy(() -> HeapGoal.parse("speed=9"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is no goal");
    }

    @Test
    void jsonHasCostAndFlagsOfEachSize() throws IOException {
        var analysis =
                GcLog.read(
                        "a log",
                        new ByteArrayInputStream(log().getBytes(StandardCharsets.UTF_8)),
                        GcLog.Options.DEFAULT);
        HeapReading read = HeapReading.of(analysis);
        HeapGoal goal = HeapGoal.parse("gc=1%");
        HeapAdvice advice =
                new SizingOptions().parse().advice(read, goal, Optional.of(Bytes.parse("580m")));

        JsonNode json =
                JsonDocument.tree(
                        HeapAdviceForm.of(read, goal, advice, Optional.of(Bytes.parse("580m"))));

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
