package dev.jdyno.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.verdict.Validity;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValidityRulesTest {
    @Test
    void aServiceOnAQuietMachineGivesAValidResult() {
        Validity validity = EvidenceFixture.plateau().validity();

        assertThat(validity.ok()).isTrue();
        assertThat(validity.warnings()).isEmpty();
    }

    @Test
    void serviceWithoutResponsesGivesNoVerdict() {
        Validity validity = EvidenceFixture.plateau().silent().validity();

        assertThat(validity.ok()).isFalse();
        assertThat(validity.warnings())
                .singleElement()
                .satisfies(w -> assertThat(w.id()).isEqualTo("no-replies"));
    }

    @Test
    void neighboursAreReportedAndDoNotInvalidate() {
        Validity validity = EvidenceFixture.plateau().rounds(r -> r.others(0.5)).validity();

        assertThat(validity.ok()).isTrue();
        assertThat(validity.warnings())
                .anySatisfy(w -> assertThat(w.says()).contains("0.50 cores"));
    }

    /// The note concerns the reported load, not another saturated load.
    @Test
    void noteNamesTheNeighboursAtTheReportedLoad() {
        Recording recording = EvidenceFixture.plateau().rounds(r -> r.others(0.5)).recording();
        Round quiet = recording.rounds().getFirst();
        Round disturbedByOthers = recording.rounds().getLast();

        assertThat(ValidityRules.of(recording, Optional.of(quiet)).warnings())
                .noneMatch(w -> w.id().equals("neighbours"));
        assertThat(ValidityRules.of(recording, Optional.of(disturbedByOthers)).warnings())
                .filteredOn(w -> w.id().equals("neighbours"))
                .singleElement()
                .satisfies(w -> assertThat(w.says()).contains("40 in flight"));
    }

    /// A process that used half of the machine before the load, and little of it in all rounds,
    /// changed no figure. If it was not measured during the rounds, the note stays.
    @Test
    void processesThatEndedBeforeTheLoadGiveNoRemark() {
        assertThat(warnings(EvidenceFixture.plateau().rounds(r -> r.others(0.2)))).isEmpty();
        assertThat(warnings(EvidenceFixture.plateau().rounds(r -> r.others(0.5)))).hasSize(1);
        assertThat(
                        warnings(
                                EvidenceFixture.plateau()
                                        .relaxedRound(r -> r.unseenCpu())
                                        .rounds(r -> r.unseenCpu())))
                .hasSize(1);
    }

    private static List<Validity.Warning> warnings(EvidenceFixture evidence) {
        var before = new Validity.Warning(Validity.OTHER_PROCESSES, "others", false);
        return ValidityRules.withoutEndedNeighbours(evidence.recording().with(before)).warnings();
    }

    /// A service that stops for seconds. 26 requests are in flight, and a few were answered within
    /// one ms before the stop.
    @Test
    void reportsResponseTimesWithoutWaitingRequests() {
        Validity validity = EvidenceFixture.plateau().rounds(r -> r.answeredAtOnce(1.3)).validity();

        assertThat(validity.ok()).isTrue();
        assertThat(validity.warnings())
                .singleElement()
                .satisfies(w -> {
                    assertThat(w.id()).isEqualTo("unanswered");
                    assertThat(w.says()).contains("of 40");
                });
    }

    /// A router that still compiles: 97/s in its round, and 170/s a minute later. The other case is
    /// a queue that fills up.
    @ParameterizedTest
    @CsvSource({"100, ''", "125, ''", "175, still warming up", "30, slows down with time"})
    void reportsServiceThatChangedDuringRun(double later, String why) {
        Validity validity = EvidenceFixture.plateau().gaveAfterwards(later).validity();

        assertThat(validity.ok()).isTrue();
        assertThat(validity.warnings())
                .filteredOn(w -> w.id().equals("unsteady"))
                .hasSize(why.isEmpty() ? 0 : 1)
                .allSatisfy(w -> assertThat(w.says()).contains("100/s in the round", why));
    }

    /// The heap fills up after the last round.
    @Test
    void reportsServiceThatStoppedResponding() {
        Validity validity = EvidenceFixture.plateau().gaveAfterwards(0).validity();

        assertThat(validity.ok()).isTrue();
        assertThat(validity.warnings())
                .singleElement()
                .satisfies(w -> {
                    assertThat(w.id()).isEqualTo("silent-later");
                    assertThat(w.says()).contains("100/s in the round and nothing");
                });
    }
}
