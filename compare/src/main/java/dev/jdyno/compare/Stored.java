package dev.jdyno.compare;

import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.UserError;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/// Compares two results that were measured at different times. Their blocks were not interleaved,
/// so the ratio includes changes of the machine in between. Each interval is widened by the drift.
public final class Stored {
    /// Minimum concurrency of a saturated round, as a share of the highest one.
    private static final double SATURATED = 0.5;

    private Stored() {}

    /// @param drift gives the drift of a figure: the difference between two runs of the same code
    /// @throws UserError if they have no load in common
    public static Compared compared(
            RunResult a,
            RunResult b,
            Metric primary,
            double minEffect,
            Function<Metric, Drift> drift) {
        List<Pair> pairs = pairs(a.recording(), b.recording());
        if (pairs.isEmpty()) {
            throw UserError.usage(
                    "the two results have no load in common",
                    "their rounds were at other numbers of requests in flight",
                    "run both with the same --concurrency, or compare the services themselves:"
                            + " jdyno compare A.yaml B.yaml");
        }
        List<Start> starts = List.of(new Start(pairs, 0));
        var judging = new Judging(primary, minEffect, false);
        List<Compared.Row> rows =
                judging.rows(starts, Judging.ALPHA).stream()
                        .map(r -> drifted(r, minEffect, drift.apply(r.metric())))
                        .toList();
        return new Compared(
                judging.verdict(rows),
                primary,
                rows,
                1,
                pairs.size(),
                0,
                pairs.getFirst().a().concurrency(),
                0,
                Optional.empty(),
                0,
                Optional.empty(),
                false,
                minEffect,
                Optional.of(a.target()),
                Optional.of(b.target()),
                Optional.of(Difference.of(a, b, cpu(rows, Arm.A), cpu(rows, Arm.B))),
                List.of(new Note.NotInterleaved(drift.apply(primary))),
                false);
    }

    private static OptionalDouble cpu(List<Compared.Row> rows, Arm arm) {
        return rows.stream()
                .filter(r -> r.metric() == Metric.CPU)
                .findFirst()
                .map(r -> arm == Arm.A ? r.a() : r.b())
                .orElse(OptionalDouble.empty());
    }

    private static List<Pair> pairs(Recording a, Recording b) {
        List<Pair> pairs = new ArrayList<>();
        // rounds that other processes disturbed had other cores available
        for (Round of : a.rounds().stream().filter(r -> r.disturbance().isEmpty()).toList()) {
            b.rounds().stream()
                    .filter(r -> r.disturbance().isEmpty())
                    .filter(r -> r.ratePerS().isEmpty() && of.ratePerS().isEmpty())
                    .filter(r -> r.concurrency() == of.concurrency())
                    .findFirst()
                    .ifPresent(r -> pairs.add(new Pair(Metric.Load.SATURATED, of, r)));
        }
        pairs.sort(Comparator.comparingInt((Pair p) -> p.a().concurrency()).reversed());
        double max = pairs.isEmpty() ? 0 : pairs.getFirst().a().concurrency();
        return pairs.stream().filter(p -> p.a().concurrency() >= SATURATED * max).toList();
    }

    private static Compared.Row drifted(Compared.Row row, double minEffect, Drift drift) {
        if (row.a().isEmpty() || row.b().isEmpty() || row.metric() == Metric.ERRORS) {
            return row;
        }
        double ratio =
                row.effect()
                        .map(Effect::ratio)
                        .orElse(row.b().getAsDouble() / row.a().getAsDouble());
        Interval own = row.effect().map(Effect::interval).orElse(Interval.exactly(ratio));
        Interval wide =
                new Interval(own.lo() / (1 + drift.share()), own.hi() * (1 + drift.share()));
        return new Compared.Row(
                row.metric(),
                row.a(),
                row.b(),
                Optional.of(new Effect(ratio, wide, Optional.empty(), 1)),
                Outcome.of(ratio, wide, minEffect, row.metric().higherIsBetter()),
                row.ratios(),
                row.blocks());
    }
}
