package dev.jdyno.measure;

import dev.jdyno.measure.thread.Library;
import dev.jdyno.measure.thread.LoggingCost;
import dev.jdyno.measure.thread.Profile;
import java.util.List;

/// Insight of one kind alone.
public final class InsightVariant {
    private InsightVariant() {}

    public static Insight logging(LoggingCost... costs) {
        return of(List.of(), List.of(costs), List.of(), List.of(), List.of(), List.of());
    }

    public static Insight allocations(Insight.Allocation... allocations) {
        return of(List.of(), List.of(), List.of(allocations), List.of(), List.of(), List.of());
    }

    public static Insight exceptions(Insight.Thrown... exceptions) {
        return of(List.of(), List.of(), List.of(), List.of(exceptions), List.of(), List.of());
    }

    public static Insight pinned(Insight.Pinned... pinned) {
        return of(List.of(), List.of(), List.of(), List.of(), List.of(pinned), List.of());
    }

    public static Insight profile(Profile profile, Library... libraries) {
        return of(List.of(profile), List.of(), List.of(), List.of(), List.of(), List.of(libraries));
    }

    private static Insight of(
            List<Profile> profiles,
            List<LoggingCost> logging,
            List<Insight.Allocation> allocations,
            List<Insight.Thrown> exceptions,
            List<Insight.Pinned> pinned,
            List<Library> libraries) {
        return new Insight(
                profiles,
                List.of(),
                List.of(),
                logging,
                List.of(),
                List.of(),
                allocations,
                exceptions,
                pinned,
                List.of(),
                List.of(),
                libraries);
    }
}
