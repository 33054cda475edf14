package dev.jdyno.diagnose.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Patient;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Insight.CallRate;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.SourceLine;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Recommendation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Whether to change the size of a full pool first, or the wait during which its places are held.
class HolderWaitTest {
    private static final String POOL = "exec";
    private static final String METHOD = "com.acme.Shop.price";
    private static final SourceLine LINE =
            new SourceLine(METHOD, Optional.of("Shop.java"), 33, 100);
    private static final String PEER = "10.0.0.7:80";
    private static final Bottleneck[] FULL = {Bottleneck.THREAD_POOL, Bottleneck.POOL_STARVATION};

    /// A pool of ten threads: `threads` of them are in one wait, and the others compute.
    private static Patient full(Cause cause, String where, double threads) {
        var patient = new Patient();
        patient.where = POOL;
        patient.evidence =
                EvidenceFixture.plateau()
                        .rounds(r -> r.cores(0.2))
                        .pool(
                                new ThreadSamples.Pool(
                                        POOL,
                                        10,
                                        10,
                                        0,
                                        0,
                                        true,
                                        false,
                                        0.1,
                                        Map.of(cause, threads, Cause.CPU, 10 - threads)))
                        .busy(cause, where, threads)
                        .busy(Cause.CPU, "com.acme.Shop.render", 10 - threads);
        return patient;
    }

    private static Insight calls(Cause cause, double perRequest) {
        return new Insight(
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(LINE),
                List.of(),
                List.of(new CallRate(EvidenceFixture.CONCURRENCY, cause, LINE, perRequest, 80)),
                List.of());
    }

    private static boolean isLarger(Recommendation r) {
        return r.changes().stream().anyMatch(Change.PoolSize.class::isInstance);
    }

    /// Asserts whether the first recommendation about the pool's size is the first of all.
    private static void assertLargerLeads(Patient patient, Bottleneck name, boolean leads) {
        List<Recommendation> all = patient.recommendations(name);

        assertThat(all).as(name.key()).anyMatch(HolderWaitTest::isLarger);
        assertThat(isLarger(all.getFirst())).as(name.key()).isEqualTo(leads);
    }

    @ParameterizedTest
    @CsvSource({"SLEEP, sleep", "DISK, file I/O", "LOCK, java.lang.Object", "DNS, DNS lookup"})
    void shorterWaitOfOwnCodeComesFirst(Cause cause, String what) {
        Patient patient = full(cause, what + " in " + METHOD, 9);

        for (Bottleneck name : FULL) {
            assertLargerLeads(patient, name, false);
            assertThat(patient.recommendations(name).getFirst().changes())
                    .as(name.key())
                    .singleElement()
                    .isInstanceOfSatisfying(
                            Change.CodeAt.class,
                            at -> {
                                assertThat(at.method()).isEqualTo(METHOD);
                                assertThat(at.share()).isCloseTo(0.9, within(1e-9));
                            });
        }
    }

    /// Four of ten threads sleep. Without the sleep, the time of six threads stays.
    @Test
    void smallShareOfTimeDoesNotExplainFullPool() {
        for (Bottleneck name : FULL) {
            assertLargerLeads(full(Cause.SLEEP, "sleep in " + METHOD, 4), name, true);
        }
    }

    @Test
    void aQueryAtAKnownLineIsMadeFasterFirst() {
        Patient patient = full(Cause.DATABASE, "H2 10.0.0.8:9092", 9);
        patient.insight = calls(Cause.DATABASE, 1);

        for (Bottleneck name : FULL) {
            assertLargerLeads(patient, name, false);
            assertThat(patient.recommendations(name).getFirst().changes())
                    .containsExactly(new Change.CodeAt(METHOD, Optional.of("Shop.java:33"), 0.9));
        }
    }

    /// The place of the wait is unknown, so the query to change is unknown.
    @Test
    void waitWithoutPlaceIsNotFirst() {
        for (Bottleneck name : FULL) {
            assertLargerLeads(full(Cause.DATABASE, "H2 10.0.0.8:9092", 9), name, true);
        }
    }

    /// Calls to another service take the same time alone and under load. So a larger pool helps,
    /// and no change of this service's code shortens the call. Several calls of a request at one
    /// line could be merged or made in parallel.
    @ParameterizedTest
    @CsvSource({"1, true", "4, false"})
    void largerPoolComesFirstIfDownstreamScales(double perRequest, boolean leads) {
        Patient patient = full(Cause.DOWNSTREAM, PEER, 9);
        patient.evidence.relaxed(Cause.DOWNSTREAM, PEER, 4.5);
        patient.insight = calls(Cause.DOWNSTREAM, perRequest);

        for (Bottleneck name : FULL) {
            assertLargerLeads(patient, name, leads);
        }
    }

    /// At half the throughput, 1.5 threads were in calls, so each call took a third of the time.
    @Test
    void poolBeforeServiceOfUnknownCapacityHasNoKnownGain() {
        Patient patient = full(Cause.DOWNSTREAM, PEER, 9);
        patient.evidence.relaxed(Cause.DOWNSTREAM, PEER, 1.5);

        for (Bottleneck name : FULL) {
            assertLargerLeads(patient, name, false);
            assertThat(patient.recommendations(name))
                    .filteredOn(HolderWaitTest::isLarger)
                    .allMatch(r -> r.predictedQpsRatio().isEmpty());
        }
    }

    /// 0.3 threads in ten dumps are only three observations. A time that grew 1.5-fold may have
    /// stayed the same.
    @Test
    void aTimeThatGrewWithinItsErrorIsTheSame() {
        Patient patient = full(Cause.DOWNSTREAM, PEER, 9);
        patient.evidence.gaveMore(5).relaxed(Cause.DOWNSTREAM, PEER, 0.3);

        assertLargerLeads(patient, Bottleneck.THREAD_POOL, true);
    }

    /// 99 % of the cores are in use.
    @Test
    void moreThreadsAreNotFirstIfCpuIsSaturated() {
        Patient patient = full(Cause.DOWNSTREAM, PEER, 9);
        patient.evidence.rounds(r -> r.cores(1.95));

        assertLargerLeads(patient, Bottleneck.THREAD_POOL, false);
    }

    @Test
    void largerPoolNamesLoadOfDownstream() {
        Patient patient = full(Cause.DOWNSTREAM, PEER, 9);

        assertThat(patient.recommendation(Bottleneck.THREAD_POOL, "threads").how())
                .contains(PEER + " then gets up to 18 calls at a time (now 9)");
    }

    /// Half a thread on average does not show why connections are held.
    @ParameterizedTest
    @CsvSource({"2, false", "0.5, true"})
    void aFewThreadsDoNotShowWhatHoldsConnections(double computing, boolean larger) {
        var patient = new Patient();
        patient.where = "HikariCP in " + METHOD;
        patient.evidence =
                EvidenceFixture.plateau()
                        .rounds(r -> r.cores(0.2))
                        .held(Cause.POOL, patient.where, 18, "probably cpu: com.acme.Shop.render")
                        .busy(Cause.CPU, "com.acme.Shop.render", computing);

        assertLargerLeads(patient, Bottleneck.CONNECTION_POOL, larger);
    }

    /// A connection that is held while code computes can be returned earlier. A call that uses a
    /// client's pool needs its connection for its whole time, unless the peer has no more places.
    @ParameterizedTest
    @CsvSource({
        "HikariCP, cpu: com.acme.Shop.render, 0, false",
        "Apache-HttpClient-5, downstream: 10.0.0.7:80 in com.acme.Shop.price, 2.5, true",
        "Apache-HttpClient-5, downstream: 10.0.0.7:80 in com.acme.Shop.price, 0.8, false"
    })
    void shorterHoldTimeOfConnectionsComesFirstIfPossible(
            String pool, String holder, double atFew, boolean leads) {
        var patient = new Patient();
        patient.where = pool + " in " + METHOD;
        patient.evidence =
                EvidenceFixture.plateau()
                        .rounds(r -> r.cores(0.2))
                        .held(Cause.POOL, patient.where, 15, "probably " + holder)
                        .busy(Cause.DOWNSTREAM, PEER, 5)
                        .relaxed(Cause.DOWNSTREAM, PEER, atFew);
        if (holder.startsWith("cpu")) {
            patient.evidence.busy(Cause.CPU, "com.acme.Shop.render", 10);
        }

        assertLargerLeads(patient, Bottleneck.CONNECTION_POOL, leads);
    }
}
