package dev.jdyno.gclog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.gclog.rules.Diagnoses;
import dev.jdyno.gclog.sums.Analysis;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/// Truncated logs, and logs that another program than the JVM has rewritten.
class CutLogTest {
    private static Analysis read(byte[] log) throws IOException {
        return GcLog.read("test", new ByteArrayInputStream(log), GcLog.Options.DEFAULT);
    }

    private static Analysis read(String log) throws IOException {
        return read(log.getBytes(StandardCharsets.UTF_8));
    }

    private static String collections(int n) {
        return IntStream.range(0, n)
                .mapToObj(i ->
                        "["
                                + (i + 1)
                                + ".000s][info][gc] GC("
                                + i
                                + ") Pause Young (Normal) (G1 Evacuation Pause) "
                                + (20 + i % 7)
                                + "M->8M(64M) 5."
                                + (100 + i % 899)
                                + "ms\n")
                .collect(Collectors.joining());
    }

    @Test
    void readsTruncatedCompressedLogToItsEnd() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(collections(5000).getBytes(StandardCharsets.UTF_8));
        }
        byte[] all = packed.toByteArray();

        Analysis a = read(Arrays.copyOf(all, all.length / 2));

        assertThat(a.count("young")).isBetween(1000L, 4999L);
        assertThat(a.lines().unread()).isLessThanOrEqualTo(1);
    }

    @Test
    void readsUtf16LogOfPowerShell() throws IOException {
        Analysis a = read(("\ufeff" + collections(5)).getBytes(StandardCharsets.UTF_16LE));

        assertThat(a.count("young")).isEqualTo(5);
        assertThat(a.lines().unread()).isZero();
    }

    @Test
    void aShortLogCutOffAtBothEndsIsDiagnosed() throws IOException {
        String cut = "Young (Normal) (G1 Evacuation Pause) 24M->8M(64M) 5.100ms\n";
        String log = collections(6);
        log = log.substring(0, log.length() - 30);

        assertThat(Diagnoses.isWithheld(read(cut + log))).isFalse();
        String torn = log.substring(log.lastIndexOf('\n') + 1) + "\n";
        assertThat(Diagnoses.isWithheld(read(collections(5) + torn.repeat(3)))).isTrue();
    }

    @Test
    void logWithoutACollectionIsNotReportedAsHealthy() throws IOException {
        Analysis a =
                read(
                        """
                        1.028: Application time: 0.9606750 seconds
                        1.028: Total time for which application threads were stopped: 0.0000590 seconds
                        4.099: Application time: 3.0710520 seconds
                        """);
        List<GcDiagnosis> found = Diagnoses.of(a, OptionalDouble.empty());

        assertThat(found).extracting(GcDiagnosis::id).containsExactly("log");
        assertThat(found.getFirst().advice().getFirst()).startsWith("no collection stands in");
        assertThat(a.hasCollections()).isFalse();
    }

    @Test
    void bytesOfABinaryFileDoNotReachTheTerminal() {
        assertThatThrownBy(() -> read("\u007fELF\u001b[2J\u0007 binary\n"))
                .hasMessageContaining("test is not a GC log")
                .satisfies(e -> assertThat(e.toString()).doesNotContain("\u001b", "\u0007"));
    }

    @Test
    void sharesAreAtMostHundredPercent() throws IOException {
        Analysis a =
                read(
                        """
                        [9.100s][info][gc] GC(7) Pause Young (Normal) (G1 Evacuation Pause) 24M->8M(64M) 900.000ms
                        [9.200s][info][gc] GC(8) Pause Young (Normal) (G1 Evacuation Pause) 24M->8M(64M) 900.000ms
                        """);

        assertThat(a.spanPct(a.stopped().gcMs())).isEqualTo(100);
    }
}
