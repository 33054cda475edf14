package dev.jdyno.trial.rounds;

import static dev.jdyno.measure.RoundFixture.round;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Round;
import org.junit.jupiter.api.Test;

class RoundsAgainTest {
    private static final Round QUIET = round(60, 188).build();

    private static Round heldUp(double stalledPct) {
        return round(60, 184)
                .clientHeldUp(stalledPct, "hiccups: an event loop stood still")
                .build();
    }

    @Test
    void repeatsOnlyRoundsDisturbedByMachine() {
        var again = new RoundsAgain();

        assertThat(again.wants(QUIET)).isFalse();
        assertThat(again.wants(round(60, 188).clientLoop(99).build()))
                .as("the client's own limit will be there the next time")
                .isFalse();
        assertThat(again.wants(heldUp(2.3))).isTrue();
    }

    @Test
    void aMachineThatIsNeverQuietIsNotWaitedFor() {
        var again = new RoundsAgain();
        for (int i = 0; i < RoundsAgain.MAX; i++) {
            assertThat(again.wants(heldUp(5))).isTrue();
        }

        assertThat(again.wants(heldUp(5))).isFalse();
    }

    @Test
    void keepsLessDisturbedRoundAndReportsTheOther() {
        Round worse = heldUp(9);
        Round bad = heldUp(3);

        assertThat(RoundsAgain.Choice.of(worse, QUIET).kept()).isSameAs(QUIET);
        assertThat(RoundsAgain.Choice.of(worse, bad).kept()).isSameAs(bad);
        assertThat(RoundsAgain.Choice.of(bad, worse).kept()).isSameAs(bad);
        assertThat(RoundsAgain.Choice.of(bad, QUIET).warning())
                .satisfies(w -> {
                    assertThat(w.spoils()).isFalse();
                    assertThat(w.says())
                            .contains("60 in flight", "hiccups: an event loop")
                            .as("what counts comes first: the end of a note may be cut")
                            .containsSubsequence("counted", "188/s", "left out", "184/s");
                });
    }
}
