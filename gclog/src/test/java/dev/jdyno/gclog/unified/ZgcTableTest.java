package dev.jdyno.gclog.unified;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.jdyno.gclog.GcLog;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.ZgcYoung;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tables of generational ZGC, lines as Temurin 25.0.3 wrote them.
class ZgcTableTest {
    private static final double MIB = 1024.0 * 1024.0;

    private static final String MINOR =
            """
            [2.090s][info][gc          ] GC(200) Minor Collection (Allocation Rate)
            [2.090s][info][gc,phases   ] GC(200) y: Young Generation
            [2.090s][info][gc,phases   ] GC(200) y: Pause Mark Start 0.002ms
            [2.091s][info][gc,phases   ] GC(200) y: Concurrent Mark 0.293ms
            [2.091s][info][gc,phases   ] GC(200) y: Concurrent Select Relocation Set 0.029ms
            [2.091s][info][gc,phases   ] GC(200) y: Concurrent Relocate 0.014ms
            [2.091s][info][gc,heap     ] GC(200) y: Heap Statistics:
            [2.091s][info][gc,heap     ] GC(200) y:                Mark Start          Mark End        Relocate Start      Relocate End           High               Low
            [2.091s][info][gc,heap     ] GC(200) y:  Capacity:      200M (100%)        200M (100%)        200M (100%)        200M (100%)        200M (100%)        200M (100%)
            [2.091s][info][gc,heap     ] GC(200) y:      Free:      154M (77%)         150M (75%)         160M (80%)         158M (79%)         160M (80%)         150M (75%)
            [2.091s][info][gc,heap     ] GC(200) y:      Used:       46M (23%)          50M (25%)          40M (20%)          42M (21%)          50M (25%)          40M (20%)
            [2.091s][info][gc,heap     ] GC(200) y: Young Generation Statistics:
            [2.091s][info][gc,heap     ] GC(200) y:                Mark Start          Mark End        Relocate Start      Relocate End
            [2.091s][info][gc,heap     ] GC(200) y:      Used:       12M (6%)           16M (8%)            6M (3%)            8M (4%)
            [2.091s][info][gc,heap     ] GC(200) y:      Live:         -                 0M (0%)            0M (0%)            0M (0%)
            [2.091s][info][gc,heap     ] GC(200) y:   Garbage:         -                11M (6%)            1M (1%)            1M (1%)
            [2.091s][info][gc,heap     ] GC(200) y: Allocated:         -                 4M (2%)            5M (2%)            7M (3%)
            [2.091s][info][gc,heap     ] GC(200) y: Reclaimed:         -                  -                10M (5%)           10M (5%)
            [2.091s][info][gc,heap     ] GC(200) y:  Promoted:         -                  -                 0M (0%)            0M (0%)
            [2.091s][info][gc,phases   ] GC(200) y: Young Generation 46M(23%)->42M(21%) 0.001s
            [2.091s][info][gc          ] GC(200) Minor Collection (Allocation Rate) 46M(23%)->42M(21%) 0.001s
            """;

    private static Analysis read(String log) throws IOException {
        return GcLog.read(
                "test",
                new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)),
                new GcLog.Options(0, _ -> {}));
    }

    @Test
    void readsYoungCollection() throws IOException {
        List<ZgcYoung> reported = read(MINOR).zgcYoung();

        assertThat(reported)
                .containsExactly(
                        new ZgcYoung(
                                "Allocation Rate",
                                false,
                                2.090,
                                reported.getFirst().seconds(),
                                0.293 / 1000,
                                0.014 / 1000,
                                0,
                                46 * MIB,
                                42 * MIB,
                                12 * MIB,
                                8 * MIB,
                                154 * MIB,
                                150 * MIB,
                                158 * MIB,
                                4 * MIB,
                                MIB,
                                2 * MIB));
        assertThat(reported.getFirst().seconds()).isCloseTo(1e-3, offset(1e-9));
        assertThat(reported.getFirst().survivedBytes()).isEqualTo(MIB);
        assertThat(reported.getFirst().oldBytes()).isEqualTo(34 * MIB);
    }

    /// The minor collection ran while the major one collected old, and is logged first.
    @Test
    void ordersCollectionsByStart() throws IOException {
        String major =
                MINOR.replace("Minor", "Major")
                        .replace("GC(200) y:", "GC(199) Y:")
                        .replace("GC(200)", "GC(199)")
                        .replace("2.09", "2.08");
        int end = major.lastIndexOf("[2.081s]");
        String log =
                major.substring(0, end) + MINOR + major.substring(end).replace("2.081", "2.200");

        List<ZgcYoung> reported = read(log).zgcYoung();

        assertThat(reported).extracting(ZgcYoung::startS).containsExactly(2.080, 2.090);
        assertThat(reported).extracting(ZgcYoung::major).containsExactly(true, false);
        assertThat(reported.getFirst().oldS()).isCloseTo(0.119, offset(1e-9));
        assertThat(reported.getLast().oldS()).isZero();
    }

    /// If one line of the table is missing, the collection has no figures.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Free:",
                "Used:       46M",
                "Used:       12M",
                "Allocated:",
                "y: Young Generation 46M",
                "Minor Collection (Allocation Rate)\n"
            })
    void ignoresTableWithMissingLine(String missing) throws IOException {
        StringBuilder log = new StringBuilder();
        MINOR.lines().map(l -> l + "\n").filter(l -> !l.contains(missing)).forEach(log::append);

        assertThat(log.toString().lines().count()).isEqualTo(MINOR.lines().count() - 1);
        assertThat(read(log.toString()).zgcYoung()).isEmpty();
    }

    @Test
    void tornRowsAreBrokenLines() throws IOException {
        Analysis a = read(MINOR.replaceFirst("Used: +46M .*", "Used: 46M (23"));

        assertThat(a.lines().broken()).isOne();
        assertThat(a.zgcYoung()).isEmpty();
    }
}
