package dev.jdyno.diagnose.reconcile;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Figures that agree with all balances.
///
/// @param figures by name, in the order of the measurements; unknown figures that the balances do
///   not give are left out
/// @param faults measurements that were left out, the worst first
/// @param criterion sum of the squared adjustments, each in standard errors; chi-squared with
///   `redundancy` degrees of freedom if no measurement has a gross error (global test)
/// @param redundancy balances beyond those that only give unknown figures
public record Reconciled(
        Map<String, Figure> figures, List<Fault> faults, double criterion, int redundancy) {
    /// One figure.
    ///
    /// @param measured as it was measured; empty if it was not
    /// @param value reconciled
    /// @param standardError of `value`
    /// @param leftOut true if its measurement has a gross error: `value` comes from the others
    public record Figure(
            Optional<Double> measured, double value, double standardError, boolean leftOut) {}

    /// A measurement that the balances cannot hold within the errors.
    ///
    /// @param measurement its name
    /// @param value as it was measured
    /// @param balances that did not close, by name, as far as the measurement takes part in them
    /// @param statistic its adjustment in standard errors of the adjustment (measurement test)
    /// @param critical value of the test at 5 % for all measurements together
    /// @param alike measurements that are as likely at fault, because the same balances bind them
    public record Fault(
            String measurement,
            double value,
            List<String> balances,
            double statistic,
            double critical,
            List<String> alike) {
        public Fault {
            balances = List.copyOf(balances);
            alike = List.copyOf(alike);
        }
    }

    public Reconciled {
        figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
        faults = List.copyOf(faults);
    }

    public Optional<Figure> figure(String name) {
        return Optional.ofNullable(figures.get(name));
    }

    /// The reconciled value; empty if the balances do not give it.
    public Optional<Double> value(String name) {
        return figure(name).map(Figure::value);
    }

    /// Whether a measurement was left out.
    public boolean isAtFault(String name) {
        return faults.stream().anyMatch(f -> f.measurement().equals(name));
    }
}
