package dev.jdyno.heapmodel.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.text.Bytes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Compared with the output of `java -Xlog:gc+heap+exit -version` of JDK 17.0.15 for the same
/// flags.
class HeapLayoutTest {
    @ParameterizedTest(name = "{0} -Xmx{1} -Xmn{2} SurvivorRatio={3}")
    @CsvSource({
        "SERIAL,   256m, 15m,      6, 11520, 1920, 246784",
        "PARALLEL, 256m, 15m,      6, 12288, 1536, 246784",
        "SERIAL,   100m, '',       0, 27328, 3392,  68288",
        "PARALLEL, 101m, '',       0, 26624, 4096,  69632",
        "SERIAL,    77m, 33333333, 0, 26112, 3200,  47360",
        "PARALLEL,  77m, 33333333, 0, 25088, 3584,  47616",
    })
    void spacesMatchHotSpot(
            Collector collector,
            String xmx,
            String xmn,
            int survivorRatio,
            long edenKib,
            long survivorKib,
            long oldKib) {
        HeapFlags flags = HeapFlags.of(collector, Bytes.parse(xmx));
        flags = xmn.isEmpty() ? flags : flags.withYoung(Bytes.parse(xmn));
        flags = survivorRatio == 0 ? flags : flags.withSurvivorRatio(survivorRatio);

        HeapLayout layout = HeapLayout.of(flags);

        assertThat(layout.edenBytes() / 1024).isEqualTo(edenKib);
        assertThat(layout.survivorBytes() / 1024).isEqualTo(survivorKib);
        assertThat(layout.oldBytes() / 1024).isEqualTo(oldKib);
    }

    /// Published in experiment E5: Eden 15.8 M, survivor spaces 1.94 M and 2.44 M, old 236 M. This
    /// is NewRatio 12 of the client JVM of that time.
    @ParameterizedTest
    @CsvSource({"8, 15.8125, 1.9375", "6, 14.8125, 2.4375"})
    void newRatioTwelveGivesPublishedLayout(int survivorRatio, double eden, double survivor) {
        HeapFlags flags =
                HeapFlags.of(Collector.SERIAL, Bytes.parse("256m"))
                        .withNewRatio(12)
                        .withSurvivorRatio(survivorRatio);

        HeapLayout layout = HeapLayout.of(flags);

        assertThat(layout.edenBytes() / 1048576.0).isEqualTo(eden);
        assertThat(layout.survivorBytes() / 1048576.0).isEqualTo(survivor);
        assertThat(layout.oldBytes() / 1048576.0).isBetween(236.0, 237.0);
    }
}
