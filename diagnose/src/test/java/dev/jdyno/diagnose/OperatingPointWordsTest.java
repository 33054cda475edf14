package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static dev.jdyno.diagnose.evidence.EvidenceFixture.stalled;
import static dev.jdyno.measure.RoundFixture.round;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.gc.GcStallRule;
import dev.jdyno.measure.OperatingPoint;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The verdict is decided at saturation, but its evidence shows figures of the operating point.
/// Here that is 10 in flight, and the deciding window has 20.
class OperatingPointWordsTest {
    private static final Evidence DECIDING =
            plateau().busy(Cause.LOCK, "Desk", 18).busy(Cause.CPU, "com.acme.Page.get", 1).build();

    private static Evidence at(double waiting) {
        var busy =
                List.of(
                        new ThreadSamples.Busy(
                                Cause.LOCK, PlaceText.place(Cause.LOCK, "Desk"), waiting),
                        new ThreadSamples.Busy(
                                Cause.CPU,
                                PlaceText.place(Cause.CPU, "com.acme.Page.get"),
                                10 - waiting));
        var window =
                new ThreadSamples(10, 97, 10, 1, List.of(), busy, 0, 0, List.of(), Signals.NONE);
        return DECIDING.at(new OperatingPoint(round(10, 97).build(), Optional.of(window)));
    }

    private static double waiters(Verdict verdict) {
        return verdict.evidence().stream()
                .filter(l -> l.id().equals("lock-waiters"))
                .findFirst()
                .orElseThrow()
                .value();
    }

    @Test
    void evidenceHasTheFiguresOfTheOperatingPoint() {
        Verdict verdict = Diagnosis.of(DECIDING, at(8));

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.LOCK);
        assertThat(waiters(verdict)).isEqualTo(0.8);
        assertThat(verdict.confidence()).isEqualTo(Diagnosis.of(DECIDING).confidence());
        assertThat(Diagnosis.shows(verdict, at(8))).isTrue();
    }

    /// Only two of ten threads wait at the operating point. The limit remains, with figures of the
    /// other load.
    @Test
    void namesLoadAtWhichLimitShows() {
        Verdict verdict = Diagnosis.of(DECIDING, at(2));

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.LOCK);
        assertThat(waiters(verdict)).isEqualTo(waiters(Diagnosis.of(DECIDING)));
        assertThat(verdict.says().text())
                .contains("This limit shows with 20 in flight, not yet with 10.");
        assertThat(Diagnosis.shows(verdict, at(2))).isFalse();
    }

    /// Waits for memory are taken from the round in which most threads stall.
    @Test
    void aFigureOfAnotherLoadNamesThatLoad() {
        Evidence stalls = plateau().gc(0.001, stalled(15)).build();
        var window =
                new ThreadSamples(
                        10, 97, 10, 1, List.of(), List.of(), 0, 0, List.of(), Signals.NONE);
        Evidence there = stalls.at(new OperatingPoint(round(10, 97).build(), Optional.of(window)));

        assertThat(new GcStallRule().evaluate(there))
                .isInstanceOfSatisfying(
                        Finding.Limits.class,
                        l -> {
                            assertThat(l.says().text()).contains("with 20 in flight");
                            assertThat(l.evidence())
                                    .hasSize(3)
                                    .allMatch(line -> line.says().text().contains("with 20 "));
                        });
        assertThat(new GcStallRule().evaluate(stalls))
                .as("the load of the other figures")
                .isInstanceOfSatisfying(
                        Finding.Limits.class,
                        l ->
                                assertThat(l.evidence())
                                        .noneMatch(
                                                line -> line.says().text().contains("with 20 ")));
    }

    /// At another load, only the client's figures are compared.
    @Test
    void comparesThroughputAtTwiceTheLoad() {
        Evidence there = at(8);

        assertThat(there.plateau().concurrency()).isEqualTo(10);
        assertThat(there.doubled())
                .hasValueSatisfying(r -> {
                    assertThat(r.concurrency()).isEqualTo(20);
                    assertThat(r.cpu()).isEmpty();
                });
        assertThat(there.fullestRound()).contains(there.plateau());
        assertThat(there.scalingWhenDoubled())
                .hasValueSatisfying(x -> assertThat(x).isEqualTo(100.0 / 97));
    }

    @Test
    void keepsEvidenceWithoutWindow() {
        assertThat(DECIDING.at(new OperatingPoint(round(10, 97).build(), Optional.empty())))
                .isSameAs(DECIDING);
    }
}
