package dev.jdyno.gclog.unified;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.jdyno.gclog.GcLog;
import dev.jdyno.measure.gc.ShenandoahCycle;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Lines about Shenandoah's cycles, from Temurin 25.0.3.
class ShenandoahLinesTest {
    private static final double KIB = 1024;

    private static final String CYCLE =
            """
            [0.340s][info][gc          ] Trigger: Free (18065K) is below minimum threshold (20480K)
            [0.340s][info][gc,start    ] GC(5) Concurrent reset (unload classes)
            [0.340s][info][gc          ] GC(5) Concurrent reset (unload classes) 0.036ms
            [0.340s][info][gc,ergo     ] GC(5) Pacer for Mark. Expected Live: 41003K, Free: 17809K, Non-Taxable: 1780K, Alloc Tax Rate: 2.8x
            [0.362s][info][gc,ergo     ] GC(5) Collectable Garbage: 75700K (56%), Immediate: 100K (0%), 0 regions, CSet: 75600K (56%), 329 regions
            [0.363s][info][gc          ] GC(5) Concurrent cleanup (unload classes) 178M->178M(200M) 0.027ms
            [0.374s][info][gc          ] GC(5) Concurrent cleanup (unload classes) 194M->111M(200M) 0.029ms
            [0.375s][info][gc,ergo     ] GC(5) At end of GC: used: 111M, used regions: 200M, humongous waste: 255K, soft capacity: 200M, max capacity: 200M, available: 79872K
            """;

    private static List<ShenandoahCycle> read(String log) throws IOException {
        return GcLog.read(
                        "test",
                        new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)),
                        GcLog.Options.DEFAULT)
                .shenandoahCycles();
    }

    @Test
    void readsOneCycle() throws IOException {
        ShenandoahCycle cycle = read(CYCLE).getFirst();

        assertThat(cycle.startS()).isEqualTo(0.340);
        assertThat(cycle.seconds()).isCloseTo(0.035, offset(1e-9));
        assertThat(cycle.liveBytes()).isEqualTo(41003 * KIB);
        assertThat(cycle.freeBytes()).isEqualTo(17809 * KIB);
        assertThat(cycle.freeAfterBytes()).isEqualTo(79872 * KIB);
        assertThat(cycle.freedAtOnceBytes()).isEqualTo(100 * KIB);
        assertThat(cycle.freedBytes()).isEqualTo(75600 * KIB);
        assertThat(cycle.allocated()).isEqualTo((17809 + 75700 - 79872) * KIB);
    }

    /// A degenerated cycle logs no end, and other JDK releases log only some of the lines.
    @ParameterizedTest
    @ValueSource(strings = {"Pacer for Mark", "Collectable Garbage", "At end of GC"})
    void ignoresCycleWithMissingLine(String words) throws IOException {
        String less =
                CYCLE.lines().filter(l -> !l.contains(words)).reduce("", (a, l) -> a + l + "\n");

        assertThat(read(less)).isEmpty();
    }

    @Test
    void linesOfGenerationalShenandoahGiveNoCycle() throws IOException {
        assertThat(read(CYCLE.replace("(unload classes)", "(Young)"))).isEmpty();
    }
}
