package dev.jdyno.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/// Judges a comparison from the starts so far.
///
/// @param minEffect smallest effect that matters
/// @param restarted whether each start had fresh JVMs
/// @param known variation between starts in the primary figure, from other comparisons of the
///   service
/// @param minDegrees minimum degrees of freedom at which that variation is used
record Judging(
        Metric primary, double minEffect, boolean restarted, StartNoise known, int minDegrees) {
    /// Error probability of the whole comparison, and false discovery rate of the secondary
    /// figures.
    static final double ALPHA = 0.05;

    /// Minimum number of starts. Fewer starts do not show well enough how starts differ.
    static final int MIN_STARTS = 3;

    /// Minimum number of starts if the noise is known, because a single start could be an outlier.
    private static final int MIN_STARTS_OF_KNOWN_NOISE = 2;

    /// Increase in the share of failed requests from which a variant is worse.
    private static final double MORE_ERRORS = 0.001;

    Judging(Metric primary, double minEffect, boolean restarted) {
        this(primary, minEffect, restarted, StartNoise.NONE, StartNoise.MIN_DEGREES);
    }

    /// Judges with the variation between starts that other comparisons of the service have
    /// measured.
    Judging knowing(StartNoise noise) {
        return new Judging(primary, minEffect, restarted, noise, StartNoise.MIN_DEGREES);
    }

    /// Judges with the variation between the starts of other variants that ran at the same time.
    Judging knowingAtOnce(StartNoise noise) {
        return new Judging(primary, minEffect, restarted, noise, StartNoise.MIN_DEGREES_AT_ONCE);
    }

    /// Returns the number of starts before which no outcome is given.
    int minStarts() {
        if (!restarted) {
            return 1;
        }
        return known.isKnown(minDegrees) ? MIN_STARTS_OF_KNOWN_NOISE : MIN_STARTS;
    }

    /// Returns the variation between these starts.
    StartNoise noise(List<Start> starts) {
        return restarted
                ? StartNoise.of(
                        starts.stream()
                                .flatMapToDouble(s -> s.meanLogRatio(primary).stream())
                                .toArray())
                : StartNoise.NONE;
    }

    /// Returns one row for each measured figure, the primary figure first.
    ///
    /// @param alpha error probability that this judgement of the primary figure may spend
    List<Compared.Row> rows(List<Start> starts, double alpha) {
        List<Compared.Row> rows = new ArrayList<>();
        Map<Metric, Effect> others = new EnumMap<>(Metric.class);
        for (Metric metric : Metric.values()) {
            if (metric != primary && metric != Metric.ERRORS) {
                Effect.of(metric, starts, restarted, secondAlpha(metric, alpha))
                        .ifPresent(e -> others.put(metric, e));
            }
        }
        List<Metric> discovered = discovered(others);
        for (Metric metric : Metric.values()) {
            OptionalDouble a = mean(starts, metric, Arm.A);
            OptionalDouble b = mean(starts, metric, Arm.B);
            Optional<Effect> effect =
                    metric == primary
                            ? Effect.of(metric, starts, restarted, alpha, known, minDegrees)
                            : Optional.ofNullable(others.get(metric));
            Outcome outcome =
                    metric == Metric.ERRORS
                            ? errors(a, b)
                            : outcome(metric, effect, discovered, starts.size());
            if (a.isPresent() || b.isPresent()) {
                rows.add(
                        new Compared.Row(
                                metric,
                                a,
                                b,
                                effect,
                                outcome,
                                ratios(starts, metric),
                                starts.stream().map(s -> Compared.Blocks.of(s, metric)).toList()));
            }
        }
        rows.sort(Comparator.comparing(r -> r.metric() != primary));
        return rows;
    }

    /// The error probability of a secondary figure. Throughput may decide in place of the CPU time
    /// of a request, so it has no more than that.
    private double secondAlpha(Metric metric, double alpha) {
        return primary == Metric.CPU && metric == Metric.QPS ? Math.min(ALPHA, alpha) : ALPHA;
    }

    private Outcome outcome(
            Metric metric, Optional<Effect> effect, List<Metric> discovered, int starts) {
        if (effect.isEmpty() || starts < minStarts()) {
            return Outcome.INCONCLUSIVE;
        }
        Outcome alone =
                Outcome.of(
                        effect.get().ratio(),
                        effect.get().interval(),
                        minEffect,
                        metric.higherIsBetter());
        boolean claims = alone == Outcome.BETTER || alone == Outcome.WORSE;
        return claims && metric != primary && !discovered.contains(metric)
                ? Outcome.INCONCLUSIVE
                : alone;
    }

    /// Returns the secondary figures that differ, by Benjamini & Hochberg (1995).
    private static List<Metric> discovered(Map<Metric, Effect> effects) {
        List<Map.Entry<Metric, Effect>> sorted =
                effects.entrySet().stream()
                        .filter(e -> e.getValue().p().isPresent())
                        .sorted(Comparator.comparingDouble(e -> e.getValue().p().orElseThrow()))
                        .toList();
        int last = 0;
        for (int i = 1; i <= sorted.size(); i++) {
            if (sorted.get(i - 1).getValue().p().orElseThrow() <= ALPHA * i / sorted.size()) {
                last = i;
            }
        }
        return sorted.subList(0, last).stream().map(Map.Entry::getKey).toList();
    }

    private static Outcome errors(OptionalDouble a, OptionalDouble b) {
        double more = b.orElse(0) - a.orElse(0);
        if (Math.abs(more) < MORE_ERRORS) {
            return Outcome.EQUIVALENT;
        }
        return more > 0 ? Outcome.WORSE : Outcome.BETTER;
    }

    private static List<Double> ratios(List<Start> starts, Metric metric) {
        return starts.stream()
                .flatMap(s -> s.meanLogRatio(metric).stream().boxed())
                .map(Math::exp)
                .toList();
    }

    /// Mean over the starts that have the figure.
    private static OptionalDouble mean(List<Start> starts, Metric metric, Arm arm) {
        return starts.stream()
                .map(s -> s.mean(metric, arm))
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .average();
    }

    /// Returns the primary figure's outcome. If B fails more requests, the outcome is `worse`, even
    /// if B gains.
    Outcome verdict(List<Compared.Row> rows) {
        return rows.stream()
                .filter(r -> r.metric() == Metric.ERRORS && r.outcome() == Outcome.WORSE)
                .findFirst()
                .or(() -> rows.stream().filter(r -> r.metric() == primary).findFirst())
                .map(Compared.Row::outcome)
                .orElse(Outcome.INCONCLUSIVE);
    }

    /// Estimates the starts needed to decide the primary figure. It assumes that the ratio stays
    /// and that the interval shrinks with the square root of the number of starts. Empty if no
    /// number would decide.
    Optional<Double> startsToDecide(Effect effect) {
        double half = (Math.log(effect.interval().hi()) - Math.log(effect.interval().lo())) / 2;
        double by = Math.abs(Math.log(effect.ratio()));
        double edge = Math.log1p(minEffect);
        double wanted = by >= edge ? by : edge - by;
        return wanted <= 0 || half <= 0
                ? Optional.empty()
                : Optional.of(effect.starts() * Math.pow(half / wanted, 2));
    }
}
