package dev.jdyno.trial;

import static dev.jdyno.measure.RoundFixture.round;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class EvidenceLoadsTest {
    @Test
    void looksInsideBeyondThePlateausStartAndWellBelowIt() {
        var rounds =
                List.of(
                        round(1, 11).build(),
                        round(9, 95).build(),
                        round(18, 170).build(),
                        round(36, 188).build(),
                        round(72, 189).build());

        assertThat(EvidenceLoads.of(rounds)).containsExactly(1, 72);
    }

    @Test
    void aSingleRoundIsLookedIntoAtItsOwnLoad() {
        assertThat(EvidenceLoads.of(List.of(round(5, 50).build()))).containsExactly(5);
    }
}
