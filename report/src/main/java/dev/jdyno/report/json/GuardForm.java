package dev.jdyno.report.json;

import dev.jdyno.compare.Metric;
import dev.jdyno.guard.FigureRow;
import dev.jdyno.guard.Guarded;
import dev.jdyno.guard.Verdict;
import dev.jdyno.history.Commit;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.report.words.GuardText;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// `jdyno/guard/1`: its components are the keys of the contract, in their order.
public record GuardForm(
        String schema,
        String plan,
        Guarded.Overall verdict,
        Guarded.Mode mode,
        boolean confirmed,
        int days,
        List<Figure> figures,
        String bottleneck,
        Optional<Bottleneck> movedFrom,
        List<Guarded.Grew> grew,
        List<Guarded.Allocates> allocates,
        List<Guarded.Measurement> measurements,
        Optional<Double> machine,
        boolean partial,
        double seconds,
        String says,
        List<String> notes) {
    public static GuardForm of(Guarded g) {
        return new GuardForm(
                "jdyno/guard/1",
                g.plan(),
                g.verdict(),
                g.mode(),
                g.confirmed(),
                g.days(),
                g.figures().stream().map(Figure::of).toList(),
                g.bottleneck().map(Bottleneck::key).orElse(""),
                g.movedFrom(),
                g.grew(),
                g.allocates(),
                g.measurements(),
                g.machine(),
                g.partial(),
                g.seconds(),
                GuardText.verdict(g),
                GuardText.notes(g));
    }

    /// One guarded figure.
    public record Figure(
            Metric name,
            String unit,
            Optional<Double> value,
            Optional<Double> reference,
            Optional<Double> ratio,
            Optional<Interval> ci95,
            Verdict verdict,
            Optional<Since> since) {
        private static Figure of(FigureRow r) {
            return new Figure(
                    r.metric(),
                    r.metric().unit(),
                    r.value(),
                    r.reference(),
                    r.ratio(),
                    r.ci95(),
                    r.verdict(),
                    r.since().map(Since::of));
        }
    }

    /// Where a change begins.
    public record Since(
            Optional<String> run, Optional<String> commit, Optional<String> before, Instant day) {
        private static Since of(FigureRow.Since s) {
            return new Since(
                    s.run(), s.code().map(Commit::hash), s.before().map(Commit::hash), s.day());
        }
    }
}
