package dev.jdyno.gclog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.gclog.rules.Diagnoses;
import dev.jdyno.gclog.sums.Analysis;
import java.io.ByteArrayInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.OptionalDouble;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Logs from a log shipper that drops every second line end.
class JoinedLinesTest {
    private static Analysis read(String log) throws IOException {
        return GcLog.read(
                "test",
                new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)),
                GcLog.Options.DEFAULT);
    }

    private static String fixture(String name) throws IOException {
        try (InputStream in =
                new GZIPInputStream(
                        new FileInputStream("src/test/resources/gclog/" + name + ".log.gz"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void completeMessageBeforeATornMessageIsCountedOnce() throws IOException {
        Analysis a =
                read(
                        """
                        [0.500s][info][gc] Using G1
                        [1.000s][info][gc] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 15M->3M(256M) 2.0ms [1.100s][info][gc] GC(2) Pause Young (Normal) (G1 Evacuation Pause) 15M->3M(256M) 2.3
                        """);

        assertThat(a.pauses().count()).isOne();
        assertThat(a.lines().joined()).isOne();
        assertThat(a.lines().broken()).isOne();
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdk25-g1", "jdk17-serial", "jdk21-zgenerational", "jdk25-shenandoah"})
    void bothMessagesOfALineAreReadAndJointsAreCounted(String name) throws IOException {
        String log = fixture(name);
        String[] lines = log.split("\n");
        StringBuilder shipped = new StringBuilder();
        int joints = 0;
        for (int i = 0; i < lines.length; i++) {
            boolean joins = i % 2 == 0 && i + 1 < lines.length;
            joints += joins ? 1 : 0;
            shipped.append(lines[i]).append(joins ? " " : "\n");
        }

        Analysis whole = read(log);
        Analysis joined = read(shipped.toString());

        // a joined line of two short messages may look like a single message
        assertThat((double) joined.lines().joined()).isCloseTo(joints, within(0.02 * joints));
        assertThat(joined.pauses().count()).isEqualTo(whole.pauses().count());
        assertThat(joined.pauses().total()).isCloseTo(whole.pauses().total(), within(1e-6));
        assertThat(joined.events()).isEqualTo(whole.events());
        assertThat(joined.lines().broken()).isZero();
        assertThat(whole.lines().joined()).isZero();
        assertThat(Diagnoses.of(joined, OptionalDouble.empty()))
                .filteredOn(d -> d.id().equals("log"))
                .singleElement()
                .satisfies(d -> assertThat(d.advice()).anyMatch(s -> s.contains("line ends")));
    }

    private static final String LEGACY =
            """
            1.000: [GC (Allocation Failure) 1.000: [ParNew
            Desired survivor size 39321600 bytes, new threshold 1 (max 6)
            - age   1:   51317512 bytes,   51317512 total
            : 617393K->53188K(691200K), 0.0076975 secs] 3487702K->2923643K(4531200K), 0.0078379 secs] [Times: user=0.04 sys=0.00, real=0.01 secs]
            1.008: Total time for which application threads were stopped: 0.0081000 seconds, Stopping threads took: 0.0001000 seconds
            1.500: Application time: 0.4920000 seconds
            1.501: [GC (Allocation Failure) [PSYoungGen: 65536K->10720K(76288K)] 65536K->20000K(251392K), 0.0170000 secs] [Times: user=0.04 sys=0.01, real=0.02 secs]
            2.000: [GC (CMS Initial Mark) [1 CMS-initial-mark: 702521K(786432K)] 938489K(1022400K), 0.0040000 secs] [Times: user=0.00 sys=0.00, real=0.00 secs]
            2.005: [CMS-concurrent-mark-start]
            2.100: [CMS-concurrent-mark: 0.095/0.095 secs] [Times: user=0.10 sys=0.00, real=0.10 secs]
            """;

    /// Joins the lines of a log, except for the first `inside` line ends, which are inside one
    /// event.
    private static String joined(String log, int inside) {
        String[] lines = log.split("\n");
        StringBuilder shipped = new StringBuilder();
        for (int i = 0; i < lines.length; i++) {
            shipped.append(lines[i]).append(i < inside ? "\n" : " ");
        }
        return shipped.toString();
    }

    @Test
    void linesOfJdk8ThatWereJoinedAreReadAndCounted() throws IOException {
        Analysis whole = read(LEGACY);
        Analysis joined = read(joined(LEGACY, 3));

        assertThat(whole.lines().joined()).isZero();
        assertThat(joined.lines().joined()).isEqualTo(LEGACY.lines().count() - 4);
        assertThat(joined.events()).isEqualTo(whole.events());
        assertThat(joined.pauses().count()).isEqualTo(whole.pauses().count());
        assertThat(joined.pauses().total()).isCloseTo(whole.pauses().total(), within(1e-9));
        assertThat(joined.safepoints())
                .extracting(Analysis.SafepointTotal::count, Analysis.SafepointTotal::maxReachingMs)
                .isEqualTo(
                        whole.safepoints().stream()
                                .map(t -> tuple(t.count(), t.maxReachingMs()))
                                .toList())
                .isNotEmpty();
        assertThat(joined.lines().broken()).isZero();
        assertThat(Diagnoses.of(joined, OptionalDouble.empty()))
                .filteredOn(d -> d.id().equals("log"))
                .singleElement()
                .satisfies(d -> assertThat(d.advice()).anyMatch(s -> s.contains("line ends")));
    }

    @Test
    void outputOfConcurrentThreadIsNoJoinedLine() throws IOException {
        Analysis a =
                read(
                        """
                        11.000: [Full GC 11.000: [CMS11.200: [CMS-concurrent-mark: 1.1/1.2 secs] [Times: user=2.22 sys=0.01, real=1.20 secs]
                         (concurrent mode failure): 702521K->594052K(786432K), 4.9052810 secs] 938489K->594052K(1022400K), [CMS Perm : 22623K->22606K(37688K)], 4.9054799 secs] [Times: user=5.02 sys=0.00, real=4.91 secs]
                        13.000: [GC (CMS Final Remark) [YG occupancy: 63171 K (78656 K)]13.000: [GC (CMS Final Remark) 13.000: [ParNew: 63171K->8704K(78656K), 0.0200000 secs] 163171K->120000K(253440K), 0.0201000 secs] [Times: user=0.04 sys=0.01, real=0.02 secs]
                        13.021: [Rescan (parallel) , 0.0010000 secs]13.022: [weak refs processing, 0.0000100 secs] [1 CMS-remark: 111296K(174784K)] 120000K(253440K), 0.0225000 secs] [Times: user=0.05 sys=0.01, real=0.02 secs]
                        """);

        assertThat(a.lines().joined()).isZero();
    }
}
