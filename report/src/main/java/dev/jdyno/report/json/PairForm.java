package dev.jdyno.report.json;

import dev.jdyno.history.Entry;
import java.util.List;
import java.util.Optional;

/// The document `jdyno/pair/1`. Its components are the documented keys, in their order
/// (docs/json.md).
public record PairForm(
        String schema,
        Entry a,
        Entry b,
        boolean sameMachine,
        List<Figure> figures,
        List<Part> causes,
        List<Part> methods) {

    /// @param ratio B / A; empty unless both are above 0
    public record Figure(
            String name,
            Optional<Double> a,
            Optional<Double> b,
            Optional<Double> ratio,
            String unit) {}

    /// A part of one request, in ms.
    public record Part(
            String name, Optional<Double> a, Optional<Double> b, Optional<Double> ratio) {}
}
