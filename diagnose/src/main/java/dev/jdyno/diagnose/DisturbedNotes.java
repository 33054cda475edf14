package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.measure.DisturbanceText;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.SameCores;
import dev.jdyno.measure.verdict.DecidingWarning;
import dev.jdyno.measure.verdict.Validity.Warning;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Texts on rounds that other processes disturbed, and on how they were treated.
public final class DisturbedNotes {
    /// Id of the warning.
    public static final String ID = DecidingWarning.DISTURBED.id();

    /// Minimum share of disturbed rounds among the rounds of the result that makes the result
    /// invalid. The usual number of cores is then a guess.
    private static final double SPOILS_FROM = 0.5;

    private DisturbedNotes() {}

    /// Returns the sentence to add to a verdict that uses disturbed rounds; empty if it uses none.
    ///
    /// @param rounds the rounds of the result, as they were measured
    public static Optional<String> ofKept(List<Round> rounds) {
        List<Round> kept = disturbed(rounds);
        long scaled = kept.stream().filter(r -> SameCores.isScaled(r, rounds)).count();
        return kept.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        say(
                                " %d of %d rounds had another number of cores available because"
                                        + " of other processes%s.",
                                kept.size(),
                                rounds.size(),
                                scaled == 0
                                        ? ""
                                        : ": "
                                                + (scaled == kept.size()
                                                        ? "their"
                                                        : scaled + " of their")
                                                + " figures are scaled to the cores of the other"
                                                + " rounds"));
    }

    private static List<Round> disturbed(List<Round> rounds) {
        return rounds.stream().filter(r -> r.disturbance().isPresent()).toList();
    }

    /// Returns a warning that names the disturbing processes, the rounds, and the effect.
    static Optional<Warning> of(Recording recording) {
        List<Round> kept = disturbed(recording.rounds());
        List<Round> all = new ArrayList<>(recording.leftOut());
        all.addAll(kept);
        if (all.isEmpty()) {
            return Optional.empty();
        }
        Round max =
                all.stream()
                        .max(
                                Comparator.comparingDouble(
                                        r -> r.disturbance().orElseThrow().difference()))
                        .orElseThrow();
        String done = done(recording);
        String left =
                kept.isEmpty()
                        ? ""
                        : say(
                                "%d of the %d rounds that count %s disturbed, because no better"
                                        + " round exists; ",
                                kept.size(),
                                recording.rounds().size(),
                                kept.size() == 1 ? "was" : "were");
        return Optional.of(
                new Warning(
                        ID,
                        done
                                + left
                                + say(
                                        "most at %d in flight: %s",
                                        max.concurrency(),
                                        DisturbanceText.says(max.disturbance().orElseThrow())),
                        kept.size() > SPOILS_FROM * recording.rounds().size()));
    }

    /// Returns how the rounds were treated. Results of earlier versions may lack the only round of
    /// a load.
    private static String done(Recording recording) {
        List<Round> leftOut = recording.leftOut();
        long replaced = leftOut.stream().filter(r -> isReplaced(r, recording.rounds())).count();
        return leftOut.isEmpty()
                ? ""
                : say(
                        "%d disturbed round%s left out, %s; ",
                        leftOut.size(),
                        leftOut.size() == 1 ? " was" : "s were",
                        replaced == leftOut.size()
                                ? "another one of the same load counts"
                                : replaced + " of them had another one of the same load");
    }

    private static boolean isReplaced(Round leftOut, List<Round> counted) {
        return counted.stream().anyMatch(r -> r.concurrency() == leftOut.concurrency());
    }
}
