package dev.jdyno.report.words;

import dev.jdyno.measure.verdict.DecidingWarning;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.measure.verdict.Validity.Warning;
import java.util.ArrayList;
import java.util.List;

/// The warnings of a result in the order in which a reader needs them.
///
/// @param spoiling reasons why the figures must not be used
/// @param deciding warnings that may change the decision: part of the load was not served properly,
///   or a figure may be wrong
/// @param others warnings about the measurement that leave the decision as it is
public record Remarks(List<Warning> spoiling, List<Warning> deciding, List<Warning> others) {
    public Remarks {
        spoiling = List.copyOf(spoiling);
        deciding = List.copyOf(deciding);
        others = List.copyOf(others);
    }

    public static Remarks of(Validity validity) {
        List<Warning> spoiling = new ArrayList<>();
        List<Warning> deciding = new ArrayList<>();
        List<Warning> others = new ArrayList<>();
        for (Warning w : validity.warnings()) {
            (w.spoils() ? spoiling : DecidingWarning.decides(w) ? deciding : others).add(w);
        }
        return new Remarks(spoiling, deciding, others);
    }

    /// All remarks, the most important first.
    public List<Warning> all() {
        List<Warning> all = new ArrayList<>(spoiling);
        all.addAll(deciding);
        all.addAll(others);
        return List.copyOf(all);
    }
}
