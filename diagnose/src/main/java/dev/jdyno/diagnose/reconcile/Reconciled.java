package dev.jdyno.diagnose.reconcile;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Figures that agree with all balances.
///
/// @param figures by name, in the order of the measurements; figures that were not measured and
///   that the balances cannot determine are left out
/// @param faults measurements that were left out, the worst first
/// @param criterion sum of the squared adjustments, each in standard errors; chi-squared with
///   `redundancy` degrees of freedom if no measurement has a gross error (global test)
/// @param redundancy number of balances beyond those that are needed to determine unknown figures
public record Reconciled(
        Map<String, Figure> figures, List<Fault> faults, double criterion, int redundancy) {
    /// One figure.
    ///
    /// @param measured the measured value; empty if the figure was not measured
    /// @param value the reconciled value
    /// @param standardError of `value`
    /// @param leftOut true if its measurement has a gross error, so that `value` comes from the
    ///   other figures
    public record Figure(
            Optional<Double> measured, double value, double standardError, boolean leftOut) {}

    /// A measurement that does not agree with the balances within the errors.
    ///
    /// @param measurement name of the measurement
    /// @param value the measured value
    /// @param balances names of the violated balances in which the measurement occurs
    /// @param statistic the measurement's adjustment, in standard errors of the adjustment
    ///   (measurement test)
    /// @param critical value of the test at 5 % for all measurements together
    /// @param alike measurements that may be wrong with the same probability, because they occur in
    ///   the same balances
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

    /// The reconciled value of a figure; empty if the balances do not determine it.
    public Optional<Double> value(String name) {
        return figure(name).map(Figure::value);
    }

    /// True if the measurement of this figure was left out.
    public boolean isAtFault(String name) {
        return faults.stream().anyMatch(f -> f.measurement().equals(name));
    }
}
