package dev.jdyno.diagnose.breakdown;

import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Gives every round whose load was looked into its breakdown.
public final class RoundBreakdowns {
    private RoundBreakdowns() {}

    public static Recording applied(Recording recording) {
        List<ThreadSamples> census = ownAnswers(recording.census());
        List<Round> rounds =
                recording.rounds().stream()
                        .map(r ->
                                closed(r, census, recording.insight())
                                        .map(c -> r.withAnatomy(c.breakdown()))
                                        .orElse(r))
                        .toList();
        return recording.withRounds(rounds);
    }

    /// The same recording with thread samples and events that agree with the other figures of their
    /// load. Rules decide on what was measured; reports show these.
    public static Recording agreeing(Recording recording) {
        List<ClosedPoint> points =
                recording.rounds().stream()
                        .flatMap(r -> closed(recording, r).stream())
                        .collect(
                                Collectors.toMap(
                                        c -> c.window().concurrency(),
                                        c -> c,
                                        (one, _) -> one,
                                        LinkedHashMap::new))
                        .values()
                        .stream()
                        .toList();
        Insight insight = recording.insight();
        for (ClosedPoint point : points) {
            insight = point.applied(insight);
        }
        return recording
                .withCensus(recording.census().stream().map(c -> agreeing(c, points)).toList())
                .withInsight(insight);
    }

    /// Where several windows were taken at one load, the one that its figures come from.
    private static ThreadSamples agreeing(ThreadSamples window, List<ClosedPoint> points) {
        return points.stream()
                .map(ClosedPoint::window)
                .filter(w -> w.concurrency() == window.concurrency())
                .filter(w -> w.dumps() == window.dumps() && w.qps() == window.qps())
                .findFirst()
                // figures of the window alone: of the requests in flight it has no other law
                .orElseGet(() -> window.closed(window.pools(), window.busy()));
    }

    /// The figures of one load; empty where no window was taken at it.
    ///
    /// @param recording with or without breakdowns
    public static Optional<ClosedPoint> closed(Recording recording, Round round) {
        return closed(round, ownAnswers(recording.census()), recording.insight());
    }

    /// That the service answers itself may show under load only; at the same place it does so under
    /// less as well, and such a request has a thread at both of its ends.
    private static List<ThreadSamples> ownAnswers(List<ThreadSamples> census) {
        Set<Place.Peer> places =
                census.stream()
                        .flatMap(c -> c.busy().stream())
                        .flatMap(b -> b.ownPlace().stream())
                        .collect(Collectors.toSet());
        return places.isEmpty()
                ? census
                : census.stream().map(c -> c.placed(b -> own(b, places))).toList();
    }

    private static ThreadSamples.Busy own(ThreadSamples.Busy busy, Set<Place.Peer> places) {
        return busy.cause() != Cause.DOWNSTREAM
                ? busy
                : busy.peer().stream()
                        .flatMap(p -> p.addresses().stream().map(a -> p.at(List.of(a))))
                        .filter(places::contains)
                        .findFirst()
                        .map(itself -> busy.at(Cause.FUTURE, new Place.Itself(itself)))
                        .orElse(busy);
    }

    /// Dumps slow a window down (to 3502/s after 6013/s where full collections come in series).
    /// Where requests were, as shares of those in flight, is taken from it, and how many pass
    /// through from the round: as many in flight at another throughput would be another response
    /// time (Little). A window in which nothing was answered tells nothing of the round's requests.
    private static Optional<ClosedPoint> closed(
            Round round, List<ThreadSamples> census, Insight insight) {
        return census.stream()
                .filter(c -> c.concurrency() == round.concurrency() && round.qps() > 0)
                .filter(c -> c.qps() > 0 && c.dumps() > 0)
                .max(Comparator.comparingInt(ThreadSamples::dumps))
                .map(c -> ClosedPoint.of(round, c, insight));
    }
}
