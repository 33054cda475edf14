package dev.jdyno.diagnose.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.ThreadPlaces;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    downstream: 10.0.0.7:80 in com.acme.Foyer.charge | waits for the answer of 10.0.0.7:80 in com.acme.Foyer.charge
                    probably sleep: park in com.acme.Harbour.hold    | probably sleeps in com.acme.Harbour.hold
                    cpu: com.acme.Ledger.add                         | computes in com.acme.Ledger.add
                    disk: fsync in com.acme.Ledger.add               | waits for the disk, fsync in com.acme.Ledger.add
                    idle                                             | has no request and keeps it
                    pool: HikariCP in com.acme.Ledger.add            | is at pool, HikariCP in com.acme.Ledger.add
                    """)
    void describesHolderInWords(String holder, String says) {
        assertThat(Lines.holder(PlaceText.holder(holder).orElseThrow())).hasToString(says);
    }

    @Test
    void fullQueueHasNoHolder() {
        assertThat(held(waits("log4j2 waiting for a full queue in com.acme.Wire.item"))).isEmpty();
        assertThat(held(waits("HikariCP in com.acme.Wire.item")))
                .isEqualTo("; the holder computes in com.acme.Wire.format");
    }

    private static String held(ThreadSamples.Busy waits) {
        return Lines.held(waits, new ThreadPlaces(List.of(), List.of(waits), List.of())).text();
    }

    private static ThreadSamples.Busy waits(String where) {
        return new ThreadSamples.Busy(
                Cause.LOGGING,
                PlaceText.place(Cause.LOGGING, where),
                20,
                PlaceText.holder("cpu: com.acme.Wire.format"));
    }

    /// A journal is forced to disk at each request. Nearly all cores are in use, and few threads
    /// wait for one.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    0.24 | 0  | CPU at 12 % of the cores available to it
                    1.79 | 0  | CPU at 92 % of the cores available to it, but few of the threads in use wait for a core
                    1.79 | 15 | CPU at 92 % of the cores available to it
                    """)
    void highCpuUseIsNotCalledLow(double cores, double computing, String says) {
        var evidence = EvidenceFixture.plateau().rounds(r -> r.cores(cores));
        if (computing > 0) {
            evidence = evidence.busy(Cause.CPU, "com.acme.Journal.write", computing);
        } else {
            evidence = evidence.busy(Cause.DISK, "force in com.acme.Journal.write", 15);
        }

        assertThat(Lines.cpuLine(evidence.build()))
                .hasValueSatisfying(line -> assertThat(line.says().text()).hasToString(says));
    }

    @Test
    void contraryReasonDoesNotStartWithVerdictName() {
        Statement named = Statement.of("The thread pool is the bottleneck", "all %d are busy.", 11);

        assertThat(named.reason()).hasToString("all 11 are busy.");
        assertThat(named.text()).hasToString("The thread pool is the bottleneck: all 11 are busy.");
        assertThat(Statement.whole("Memory leaks.").reason()).hasToString("Memory leaks.");
    }
}
