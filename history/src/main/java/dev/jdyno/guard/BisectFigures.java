package dev.jdyno.guard;

import dev.jdyno.compare.Effect;
import dev.jdyno.compare.Loads;
import dev.jdyno.compare.Metric;
import dev.jdyno.repository.Revision;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Collects the measurements of a bisection.
final class BisectFigures {
    private static final double ALPHA = 0.05;

    private final List<BisectJournal.Step> steps = new ArrayList<>();
    private Optional<Metric> worse = Optional.empty();
    private boolean decided;

    /// @param ends whether the step compares the two ends
    void take(BisectJournal.Step step, boolean ends) {
        steps.add(step);
        if (ends && worse.isEmpty()) {
            worse = step.worse();
            decided |= step.decided();
        }
    }

    List<BisectJournal.Step> steps() {
        return List.copyOf(steps);
    }

    int count() {
        return steps.size();
    }

    /// The figure that is worse at the bad end.
    Optional<Metric> worse() {
        return worse;
    }

    /// True if another comparison of the two ends is needed, because none was conclusive yet.
    boolean isOpen() {
        return worse.isEmpty() && !decided;
    }

    boolean isNotWorse() {
        return worse.isEmpty() && decided;
    }

    /// The loads, which are the same in all comparisons.
    Optional<Loads> loads() {
        return steps.stream().flatMap(s -> s.loads().stream()).findFirst();
    }

    /// Mean of a figure of the good version over all comparisons.
    Optional<Double> before(Metric figure) {
        var mean =
                steps.stream()
                        .filter(s -> s.before().containsKey(figure))
                        .mapToDouble(s -> s.before().get(figure))
                        .average();
        return mean.isPresent() ? Optional.of(mean.getAsDouble()) : Optional.empty();
    }

    /// Number of starts of both versions.
    int starts() {
        return steps.stream()
                .mapToInt(s -> s.ratios().values().stream().mapToInt(List::size).max().orElse(0))
                .sum();
    }

    /// Ratio of a figure of a version and of all later versions to that of the good version. Empty
    /// with fewer than two starts.
    Optional<Effect> effectFrom(int version, Metric figure) {
        return Effect.ofStarts(
                steps.stream()
                        .filter(s -> s.version() >= version)
                        .flatMap(s -> s.of(figure).stream())
                        .map(Math::log)
                        .toList(),
                ALPHA);
    }

    /// Returns the measured versions in the order of the history.
    List<Bisected.Version> versions(List<Revision> revisions) {
        Map<Integer, List<Double>> ratios = new TreeMap<>();
        worse.ifPresent(figure ->
                steps.forEach(s ->
                        ratios.computeIfAbsent(s.version(), _ -> new ArrayList<>())
                                .addAll(s.of(figure))));
        ratios.values().removeIf(List::isEmpty);
        return ratios.entrySet().stream()
                .map(e ->
                        new Bisected.Version(
                                revisions.get(e.getKey()),
                                e.getValue().size(),
                                Math.exp(
                                        e.getValue().stream()
                                                .mapToDouble(Math::log)
                                                .average()
                                                .orElseThrow())))
                .toList();
    }
}
