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

/// Adds a breakdown to every round whose load has a diagnostic window.
public final class RoundBreakdowns {
    private RoundBreakdowns() {}

    public static Recording applied(Recording recording) {
        List<ThreadSamples> threadSamples = ownAnswers(recording.census());
        List<Round> rounds =
                recording.rounds().stream()
                        .map(r ->
                                closed(r, threadSamples, recording.insight())
                                        .map(c -> r.withBreakdown(c.breakdown()))
                                        .orElse(r))
                        .toList();
        return recording.withRounds(rounds);
    }

    /// Returns the same recording with thread samples and events that agree with the other figures
    /// of their load. Rules decide on the measured figures; reports show these.
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
                .withThreadSamples(
                        recording.census().stream().map(c -> agreeing(c, points)).toList())
                .withInsight(insight);
    }

    /// Returns the window with consistent figures. Among several windows at one load, only the one
    /// behind the figures has them.
    private static ThreadSamples agreeing(ThreadSamples window, List<ClosedPoint> points) {
        return points.stream()
                .map(ClosedPoint::window)
                .filter(w -> w.concurrency() == window.concurrency())
                .filter(w -> w.dumps() == window.dumps() && w.qps() == window.qps())
                .findFirst()
                // figures of the window alone, which no other law ties to the requests in flight
                .orElseGet(() -> window.closed(window.pools(), window.busy()));
    }

    /// Returns the figures of one load; empty without a window at it.
    ///
    /// @param recording with or without breakdowns
    public static Optional<ClosedPoint> closed(Recording recording, Round round) {
        return closed(round, ownAnswers(recording.census()), recording.insight());
    }

    /// Finds calls that the service answers itself. Only the windows under load may show this, but
    /// it also applies to the same place at lower loads. Such a request has a thread at both of its
    /// ends.
    private static List<ThreadSamples> ownAnswers(List<ThreadSamples> threadSamples) {
        Set<Place.Peer> places =
                threadSamples.stream()
                        .flatMap(c -> c.busy().stream())
                        .flatMap(b -> b.ownPlace().stream())
                        .collect(Collectors.toSet());
        return places.isEmpty()
                ? threadSamples
                : threadSamples.stream().map(c -> c.placed(b -> own(b, places))).toList();
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

    /// Returns the figures of a round. Dumps slow a window down (to 3502/s after 6013/s with full
    /// collections in series). So the shares of the requests in flight come from the window, and
    /// the throughput from the round: the same number in flight at another throughput would be
    /// another response time (Little). A window without answers shows nothing of the round's
    /// requests.
    private static Optional<ClosedPoint> closed(
            Round round, List<ThreadSamples> threadSamples, Insight insight) {
        return threadSamples.stream()
                .filter(c -> c.concurrency() == round.concurrency() && round.qps() > 0)
                .filter(c -> c.qps() > 0 && c.dumps() > 0)
                .max(Comparator.comparingInt(ThreadSamples::dumps))
                .map(c -> ClosedPoint.of(round, c, insight));
    }
}
