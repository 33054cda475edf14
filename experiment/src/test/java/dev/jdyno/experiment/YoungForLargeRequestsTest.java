package dev.jdyno.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.experiment.Comparison.Judged;
import dev.jdyno.experiment.YoungForLargeRequests.Pair;
import java.util.List;
import org.junit.jupiter.api.Test;

class YoungForLargeRequestsTest {
    /// True for each judged row that held: first the size of the gain, then whether there is a
    /// gain.
    private static List<Boolean> held(int requestMb, double qpsLarge) {
        return YoungForLargeRequests.judged(List.of(new Pair(requestMb, 100, qpsLarge, 0.4, 0.1)))
                .stream()
                .flatMap(r -> r.judged().stream())
                .map(Judged::holds)
                .toList();
    }

    @Test
    void largeRequestsMustGainHalfOfPublishedGain() {
        assertThat(held(12, 140)).containsExactly(true, true);
        assertThat(held(12, 120)).containsExactly(false, true);
        assertThat(held(12, 105)).containsExactly(false, false);
    }

    @Test
    void smallRequestsMustNotGain() {
        assertThat(held(5, 105)).containsExactly(true, true);
        assertThat(held(5, 130)).containsExactly(false, false);
        assertThat(held(5, 80)).containsExactly(false, true);
    }

    @Test
    void formulaPredictsAGainForLargeRequestsOnly() {
        assertThat(new Pair(12, 1, 1, 0, 0).gains()).isTrue();
        assertThat(new Pair(5, 1, 1, 0, 0).gains()).isFalse();
    }
}
