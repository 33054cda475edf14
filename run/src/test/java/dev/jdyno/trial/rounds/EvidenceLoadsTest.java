package dev.jdyno.trial.rounds;

import static dev.jdyno.measure.RoundFixture.round;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class EvidenceLoadsTest {
    @Test
    void takesWindowsAtAndBeyondAndBelowOperatingPoint() {
        var rounds =
                List.of(
                        round(1, 11).build(),
                        round(9, 95).build(),
                        round(18, 170).build(),
                        round(36, 188).build(),
                        round(72, 189).build());

        assertThat(EvidenceLoads.of(rounds)).containsExactly(1, 36, 72);
    }

    /// A disk that queues from the first request on, so all rounds are near its best throughput.
    @Test
    void comparesLowestLoadAtMostHalfIfAllRoundsAreNearBest() {
        var queueing =
                List.of(round(10, 2308).build(), round(40, 3401).build(), round(80, 3901).build());
        var near = List.of(round(6, 90).build(), round(10, 100).build());

        assertThat(EvidenceLoads.of(queueing)).containsExactly(10, 80);
        assertThat(EvidenceLoads.of(near)).containsExactly(10);
    }

    @Test
    void takesWindowAtLoadOfSingleRound() {
        assertThat(EvidenceLoads.of(List.of(round(5, 50).build()))).containsExactly(5);
    }

    /// A search measures loads around the knee. One step beyond it, half of the requests wait. At
    /// twice the load, the wait is obvious.
    @Test
    void takesWindowAtTwiceSaturatingLoadOfFlatThroughput() {
        var searched =
                List.of(
                        round(1, 37).build(),
                        round(3, 114).build(),
                        round(6, 189).build(),
                        round(10, 191).build(),
                        round(20, 190).build(),
                        round(42, 189).build());

        assertThat(EvidenceLoads.of(searched)).containsExactly(1, 6, 20);
    }

    @Test
    void takesWindowAtNextStepIfMoreLoadGivesLess() {
        var collapsing =
                List.of(
                        round(3, 50).build(),
                        round(6, 100).build(),
                        round(9, 92).build(),
                        round(20, 40).build());

        assertThat(EvidenceLoads.of(collapsing)).containsExactly(3, 6, 9);
    }

    /// A lock is held for a whole request. One request saturates it, and with two requests one
    /// waits.
    @Test
    void takesWindowAboveLoadThatOneRequestSaturates() {
        var locked =
                List.of(
                        round(1, 823).build(),
                        round(2, 832).build(),
                        round(4, 836).build(),
                        round(16, 830).build(),
                        round(32, 829).build());

        assertThat(EvidenceLoads.of(locked)).containsExactly(1, 16);
        assertThat(EvidenceLoads.of(locked.subList(0, 3))).containsExactly(1, 4);
    }
}
