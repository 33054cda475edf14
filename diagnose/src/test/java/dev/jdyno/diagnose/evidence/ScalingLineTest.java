package dev.jdyno.diagnose.evidence;

import static dev.jdyno.measure.RoundFixture.round;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Round;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// How throughput grew with the load is reported with the loads that were run.
class ScalingLineTest {
    private static String says(Round plateau, Optional<Round> doubled, Round... rounds) {
        return new Evidence(
                        Arrays.asList(rounds),
                        plateau,
                        doubled,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty())
                .scalingLine()
                .orElseThrow()
                .says()
                .text();
    }

    @Test
    void noteOnTwiceTheLoadNeedsAboutTwice() {
        Round eight = round(8, 100).build();
        Round sixteen = round(16, 104).build();
        Round many = round(64, 104).build();

        assertThat(says(eight, Optional.of(sixteen), eight, sixteen))
                .isEqualTo("throughput × 1.04 at twice the load");
        assertThat(says(eight, Optional.of(many), eight, many))
                .isEqualTo("throughput × 1.04 from 8 to 64 in flight");
    }

    @Test
    void marksExtrapolatedPointsOfLine() {
        Round eight = round(8, 100).build();
        Round sixteen = round(16, 140).build();
        Round many = round(64, 198).build();

        assertThat(says(sixteen, Optional.empty(), eight, sixteen))
                .isEqualTo("throughput × 1.40 at twice the load, 16 in flight");
        assertThat(says(many, Optional.empty(), eight, many))
                .isEqualTo("throughput × 1.14 from 8 to 16 in flight, on a straight line to 64");
    }
}
