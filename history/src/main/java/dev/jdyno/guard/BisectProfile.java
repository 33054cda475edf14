package dev.jdyno.guard;

import dev.jdyno.compare.Loads;
import dev.jdyno.compare.Metric;
import dev.jdyno.history.Entries;
import dev.jdyno.history.Entry;
import dev.jdyno.measure.Recording;
import dev.jdyno.plan.Plan;
import dev.jdyno.trial.Service;
import dev.jdyno.trial.Session;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Profiles two versions and finds the methods that cost more.
///
/// @param grew methods whose CPU time per request grew
/// @param allocates methods whose allocation per request grew, if allocation is the worse figure
record BisectProfile(List<Guarded.Grew> grew, List<Guarded.Allocates> allocates) {
    /// @param figure the figure that became worse
    /// @param cost cost of a request before
    /// @return empty if it was stopped
    /// @throws dev.jdyno.measure.text.UserError if a version does not start, or fails
    static Optional<BisectProfile> of(
            Plan before,
            Plan after,
            Metric figure,
            double cost,
            double costAfter,
            GuardSettings settings,
            Loads loads,
            Service service,
            Session session)
            throws InterruptedException {
        Recording then = observed(before, settings, loads, service, session.inside("before"));
        if (session.isStopped()) {
            return Optional.empty();
        }
        Recording now = observed(after, settings, loads, service, session.inside("after"));
        if (session.isStopped()) {
            return Optional.empty();
        }
        boolean allocates = figure == Metric.ALLOCATION;
        List<Growth.Method> methods =
                new Growth(
                                allocates ? Entry.PartKind.ALLOCATION : Entry.PartKind.METHOD,
                                Entries.parts(then),
                                cost)
                        .to(Entries.parts(now), costAfter);
        return Optional.of(
                allocates
                        ? new BisectProfile(
                                List.of(),
                                methods.stream()
                                        .map(m ->
                                                new Guarded.Allocates(
                                                        m.name(), m.before(), m.after()))
                                        .toList())
                        : new BisectProfile(
                                methods.stream()
                                        .map(m -> new Guarded.Grew(m.name(), m.before(), m.after()))
                                        .toList(),
                                List.of()));
    }

    private static Recording observed(
            Plan plan, GuardSettings settings, Loads loads, Service service, Session session)
            throws InterruptedException {
        return new Measuring(plan, settings, Optional.of(loads), service, session)
                .look(loads, true)
                .recording();
    }

    /// Returns the names of all these methods.
    List<String> methods() {
        return Stream.concat(
                        grew.stream().map(Guarded.Grew::method),
                        allocates.stream().map(Guarded.Allocates::method))
                .toList();
    }
}
