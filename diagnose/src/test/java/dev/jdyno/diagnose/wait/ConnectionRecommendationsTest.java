package dev.jdyno.diagnose.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Patient;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Recommendation;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectionRecommendationsTest {
    private static final String POOL = "HikariCP in com.acme.Orders.take";

    /// @param waiting number of the 20 threads that wait for a connection; the others are in
    ///   database calls
    private static List<Recommendation> with(double waiting) {
        var patient = new Patient();
        patient.evidence =
                EvidenceFixture.plateau()
                        .rounds(r -> r.cores(0.1))
                        .pool(new ThreadSamples.Pool("http-nio-exec", 20, 20, 0, 0, true))
                        .busy(Cause.POOL, POOL, waiting)
                        .busy(Cause.DATABASE, "db:5432", 20 - waiting);
        return patient.recommendations(Bottleneck.CONNECTION_POOL);
    }

    /// Each request takes two connections. Twice the pool only raises the load at which all threads
    /// wait. 20 threads that hold one connection each need 21.
    @Test
    void poolNeedsOneMoreConnectionThanThreadsIfAllWait() {
        assertThat(with(19.9))
                .extracting(Recommendation::id, r -> r.change().text())
                .containsExactly(tuple("pool-one-each", ""), tuple("pool-holders", "pool=21"));
    }

    @Test
    void recommendsLargerPoolIfHoldersWork() {
        assertThat(with(18))
                .extracting(Recommendation::id)
                .contains("pool-double")
                .doesNotContain("pool-holders");
    }

    /// No frame shows which threads hold a connection. So all threads that do not wait for one
    /// count as holders.
    @Test
    void assumesSleepingThreadsHoldConnections() {
        var patient = new Patient();
        patient.evidence =
                EvidenceFixture.plateau()
                        .rounds(r -> r.cores(0.05))
                        .busy(Cause.POOL, "commons-pool in com.acme.Sessions.borrow", 12)
                        .busy(Cause.SLEEP, "sleep in com.acme.Receipts.stateOf", 3)
                        .busy(Cause.DOWNSTREAM, "10.0.0.8:8080", 1);
        List<Recommendation> found = patient.recommendations(Bottleneck.CONNECTION_POOL);

        assertThat(found)
                .extracting(Recommendation::id)
                .containsSubsequence("pool-no-sleep", "pool-double");
        assertThat(found.getFirst().says()).contains("com.acme.Receipts.stateOf");
        assertThat(found.getFirst().predictedQpsRatio().orElseThrow())
                .as("the other quarter of the time that a connection is held stays")
                .isCloseTo(4, within(1e-9));
    }

    /// The query itself needs the connection. Other work can run before the connection is taken.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    pool-query   | probably database: PostgreSQL db:5432 in com.acme.Orders.find
                    pool-query   | probably database: JDBC db:5432 in com.acme.Orders.find
                    pool-shorter | probably cpu: com.acme.Orders.render
                    pool-call-outside | probably downstream: rates:80 in com.acme.Orders.rate
                    """)
    void recommendationFollowsActivityOfConnectionHolder(String id, String holder) {
        var patient = new Patient();
        patient.evidence =
                EvidenceFixture.plateau()
                        .rounds(r -> r.cores(0.1))
                        .held(Cause.POOL, POOL, 15, holder)
                        .busy(Cause.DATABASE, "db:5432", 5);

        assertThat(patient.recommendations(Bottleneck.CONNECTION_POOL))
                .extracting(Recommendation::id)
                .contains("pool-double", id)
                .doesNotContain(id.equals("pool-shorter") ? "pool-query" : "pool-shorter");
    }
}
