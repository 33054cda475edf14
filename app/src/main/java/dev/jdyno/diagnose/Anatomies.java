package dev.jdyno.diagnose;

import dev.jdyno.measure.Census;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Gives every round whose load was looked into its anatomy.
public final class Anatomies {
    private Anatomies() {}

    public static Recording applied(Recording recording) {
        List<Round> rounds =
                recording.rounds().stream().map(r -> applied(r, recording.census())).toList();
        return recording.withRounds(rounds);
    }

    /// Dumps slow a window down (to 3502/s after 6013/s where full collections come in series).
    /// Where requests were, as shares of those in flight, is taken from it, and how many pass
    /// through from the round: as many in flight at another throughput would be another response
    /// time (Little). A window in which nothing was answered tells nothing of the round's requests.
    private static Round applied(Round round, List<Census> census) {
        Optional<Census> same =
                census.stream()
                        .filter(c -> c.concurrency() == round.concurrency() && c.qps() > 0)
                        .max(Comparator.comparingInt(Census::dumps));
        return same.map(c -> c.withQps(round.qps()))
                .map(c ->
                        round.withAnatomy(
                                AnatomyOf.census(c, round.cpu(), round.gc(), round.rtMs().mean())))
                .orElse(round);
    }
}
