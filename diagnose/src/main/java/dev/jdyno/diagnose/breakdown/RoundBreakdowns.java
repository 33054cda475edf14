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
    /// of their load. Reports show these figures; rules use the measured ones.
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

    /// Returns the window with consistent figures. If there are several windows at one load, only
    /// the window from which the figures come has them.
    private static ThreadSamples agreeing(ThreadSamples window, List<ClosedPoint> points) {
        return points.stream()
                .map(ClosedPoint::window)
                .filter(w -> w.concurrency() == window.concurrency())
                .filter(w -> w.dumps() == window.dumps() && w.qps() == window.qps())
                .findFirst()
                // the figures of this window alone; no other measurement ties them to the requests
                // in flight
                .orElseGet(() -> window.closed(window.pools(), window.busy()));
    }

    /// Returns the figures of one load; empty if no diagnostic window was taken at that load.
    ///
    /// @param recording the recording, with or without breakdowns
    public static Optional<ClosedPoint> closed(Recording recording, Round round) {
        return closed(round, ownAnswers(recording.census()), recording.insight());
    }

    /// Marks calls of the service to itself, which have a thread at both ends. A place that was
    /// recognised as such a call in one window is marked in all windows, because low loads may not
    /// show it.
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

    /// Returns the figures of a round. Thread dumps reduce the throughput of a window (in one case
    /// with full collections in series from 6013/s to 3502/s). So the shares of the requests in
    /// flight come from the window, and the throughput comes from the round. The window's
    /// throughput would give another response time by Little's law. A window without answers cannot
    /// describe the round's requests.
    private static Optional<ClosedPoint> closed(
            Round round, List<ThreadSamples> threadSamples, Insight insight) {
        return threadSamples.stream()
                .filter(c -> c.concurrency() == round.concurrency() && round.qps() > 0)
                .filter(c -> c.qps() > 0 && c.dumps() > 0)
                .max(Comparator.comparingInt(ThreadSamples::dumps))
                .map(c -> ClosedPoint.of(round, c, insight));
    }
}
