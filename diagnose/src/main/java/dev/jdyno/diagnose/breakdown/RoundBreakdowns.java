package dev.jdyno.diagnose.breakdown;

import dev.jdyno.measure.Cause;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.ThreadSamples;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Gives every round whose load was looked into its breakdown.
public final class RoundBreakdowns {
    private RoundBreakdowns() {}

    public static Recording applied(Recording recording) {
        List<ThreadSamples> census = ownAnswers(recording.census());
        List<Round> rounds = recording.rounds().stream().map(r -> applied(r, census)).toList();
        return recording.withRounds(rounds);
    }

    /// That the service answers itself may show under load only; at the same place it does so under
    /// less as well, and such a request has a thread at both of its ends.
    private static List<ThreadSamples> ownAnswers(List<ThreadSamples> census) {
        Set<String> places =
                census.stream()
                        .flatMap(c -> c.busy().stream())
                        .flatMap(b -> b.ownPlace().stream())
                        .collect(Collectors.toSet());
        return places.isEmpty()
                ? census
                : census.stream()
                        .map(c ->
                                c.withBusy(
                                        c.busy().stream().map(b -> own(b, places)).toList(),
                                        c.pools()))
                        .toList();
    }

    private static ThreadSamples.Busy own(ThreadSamples.Busy busy, Set<String> places) {
        return busy.cause() != Cause.DOWNSTREAM
                ? busy
                : mayBe(busy.where())
                        .filter(places::contains)
                        .findFirst()
                        .map(itself ->
                                new ThreadSamples.Busy(
                                        Cause.FUTURE,
                                        ThreadSamples.OWN_ANSWER + itself,
                                        busy.threads(),
                                        busy.holder()))
                        .orElse(busy);
    }

    /// The place, or each of those of which it is one, behind the client's name.
    private static Stream<String> mayBe(String where) {
        int list = where.indexOf(ThreadSamples.ONE_OF);
        return list < 0
                ? Stream.of(where)
                : Stream.of(where.substring(list + ThreadSamples.ONE_OF.length()).split(", "))
                        .map(place -> where.substring(0, list) + place);
    }

    /// Dumps slow a window down (to 3502/s after 6013/s where full collections come in series).
    /// Where requests were, as shares of those in flight, is taken from it, and how many pass
    /// through from the round: as many in flight at another throughput would be another response
    /// time (Little). A window in which nothing was answered tells nothing of the round's requests.
    private static Round applied(Round round, List<ThreadSamples> census) {
        Optional<ThreadSamples> same =
                census.stream()
                        .filter(c -> c.concurrency() == round.concurrency())
                        .filter(c -> c.qps() > 0 && c.dumps() > 0)
                        .max(Comparator.comparingInt(ThreadSamples::dumps));
        return same.map(c -> c.withQps(round.qps()))
                .map(c -> round.withAnatomy(BreakdownOfRound.census(c, round)))
                .orElse(round);
    }
}
