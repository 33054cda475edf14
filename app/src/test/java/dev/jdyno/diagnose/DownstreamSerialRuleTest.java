package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.EvidenceFixture.plateau;
import static dev.jdyno.diagnose.WaitingRulesTest.limits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Cause;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Calls of several services by one request, and what only looks like it.
class DownstreamSerialRuleTest {
    @Test
    void callsOneAfterTheOtherAreAddedUpAndTheSavingIsPredicted() {
        var evidence =
                plateau()
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:9001", 8)
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:9002", 7)
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:9003", 5);

        Finding.Limits found = limits(new DownstreamSerialRule().evaluate(evidence.build()));

        assertThat(found.where()).isEqualTo("127.0.0.1:9001 + 127.0.0.1:9002 + 127.0.0.1:9003");
        assertThat(found.says()).contains("200 ms in all", "take 80 ms");
        assertThat(found.evidence())
                .filteredOn(l -> l.id().equals("parallel-saves"))
                .singleElement()
                .satisfies(l -> assertThat(l.value()).isEqualTo(0.6));
    }

    static Stream<EvidenceFixture> notSerial() {
        return Stream.of(
                plateau().busy(Cause.DOWNSTREAM, "127.0.0.1:9001", 20),
                plateau()
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:9001", 18)
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:9002", 2),
                plateau()
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:9001", 5)
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:9002", 5)
                        .busy(Cause.LOCK, "java.lang.Object@1", 10),
                // four in five requests make a call of 20 ms, the fifth another of 100 ms
                plateau()
                        .rounds(r -> r.p50(110))
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:9001", 11)
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:9002", 9));
    }

    @ParameterizedTest
    @MethodSource("notSerial")
    void oneServiceOrLittleToSaveOrOneCallOrTheOtherIsNoSerialCall(EvidenceFixture evidence) {
        assertThat(new DownstreamSerialRule().evaluate(evidence.build()))
                .isInstanceOf(Finding.Cleared.class);
    }

    @Test
    void whatWasSeenOfCallsIsSaidInWords() {
        assertThat(whyNot(plateau().busy(Cause.LOCK, "java.lang.Object@1", 20)))
                .isEqualTo("no busy thread was found in a call of another service");
        assertThat(whyNot(plateau().busy(Cause.DOWNSTREAM, "127.0.0.1:9001", 20)))
                .isEqualTo("100 % of the busy threads in calls of 1 service");
    }

    private static String whyNot(EvidenceFixture evidence) {
        return ((Finding.Cleared) new DownstreamSerialRule().evaluate(evidence.build())).whyNot();
    }
}
