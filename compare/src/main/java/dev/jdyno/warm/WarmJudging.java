package dev.jdyno.warm;

import dev.jdyno.compare.Effect;
import dev.jdyno.compare.Outcome;
import dev.jdyno.measure.statistics.Quantiles;
import dev.jdyno.trial.ColdStart.Curve;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/// Judges starts that were measured in turns: computes the ratio of each figure by round, and its
/// interval.
final class WarmJudging {
    private static final double ALPHA = 0.05;

    /// Smallest effect that matters.
    private static final double MIN_EFFECT = 0.03;

    /// Minimum gain from a pause of the load that shows a plateau before the pause. During the
    /// pause, the JIT compilers get the cores. If there is no plateau, the seconds at one load
    /// differ less than this.
    private static final double PLATEAU_FROM = 0.1;

    private WarmJudging() {}

    /// Full speed of the unchanged service. It is the median of its starts, or the throughput after
    /// a pause of the load if that is higher.
    static double fullQps(List<Curve> asIs) {
        double median = Quantiles.median(asIs.stream().mapToDouble(StartFigures::speed).toArray());
        double rested =
                asIs.stream().flatMap(c -> c.afterRestQps().stream()).reduce(0.0, Math::max);
        return Math.max(median, rested);
    }

    /// Throughput at the end of the traffic, if throughput after a pause of the load was clearly
    /// higher; otherwise empty.
    static Optional<Double> plateauQps(Curve curve) {
        double last = StartFigures.last(curve);
        return curve.afterRestQps().filter(r -> r > last * (1 + PLATEAU_FROM)).map(_ -> last);
    }

    static Warmed.Starts starts(List<Curve> curves, double fullQps) {
        return new Warmed.Starts(
                curves, curves.stream().map(c -> StartFigures.of(c, fullQps)).toList());
    }

    /// @param with starts of the service with the change, of the same rounds in the same order
    static Warmed.Tried.Measured measured(Way way, Warmed.Starts asIs, Warmed.Starts with) {
        Optional<Effect> lost = effect(asIs, with, f -> Optional.of(f.lostS()));
        Outcome outcome =
                lost.filter(e -> e.starts() >= WarmSettings.MIN_STARTS)
                        .map(e -> Outcome.of(e.ratio(), e.interval(), MIN_EFFECT, false))
                        .orElse(Outcome.INCONCLUSIVE);
        return new Warmed.Tried.Measured(
                way,
                with,
                lost,
                effect(asIs, with, f -> Optional.of(f.firstAnswerS())),
                effect(asIs, with, StartFigures::to90S),
                outcome,
                speed(with.curves()) / speed(asIs.curves()));
    }

    /// Number of rounds in which both were started.
    static int rounds(Warmed.Starts asIs, Warmed.Starts with) {
        return Math.min(asIs.figures().size(), with.figures().size());
    }

    /// Number of rounds without a ratio. In these, at least one of the two starts lost no time: its
    /// mean throughput since the launch reached full speed.
    static int roundsWithoutRatio(Warmed.Starts asIs, Warmed.Starts with) {
        return (int)
                IntStream.range(0, rounds(asIs, with))
                        .filter(i ->
                                asIs.figures().get(i).lostS() <= 0
                                        || with.figures().get(i).lostS() <= 0)
                        .count();
    }

    private static double speed(List<Curve> curves) {
        return Quantiles.median(curves.stream().mapToDouble(StartFigures::last).toArray());
    }

    private static Optional<Effect> effect(
            Warmed.Starts asIs,
            Warmed.Starts with,
            Function<StartFigures, Optional<Double>> figure) {
        List<Double> ratios = new ArrayList<>();
        int rounds = rounds(asIs, with);
        for (int i = 0; i < rounds; i++) {
            Optional<Double> a = figure.apply(asIs.figures().get(i)).filter(v -> v > 0);
            Optional<Double> b = figure.apply(with.figures().get(i)).filter(v -> v > 0);
            if (a.isPresent() && b.isPresent()) {
                ratios.add(Math.log(b.get() / a.get()));
            }
        }
        return Effect.ofStarts(ratios, ALPHA);
    }
}
