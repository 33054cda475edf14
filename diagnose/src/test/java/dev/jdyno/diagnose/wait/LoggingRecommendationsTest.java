package dev.jdyno.diagnose.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Patient;
import dev.jdyno.measure.InsightVariant;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.LogPart;
import dev.jdyno.measure.thread.LoggingCost;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Bottleneck;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoggingRecommendationsTest {
    @Test
    void predictsNothingForUnreadableConfiguration() {
        var patient = new Patient();
        patient.evidence = Patient.half().busy(Cause.LOGGING, "logback", 20);
        patient.insight =
                InsightVariant.logging(
                        new LoggingCost(
                                "logback.groovy",
                                LogPart.UNREAD,
                                "it cannot be read: it is code",
                                "look at it by hand"));

        assertThat(patient.recommendation(Bottleneck.LOGGING, "logging-unread"))
                .satisfies(p -> {
                    assertThat(p.says()).startsWith("logback.groovy: it cannot be read");
                    assertThat(p.predictedQpsRatio()).isEmpty();
                    assertThat(p.predictedRtRatio()).isEmpty();
                });
    }

    @Test
    void recommendsFasterReaderOfSlowPipeFirst() {
        var synchronous =
                new LoggingCost("logback.xml", LogPart.SYNCHRONOUS, "it writes", "AsyncAppender");
        var piped = new Patient();
        piped.evidence =
                Patient.half()
                        .busy(Cause.LOGGING, "logback", 20)
                        .sign(Sign.WRITES_TO_OUTPUT, 0.95, "pipe:[4711]");
        piped.insight = InsightVariant.logging(synchronous);
        var file = new Patient();
        file.evidence =
                Patient.half()
                        .busy(Cause.LOGGING, "logback", 20)
                        .sign(Sign.WRITES_TO_OUTPUT, 0.95, "/var/log/shop.log");
        file.insight = piped.insight;

        assertThat(piped.recommendations(Bottleneck.LOGGING).getFirst())
                .satisfies(r -> {
                    assertThat(r.id()).isEqualTo("logging-reader");
                    assertThat(r.predictedQpsRatio()).isPresent();
                });
        assertThat(piped.recommendation(Bottleneck.LOGGING, "logging-synchronous"))
                .satisfies(r -> assertThat(r.predictedQpsRatio()).isEmpty());
        assertThat(file.recommendation(Bottleneck.LOGGING, "logging-synchronous"))
                .satisfies(r -> assertThat(r.predictedQpsRatio()).isPresent());
    }

    /// Half of two cores are used. Without the wait, throughput doubles.
    @Test
    void threadBlockedInPipeWriteUsesNoCore() {
        var patient = new Patient();
        patient.evidence =
                EvidenceFixture.plateau()
                        .rounds(r -> r.cores(1.0))
                        .busy(Cause.LOGGING, "logback writing in com.acme.Page.get", 0.95)
                        .busy(Cause.LOGGING, "logback waiting for Appender in com.acme.Page", 19)
                        .sign(Sign.WRITES_TO_OUTPUT, 0.95, "pipe:[4711]");
        double used = patient.evidence.build().cpuUtilisation().orElseThrow();

        for (String id : List.of("logging-reader", "logging-less")) {
            assertThat(
                            patient.recommendation(Bottleneck.LOGGING, id)
                                    .predictedQpsRatio()
                                    .orElseThrow())
                    .as(id)
                    .isLessThanOrEqualTo(1 / used + 1e-9);
        }
        assertThat(
                        patient.recommendation(Bottleneck.LOGGING, "logging-reader")
                                .predictedQpsRatio()
                                .orElseThrow())
                .isCloseTo(1 / used, within(1e-9));
    }

    @Test
    void verdictNamesThreadBlockedInPipeWrite() {
        var verdict =
                EvidenceFixture.plateau()
                        .busy(Cause.LOGGING, "logback writing in com.acme.Log.add", 20)
                        .sign(Sign.WRITES_TO_OUTPUT, 0.95, "pipe:[4711]")
                        .verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.LOGGING);
        assertThat(verdict.says()).contains("pipe");
        assertThat(verdict.evidence())
                .filteredOn(l -> l.id().equals("writes-to-output"))
                .singleElement()
                .satisfies(l -> assertThat(l.value()).isEqualTo(0.95));
    }

    @Test
    void predictsNoGainOfLongerQueueThatStaysFull() {
        var small =
                new LoggingCost("log4j2.xml", LogPart.SMALL_QUEUE, "it holds 512", "bufferSize=1");
        var full = new Patient();
        full.evidence =
                Patient.half()
                        .busy(Cause.LOGGING, "log4j2 waiting for a full queue in com.acme.Log", 20);
        full.insight = InsightVariant.logging(small);
        var locked = new Patient();
        locked.evidence = Patient.half().busy(Cause.LOGGING, "log4j2", 20);
        locked.insight = full.insight;

        assertThat(full.recommendation(Bottleneck.LOGGING, "logging-small-queue"))
                .satisfies(p -> assertThat(p.predictedQpsRatio()).isEmpty());
        assertThat(locked.recommendation(Bottleneck.LOGGING, "logging-small-queue"))
                .satisfies(p -> assertThat(p.predictedQpsRatio()).isPresent());
    }
}
