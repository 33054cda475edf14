package dev.jdyno.diagnose.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.Patient;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.LoggingCost;
import dev.jdyno.measure.verdict.Bottleneck;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoggingRecommendationsTest {
    @Test
    void ofAConfigurationThatCannotBeReadNothingIsForetold() {
        var patient = new Patient();
        patient.evidence = Patient.half().busy(Cause.LOGGING, "logback", 20);
        patient.insight =
                Insight.NONE.withLogging(
                        List.of(
                                new LoggingCost(
                                        "logback.groovy",
                                        LoggingCost.UNREAD,
                                        "it cannot be read: it is code",
                                        "look at it by hand")));

        assertThat(patient.recommendation(Bottleneck.LOGGING, "logging-unread"))
                .satisfies(p -> {
                    assertThat(p.says()).startsWith("logback.groovy: it cannot be read");
                    assertThat(p.predictedQpsRatio()).isEmpty();
                    assertThat(p.predictedRtRatio()).isEmpty();
                });
    }

    @Test
    void aLongerQueueForetellsNothingWhereTheLoadKeepsItFull() {
        var small = new LoggingCost("log4j2.xml", "small-queue", "it holds 512", "bufferSize=1");
        var full = new Patient();
        full.evidence =
                Patient.half()
                        .busy(Cause.LOGGING, "log4j2 waiting for a full queue in com.acme.Log", 20);
        full.insight = Insight.NONE.withLogging(List.of(small));
        var locked = new Patient();
        locked.evidence = Patient.half().busy(Cause.LOGGING, "log4j2", 20);
        locked.insight = full.insight;

        assertThat(full.recommendation(Bottleneck.LOGGING, "logging-small-queue"))
                .satisfies(p -> assertThat(p.predictedQpsRatio()).isEmpty());
        assertThat(locked.recommendation(Bottleneck.LOGGING, "logging-small-queue"))
                .satisfies(p -> assertThat(p.predictedQpsRatio()).isPresent());
    }
}
