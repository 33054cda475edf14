package dev.jdyno.report.json;

import dev.jdyno.compare.Compared;
import dev.jdyno.compare.Difference;
import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Outcome;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.report.words.CompareText;
import dev.jdyno.report.words.Highlights;
import dev.jdyno.report.words.NoteText;
import java.util.List;
import java.util.Optional;

/// `jdyno/compare/1`: its components are the keys of the contract, in their order.
public record CompareForm(
        String schema,
        Outcome verdict,
        Metric primary,
        List<Compared.Row> metrics,
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
                c.rows(),
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
