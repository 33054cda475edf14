package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.Doubt;
import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Patient;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Recommendation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Calls that queue for a place on a shared connection. At a quarter of the load, 50 requests a
/// second have 4 threads in calls: 80 ms each. At 100/s, 8 calls are in progress.
class StreamPlacesTest {
    private static EvidenceFixture calling(String where, double waiting, int connections) {
        return plateau()
                .rounds(r -> r.cores(0.2))
                .relaxed(Cause.DOWNSTREAM, where, 4)
                .busy(Cause.DOWNSTREAM, where, waiting)
                .calls("10.0.0.7:9090", connections, connections);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gRPC-client 10.0.0.7:9090",
                "JDK-HttpClient 10.0.0.7:9090",
                "10.0.0.7:9090"
            })
    void streamLimitStaysPossibleWithItsPlacesFirst(String where) {
        EvidenceFixture evidence = calling(where, 19, 1);
        var patient = new Patient();
        patient.evidence = evidence;
        patient.where = where;
        Recommendation first = patient.recommendations(Bottleneck.DOWNSTREAM).getFirst();

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.DOWNSTREAM);
        assertThat(evidence.verdict().confidence()).isLessThanOrEqualTo(Doubt.MAX_CONFIDENCE);
        assertThat(evidence.verdict().says()).contains("connection-pool is not ruled out");
        assertThat(first.id()).isEqualTo("streams-more");
        assertThat(first.says()).contains("more than 8 calls");
    }

    @Test
    void callsWithAConnectionEachDoNotQueueForAPlace() {
        EvidenceFixture evidence = calling("10.0.0.7:9090", 19, 19);

        assertThat(StreamPlaces.of(evidence.build())).isEmpty();
        assertThat(evidence.verdict().confidence()).isGreaterThan(Doubt.MAX_CONFIDENCE);
    }

    @Test
    void callWithConstantTimeDoesNotQueue() {
        assertThat(StreamPlaces.of(calling("gRPC-client", 8, 1).build())).isEmpty();
    }
}
