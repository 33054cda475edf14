package dev.jdyno.capacity;

import dev.jdyno.capacity.KneeFinding.NotFound;
import dev.jdyno.capacity.KneeFinding.Reason;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.Slice;
import dev.jdyno.measure.statistics.Bootstrap;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Quantiles;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/// The two lines that bound the curve of a closed system, fitted to measured rounds. Well below the
/// knee, throughput is X = N / R_min (Little's law, F3). At saturation it is X = X_max (F4). The
/// lines cross at the knee N* = X_max · R_min (F1).
///
/// X_max and R_min are medians over rounds, so one noisy round does not move them. Rounds in which
/// throughput falls at too high a load are not part of the plateau.
///
/// @param plateau the rounds that give X_max
/// @param repeats all rounds at the plateau's loads, including those with less throughput. The
///   uncertainty of X_max is computed from them.
/// @param base the rounds that give R_min
/// @param maxQps X_max
/// @param minRtMs R_min. If no round is well below the knee, it is the response time at the lowest
///   load. That value includes queueing, so it is too high.
/// @param minKnee lower bound of the knee in that case, computed with the longest possible queueing
record Asymptotes(
        List<Round> plateau,
        List<Round> repeats,
        List<Round> base,
        double maxQps,
        double minRtMs,
        Optional<Double> minKnee) {
    /// A round whose throughput is at least this share of the highest is at saturation.
    private static final double PLATEAU_SHARE = 0.95;

    /// Elasticity d ln X / d ln N below which a curve counts as flat. It is 1 far below the knee
    /// and 0 at saturation.
    private static final double FLAT_ELASTICITY = 0.3;

    /// Minimum ratio of the concurrencies of two rounds for a meaningful elasticity.
    private static final double ELASTICITY_SPAN = 1.2;

    /// Maximum share of the knee for rounds that give R_min: almost no request queues there.
    private static final double BASE_SHARE = 0.5;

    /// Maximum ratio of the lowest load to the knee that its own response time gives. Up to it,
    /// this load gives a bound of the knee. It is also the ratio of its throughput to X_max.
    private static final double NEAR_SHARE = 0.8;

    /// Minimum number of rounds for a curve.
    private static final int MIN_ROUNDS = 3;

    /// Number of rounds from which on the highest throughput may be an outlier, so that the second
    /// highest is used for the plateau.
    private static final int ROUNDS_FOR_ROBUST_ANCHOR = 5;

    /// The concurrency at which the asymptotes cross.
    double kneeConcurrency() {
        return maxQps * minRtMs / 1000;
    }

    sealed interface Fit {
        record Crossing(Asymptotes asymptotes) implements Fit {}

        record None(NotFound why) implements Fit {}
    }

    /// @param rounds closed-loop rounds in any order
    static Fit of(List<Round> rounds) {
        List<Round> sorted =
                rounds.stream()
                        .filter(r -> r.qps() > 0)
                        .sorted(Comparator.comparingInt(Round::concurrency))
                        .toList();
        if (sorted.size() < MIN_ROUNDS) {
            return none(
                    Reason.TOO_FEW_ROUNDS,
                    (sorted.size() == 1
                                    ? "1 closed-loop round"
                                    : sorted.size() + " closed-loop rounds")
                            + " with good requests; a curve needs at least "
                            + MIN_ROUNDS,
                    lower(sorted));
        }
        if (!flattened(sorted)) {
            Round last = sorted.getLast();
            return none(
                    Reason.STILL_RISING,
                    String.format(
                            Locale.ROOT,
                            "throughput was still rising at concurrency %d (%.0f/s): the knee is"
                                    + " beyond it",
                            last.concurrency(),
                            last.qps()),
                    List.of());
        }
        List<Round> plateau = plateau(sorted);
        double maxQps = medianOf(plateau, Round::qps);
        List<Round> repeats =
                sorted.stream()
                        .filter(r ->
                                plateau.stream().anyMatch(p -> p.concurrency() == r.concurrency()))
                        .toList();
        List<Round> base = base(sorted, maxQps);
        if (!base.isEmpty()) {
            double minRt = medianOf(base, Round::rtMsByLittle);
            return crossing(plateau, repeats, base, maxQps, minRt, Optional.empty());
        }
        List<Round> lowest =
                sorted.stream()
                        .filter(r -> r.concurrency() == sorted.getFirst().concurrency())
                        .toList();
        double rt = medianOf(lowest, Round::rtMsByLittle);
        int n = lowest.getFirst().concurrency();
        // balanced job bounds (Zahorjan et al. 1982): R(N) <= R_min + (N - 1) / X_max
        double smallestRt = rt - (n - 1) * 1000 / maxQps;
        double min = maxQps * smallestRt / 1000;
        return n <= NEAR_SHARE * maxQps * rt / 1000 && min > 0
                ? crossing(plateau, repeats, lowest, maxQps, rt, Optional.of(min))
                : none(Reason.FLAT_FROM_THE_START, aboveTheKnee(sorted), lower(sorted));
    }

    private static Fit crossing(
            List<Round> plateau,
            List<Round> repeats,
            List<Round> base,
            double maxQps,
            double minRt,
            Optional<Double> min) {
        return new Fit.Crossing(new Asymptotes(plateau, repeats, base, maxQps, minRt, min));
    }

    /// Minimum ratio of two throughputs that counts as a rise. Their intervals alone are not
    /// enough. If throughput is nearly constant within each round, they are so narrow that even
    /// 22/s and 23/s differ.
    private static final double ROSE_FROM = 1.10;

    /// Minimum ratio of a throughput to that at the lowest load to say that throughput rose at
    /// first.
    private static final double ROSE_A_LITTLE = 1.02;

    /// Returns a description of throughput for the case that no round is well below the knee. It
    /// uses the rounds' intervals.
    private static String aboveTheKnee(List<Round> sorted) {
        Round first = sorted.getFirst();
        Round last = sorted.getLast();
        var higher =
                sorted.stream()
                        .filter(r -> r.qpsCi95().lo() > first.qpsCi95().hi())
                        .filter(r -> r.qps() > ROSE_FROM * first.qps())
                        .max(Comparator.comparingDouble(Round::qps));
        if (higher.isPresent()) {
            boolean fell = last.qpsCi95().hi() < higher.get().qpsCi95().lo();
            return String.format(
                    Locale.ROOT,
                    "%.0f/s at N=%d, %.0f/s at N=%d%s: no load lies well below the knee",
                    first.qps(),
                    first.concurrency(),
                    higher.get().qps(),
                    higher.get().concurrency(),
                    fell
                            ? String.format(
                                    Locale.ROOT, ", %.0f/s at N=%d", last.qps(), last.concurrency())
                            : "");
        }
        boolean rises = sorted.stream().anyMatch(r -> r.qps() > ROSE_A_LITTLE * first.qps());
        boolean falls =
                last.qpsCi95().hi() < first.qpsCi95().lo()
                        && first.qps() > ROSE_A_LITTLE * last.qps();
        return String.format(
                Locale.ROOT,
                "throughput %s from concurrency %d on, the lowest load tried",
                falls ? rises ? "does not keep rising" : "falls" : "is flat",
                first.concurrency());
    }

    /// Returns loads below the lowest measured one that can show the knee: one user, who never
    /// queues, and half of the lowest load.
    static List<Integer> lower(List<Round> sorted) {
        int lowest = sorted.isEmpty() ? 1 : sorted.getFirst().concurrency();
        return IntStream.of(1, (int) Math.round(BASE_SHARE * lowest))
                .filter(n -> n >= 1 && n < lowest)
                .distinct()
                .boxed()
                .toList();
    }

    private static Fit none(Reason reason, String says, List<Integer> lowerLoads) {
        return new Fit.None(new NotFound(reason, says, lowerLoads));
    }

    private static List<Round> plateau(List<Round> sorted) {
        double[] highestFirst =
                sorted.stream().mapToDouble(r -> -r.qps()).sorted().map(q -> -q).toArray();
        double anchor = highestFirst[sorted.size() >= ROUNDS_FOR_ROBUST_ANCHOR ? 1 : 0];
        return sorted.stream().filter(r -> r.qps() >= PLATEAU_SHARE * anchor).toList();
    }

    /// True if some round is followed, at clearly higher concurrency, only by rounds with little
    /// more throughput. The comparison uses the *median* of the later rounds. So the result does
    /// not change with a single dip below the knee (later rounds rise) or a single spike at
    /// saturation.
    private static boolean flattened(List<Round> sorted) {
        for (int i = 0; i < sorted.size() - 1; i++) {
            Round from = sorted.get(i);
            List<Round> later =
                    sorted.stream()
                            .filter(r -> r.concurrency() >= from.concurrency() * ELASTICITY_SPAN)
                            .toList();
            if (later.isEmpty()) {
                return false;
            }
            double[] elasticity =
                    later.stream()
                            .mapToDouble(r ->
                                    Math.log(r.qps() / from.qps())
                                            / Math.log(
                                                    (double) r.concurrency() / from.concurrency()))
                            .toArray();
            if (Quantiles.median(elasticity) < FLAT_ELASTICITY) {
                return true;
            }
        }
        return false;
    }

    private static List<Round> base(List<Round> sorted, double maxQps) {
        double knee = maxQps * sorted.getFirst().rtMsByLittle() / 1000;
        List<Round> base = below(sorted, knee);
        // the lowest round may be noisy, so select again with the median response time of the
        // selected rounds
        return base.isEmpty()
                ? base
                : below(sorted, maxQps * medianOf(base, Round::rtMsByLittle) / 1000);
    }

    /// Returns the rounds below the knee. A round with a single user is always among them, because
    /// a single user never queues.
    private static List<Round> below(List<Round> sorted, double knee) {
        return sorted.stream()
                .filter(r -> r.concurrency() == 1 || r.concurrency() <= BASE_SHARE * knee)
                .toList();
    }

    private static double medianOf(List<Round> rounds, ToDoubleFunction<Round> figure) {
        return Quantiles.median(rounds.stream().mapToDouble(figure).toArray());
    }

    /// Returns the 95 % interval of N* by a two-level bootstrap. First rounds are drawn with
    /// replacement from the plateau's loads and from the base. Then one-second slices are drawn
    /// from each drawn round. So the interval includes both the noise within rounds and the
    /// differences between them.
    Interval kneeCi95(long seed) {
        Interval drawn = drawnCi95(seed);
        double lo = minKnee.map(l -> Math.min(l, drawn.lo())).orElse(drawn.lo());
        return new Interval(lo, drawn.hi());
    }

    private Interval drawnCi95(long seed) {
        return Bootstrap.ci95(
                random ->
                        resampled(repeats, (_, drawn) -> meanQps(drawn), random)
                                * resampled(base, Asymptotes::meanRt, random)
                                / 1000,
                seed);
    }

    private static double resampled(
            List<Round> rounds,
            ToDoubleBiFunction<Round, List<Slice>> figure,
            SplittableRandom random) {
        double[] figures = new double[rounds.size()];
        for (int i = 0; i < figures.length; i++) {
            Round round = rounds.get(random.nextInt(figures.length));
            List<Slice> slices = slices(round);
            List<Slice> drawn = new ArrayList<>(slices.size());
            for (int s = 0; s < slices.size(); s++) {
                drawn.add(slices.get(random.nextInt(slices.size())));
            }
            figures[i] = figure.applyAsDouble(round, drawn);
        }
        return Quantiles.median(figures);
    }

    /// Returns the slices of a round; a round without slices is its own slice.
    private static List<Slice> slices(Round r) {
        return r.slices().isEmpty()
                ? List.of(new Slice(r.qps(), r.rtMs().mean(), r.cpu().map(c -> c.processCores())))
                : r.slices();
    }

    private static double meanQps(List<Slice> slices) {
        return slices.stream().mapToDouble(Slice::qps).average().orElseThrow();
    }

    /// Returns the mean response time over requests, not over seconds. It is at most N / X, as for
    /// {@link Round#rtMsByLittle}.
    private static double meanRt(Round round, List<Slice> slices) {
        double mean = meanRt(slices);
        double qps = meanQps(slices);
        return qps > 0 ? Math.min(mean, round.concurrency() / qps * 1000) : mean;
    }

    private static double meanRt(List<Slice> slices) {
        double requests = slices.stream().mapToDouble(Slice::qps).sum();
        double ms = slices.stream().mapToDouble(s -> s.qps() * s.rtMeanMs()).sum();
        return requests > 0
                ? ms / requests
                : slices.stream().mapToDouble(Slice::rtMeanMs).average().orElseThrow();
    }
}
