package dev.jdyno.report.json;

import dev.jdyno.history.Commit;
import dev.jdyno.history.Entry;
import dev.jdyno.history.Kind;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// `jdyno/pair/1`: its components are the keys of the contract, in their order.
public record PairForm(
        String schema,
        Head a,
        Head b,
        boolean sameMachine,
        List<Figure> figures,
        List<Part> causes,
        List<Part> methods) {
    /// Which result it is.
    public record Head(
            String id,
            Kind verb,
            String plan,
            Optional<String> label,
            Instant at,
            Optional<String> commit,
            String verdict,
            boolean valid) {
        public static Head of(Entry e) {
            return new Head(
                    e.id(),
                    e.kind(),
                    e.plan(),
                    e.label(),
                    e.at(),
                    e.code().map(Commit::hash),
                    e.verdict(),
                    e.valid());
        }
    }

    /// @param ratio B / A; empty unless both are above 0
    public record Figure(
            String name,
            Optional<Double> a,
            Optional<Double> b,
            Optional<Double> ratio,
            String unit) {}

    /// In ms of one request.
    public record Part(
            String name, Optional<Double> a, Optional<Double> b, Optional<Double> ratio) {}
}
