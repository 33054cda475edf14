package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static dev.jdyno.diagnose.wait.WaitingRulesTest.limits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Calls of one request to several services, and similar cases that are not serial.
class DownstreamSerialRuleTest {
    @Test
    void addsSerialCallsAndPredictsSaving() {
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

    @Test
    void addsCallsOfOneServiceAtSeveralLines() {
        var evidence = plateau().callsAt("127.0.0.1:9001", 5, 8, 7);
        var severalServices =
                plateau()
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:9001", 5)
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:9002", 8)
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:9003", 7);

        Finding.Limits found = limits(new DownstreamSerialRule().evaluate(evidence.build()));

        assertThat(found.where()).isEqualTo("com.acme.Page.get");
        assertThat(found.says())
                .contains(
                        "at 3 lines of Page.get (Page.java:12, 13, 14)",
                        "200 ms in all",
                        "take 80 ms");
        assertThat(found.evidence())
                .filteredOn(l -> l.id().equals("parallel-saves"))
                .singleElement()
                .satisfies(l -> assertThat(l.value()).isCloseTo(0.6, within(1e-9)));
        assertThat(found.confidence())
                .isLessThan(
                        limits(new DownstreamSerialRule().evaluate(severalServices.build()))
                                .confidence());
    }

    static Stream<EvidenceFixture> notSerial() {
        return Stream.of(
                plateau().busy(Cause.DOWNSTREAM, "127.0.0.1:9001", 20),
                // one line has most of the time
                plateau().callsAt("127.0.0.1:9001", 16, 4),
                // several lines call one service, and another service is called as well
                plateau()
                        .callsAt("127.0.0.1:9001", 2, 2)
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:9002", 16),
                plateau()
                        .callsAt("127.0.0.1:9001", 5, 5)
                        .busy(Cause.LOCK, "java.lang.Object@1", 10),
                plateau()
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:9001", 18)
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:9002", 2),
                plateau()
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:9001", 5)
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:9002", 5)
                        .busy(Cause.LOCK, "java.lang.Object@1", 10),
                // four in five requests make a call of 20 ms, the fifth makes another call of 100
                // ms
                plateau()
                        .rounds(r -> r.p50(110))
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:9001", 11)
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:9002", 9));
    }

    @ParameterizedTest
    @MethodSource("notSerial")
    void namesSerialCallsOnlyToSeveralServicesWithGain(EvidenceFixture evidence) {
        assertThat(new DownstreamSerialRule().evaluate(evidence.build()))
                .isInstanceOf(Finding.Cleared.class);
    }

    /// Parallel calls allow 2.4 or 1.8 times the requests. As many threads as requests in flight
    /// allow two times or five times.
    @ParameterizedTest
    @CsvSource({
        "10, 4.2, 3.0, 2.8, DOWNSTREAM_SERIAL",
        "10, 5.4, 2.4, 2.2, DOWNSTREAM_SERIAL",
        "4, 1.7, 1.2, 1.1, THREAD_POOL"
    })
    void serialCallsExplainFullThreadPool(
            double threads, double one, double two, double three, Bottleneck named) {
        var evidence =
                plateau()
                        .rounds(r -> r.cores(0.4))
                        .pool(new ThreadSamples.Pool("desk", threads, threads, 0, 0, true))
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:9001", one)
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:9002", two)
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:9003", three);

        var verdict = evidence.verdict();

        assertThat(verdict.bottleneck()).isEqualTo(named);
        assertThat(verdict.confidence()).isLessThan(0.9);
        if (named == Bottleneck.DOWNSTREAM_SERIAL) {
            assertThat(verdict.says()).endsWith("Meanwhile they hold all 10 threads of desk.");
        }
    }

    @Test
    void eachClearedCaseHasItsOwnReason() {
        assertThat(
                        List.of(
                                whyNot(plateau().busy(Cause.LOCK, "java.lang.Object@1", 20)),
                                whyNot(plateau().busy(Cause.DOWNSTREAM, "127.0.0.1:9001", 20)),
                                whyNot(
                                        plateau()
                                                .gaveAfterwards(0)
                                                .busy(Cause.DOWNSTREAM, "127.0.0.1:9001", 11)
                                                .busy(Cause.DOWNSTREAM, "127.0.0.1:9002", 9))))
                .as("no call, calls of one service, calls that no request count tells apart")
                .doesNotHaveDuplicates();
    }

    private static String whyNot(EvidenceFixture evidence) {
        return ((Finding.Cleared) new DownstreamSerialRule().evaluate(evidence.build())).whyNot();
    }
}
