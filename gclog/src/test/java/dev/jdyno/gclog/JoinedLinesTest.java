package dev.jdyno.gclog;

import static org.assertj.core.api.Assertions.assertThat;
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

/// A log shipper that drops every second line end.
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
    void aTornMessageBehindAWholeOneIsCountedAndTheWholeOneOnce() throws IOException {
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

        // two short lines in a row may look like one
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
}
