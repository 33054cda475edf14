package dev.jdyno.diagnose.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.Patient;
import dev.jdyno.measure.InsightVariant;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.LoggingCost;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Bottleneck;
import org.junit.jupiter.api.Test;

class LoggingRecommendationsTest {
    @Test
    void ofAConfigurationThatCannotBeReadNothingIsForetold() {
        var patient = new Patient();
        patient.evidence = Patient.half().busy(Cause.LOGGING, "logback", 20);
        patient.insight =
                InsightVariant.logging(
                        new LoggingCost(
                                "logback.groovy",
                                LoggingCost.UNREAD,
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
    void whereAPipeIsReadSlowlyItsReaderComesFirstAndNoSettingPredictsAGain() {
        var synchronous =
                new LoggingCost("logback.xml", "synchronous", "it writes", "AsyncAppender");
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

    @Test
    void aLongerQueueForetellsNothingWhereTheLoadKeepsItFull() {
        var small = new LoggingCost("log4j2.xml", "small-queue", "it holds 512", "bufferSize=1");
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
