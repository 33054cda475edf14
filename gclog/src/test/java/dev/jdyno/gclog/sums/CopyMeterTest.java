package dev.jdyno.gclog.sums;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.gclog.GcLog;
import dev.jdyno.measure.gc.YoungCopy;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class CopyMeterTest {
    private static final double MIB = 1024.0 * 1024.0;

    private static final String BEGIN =
            """
            [0.004s][info ][gc,init     ] Using G1
            [0.006s][info ][gc,init     ] Heap Region Size: 1M
            """;

    /// One collection of G1 in a log of JDK 25.
    private static String young(int id, int eden, int survivors, int promoted, long... ages) {
        var log = new StringBuilder();
        String head = "[" + (id + 1) + ".000s][info ][gc,heap     ] GC(" + id + ") ";
        String kind = "Pause Young (Normal) (G1 Evacuation Pause)";
        log.append(head.replace("gc,heap ", "gc,start")).append(kind).append('\n');
        String trace = head.replace("info ][gc,heap ", "trace][gc,age  ");
        if (ages.length > 0) {
            log.append(trace).append("Age table:\n");
        }
        for (int i = 0; i < ages.length; i++) {
            log.append(trace)
                    .append("- age   %d:    %d bytes,    %d total%n".formatted(i + 1, ages[i], 0));
        }
        log.append(head).append("Eden regions: %d->0(50)%n".formatted(eden));
        log.append(head).append("Survivor regions: %d->3(9)%n".formatted(survivors));
        log.append(head).append("Old regions: 2->%d%n".formatted(2 + promoted));
        log.append(head).append("Humongous regions: 0->0\n");
        log.append(head.replace("gc,heap ", "gc      "))
                .append(kind)
                .append(" %dM->5M(480M) 10.000ms%n".formatted(eden + survivors + 2));
        return log.toString();
    }

    private static List<YoungCopy> read(String log) throws IOException {
        var in = new ByteArrayInputStream((BEGIN + log).getBytes(StandardCharsets.UTF_8));
        return GcLog.read("test", in, GcLog.Options.DEFAULT).copying().orElseThrow().single();
    }

    @Test
    void ageTableGivesSurvivedBytes() throws IOException {
        List<YoungCopy> copies =
                read(young(0, 24, 0, 0, 2_500_000) + young(1, 40, 3, 0, 1_000_000, 2_000_000));

        assertThat(copies.getLast())
                .isEqualTo(
                        new YoungCopy(
                                40 * MIB, 2_500_000, 3_000_000, OptionalDouble.of(2_000_000)));
    }

    @Test
    void ageTableGivesNoSurvivedBytesAfterPromotion() throws IOException {
        List<YoungCopy> copies =
                read(young(0, 24, 0, 0, 2_500_000) + young(1, 40, 3, 2, 1_000_000, 500_000));

        assertThat(copies.getLast().stayedBytes()).isEmpty();
        assertThat(copies.getLast().copiedBytes()).isEqualTo(1_500_000 + 2 * MIB);
    }

    @Test
    void countsRegionsWithoutAgeTables() throws IOException {
        List<YoungCopy> copies = read(young(0, 24, 0, 0) + young(1, 40, 3, 0));

        assertThat(copies.getLast())
                .isEqualTo(new YoungCopy(40 * MIB, 3 * MIB, 3 * MIB, OptionalDouble.empty()));
    }
}
