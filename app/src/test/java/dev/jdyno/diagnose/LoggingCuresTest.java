package dev.jdyno.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Bottleneck;
import dev.jdyno.measure.Cause;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.LoggingCost;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoggingCuresTest {
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

        assertThat(patient.cure(Bottleneck.LOGGING, "logging-unread"))
                .satisfies(p -> {
                    assertThat(p.says()).startsWith("logback.groovy: it cannot be read");
                    assertThat(p.predictedQpsRatio()).isEmpty();
                    assertThat(p.predictedRtRatio()).isEmpty();
                });
    }
}
