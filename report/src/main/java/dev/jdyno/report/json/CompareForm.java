package dev.jdyno.report.json;

import dev.jdyno.compare.Compared;
import dev.jdyno.compare.Difference;
import dev.jdyno.compare.Effect;
import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Outcome;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.report.words.CompareText;
import dev.jdyno.report.words.Highlights;
import dev.jdyno.report.words.NoteText;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// `jdyno/compare/1`: its components are the keys of the contract, in their order.
public record CompareForm(
        String schema,
        Outcome verdict,
        Metric primary,
        List<Figure> metrics,
        int starts,
        int pairs,
        int discarded,
        int concurrency,
        double ratePerS,
        double minEffect,
        double seconds,
        Optional<Double> secondsToDecide,
        boolean restarted,
        boolean partial,
        List<String> where,
        Optional<Where> difference,
        List<String> notes,
        Trust validity) {
    public static CompareForm of(Compared c) {
        return new CompareForm(
                "jdyno/compare/1",
                c.verdict(),
                c.primary(),
                c.rows().stream().map(Figure::of).toList(),
                c.starts(),
                c.pairs(),
                c.discarded(),
                c.concurrency(),
                c.ratePerS(),
                c.minEffect(),
                c.seconds(),
                c.secondsToDecide(),
                c.restarted(),
                c.partial(),
                CompareText.where(c),
                c.difference().map(Where::of),
                NoteText.of(c.notes()),
                new Trust(!c.partial() && c.starts() > 0));
    }

    /// One compared figure.
    public record Figure(
            Metric name,
            String unit,
            OptionalDouble a,
            OptionalDouble b,
            Optional<Double> ratio,
            Optional<Interval> ci95,
            Outcome verdict,
            List<Double> ratios,
            List<Compared.Blocks> blocks) {
        private static Figure of(Compared.Row r) {
            return new Figure(
                    r.metric(),
                    r.metric().unit(),
                    r.a(),
                    r.b(),
                    r.effect().map(Effect::ratio),
                    r.effect().map(Effect::interval),
                    r.outcome(),
                    r.ratios(),
                    r.blocks());
        }
    }

    /// Where the difference comes from.
    public record Where(List<Part> breakdown, List<Difference.Method> methods) {
        private static Where of(Difference d) {
            return new Where(
                    d.breakdown()
                            .map(b -> b.parts().stream().map(Part::of).toList())
                            .orElse(List.of()),
                    d.methods());
        }
    }

    /// @param cause `unexplained` where none is known
    public record Part(String cause, double aMs, double bMs) {
        private static Part of(Difference.Part p) {
            return new Part(
                    p.cause().map(Cause::key).orElse(Highlights.UNEXPLAINED), p.aMs(), p.bMs());
        }
    }

    /// Whether the figures can be trusted.
    public record Trust(boolean ok) {}
}
