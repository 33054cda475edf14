package dev.jdyno.diagnose.reconcile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hipparchus.distribution.continuous.NormalDistribution;

/// Reconciles redundant measurements. The result has the least sum of squared adjustments, each in
/// standard errors, of all figures that agree with the balances.
///
/// 1. Bounds that are broken are made to hold as equalities, and let go if they then pull (active
///    set). So a bound that holds anyway adjusts nothing. That no figure is negative is a bound.
/// 2. The measurement test (Mah and Tamhane 1982) looks for gross errors: an adjustment divided by
///    its own standard error is normal. The limit is for all n measurements together, 1 −
///    0.95^(1/n) for each (Šidák).
/// 3. The measurement with the largest statistic is left out, and all is solved again, until none
///    is above the limit (Serth and Heenan 1986). Measurements that only one balance binds have the
///    same statistic: of these the one goes without which the others fit best, else the one whose
///    error is the largest part of the balance's, and the others are named.
public final class Reconciliation {
    /// Probability of leaving out at least one measurement of a set without gross errors.
    private static final double SIGNIFICANCE = 0.05;

    /// Ratio of two statistics from which they are the same.
    private static final double SAME = 1 - 1e-6;

    /// An excess below this share of the largest figure of its bound is a rounding error.
    private static final double ROUNDING = 1e-6;

    private final List<Measurement> measured;
    private final List<Balance> balances;

    /// Those of the balances that say no more than that a figure is not negative.
    private final Set<Balance> notNegative;

    private Reconciliation(List<Measurement> measured, List<Balance> balances) {
        this.measured = List.copyOf(measured);
        this.notNegative =
                measured.stream()
                        .map(m ->
                                new Balance.Sum(
                                        m.name() + " is not negative",
                                        Map.of(m.name(), -1.0),
                                        0,
                                        true))
                        .collect(Collectors.toUnmodifiableSet());
        List<Balance> all = new ArrayList<>(balances);
        all.addAll(notNegative);
        this.balances = List.copyOf(all);
    }

    /// @param measurements with different names; a balance refers to these only
    /// @throws IllegalArgumentException if a balance refers to another name
    public static Reconciled of(List<Measurement> measurements, List<Balance> balances) {
        List<String> names = measurements.stream().map(Measurement::name).toList();
        if (names.stream().distinct().count() < names.size()) {
            throw new IllegalArgumentException("two measurements have one name: " + names);
        }
        for (Balance balance : balances) {
            balance.slopes(_ -> 1)
                    .keySet()
                    .forEach(name -> {
                        if (!names.contains(name)) {
                            throw new IllegalArgumentException(
                                    balance.name() + " refers to " + name + ", which is no figure");
                        }
                    });
        }
        return new Reconciliation(measurements, balances).reconciled();
    }

    /// @param active the balances that hold as equalities
    private record State(List<Measurement> measurements, List<Balance> active, Solution solution) {}

    private Reconciled reconciled() {
        State state = solved(measured);
        List<Reconciled.Fault> faults = new ArrayList<>();
        for (int i = 0; i < measured.size(); i++) {
            Optional<Suspect> worst = worst(state);
            if (worst.isEmpty()) {
                break;
            }
            faults.add(worst.get().fault());
            state = worst.get().without();
        }
        return result(state, faults);
    }

    /// @param adjustment of the measurement, in its standard errors
    private record Suspect(Reconciled.Fault fault, double adjustment, State without) {}

    /// The measurement to leave out; empty if none is above the limit, or none can be spared.
    private Optional<Suspect> worst(State state) {
        Solution s = state.solution();
        int n = measured.size();
        int[] tested = IntStream.range(0, n).filter(i -> s.adjustmentErrors()[i] > 0).toArray();
        if (tested.length == 0) {
            return Optional.empty();
        }
        double critical = critical(tested.length);
        List<Integer> above =
                IntStream.of(tested)
                        .filter(i -> statistic(s, i) > critical)
                        .boxed()
                        .sorted(Comparator.comparingDouble(i -> -statistic(s, i)))
                        .toList();
        double largest = above.isEmpty() ? 0 : statistic(s, above.getFirst());
        return above.stream()
                .filter(i -> statistic(s, i) >= SAME * largest)
                .map(i -> suspect(state, i, above, critical))
                .min(
                        Comparator.comparingDouble((Suspect c) -> step(criterion(c.without())))
                                .thenComparingDouble(c -> -c.adjustment()));
    }

    private Suspect suspect(State state, int i, List<Integer> above, double critical) {
        return new Suspect(
                fault(state, i, above, critical),
                Math.abs(state.solution().adjustments()[i])
                        / state.measurements().get(i).standardError(),
                solved(leftOut(state.measurements(), i)));
    }

    /// Sums that differ by rounding errors alone are put in order by something else.
    private static double step(double criterion) {
        return Math.rint(criterion * 1e6) / 1e6;
    }

    static double critical(int tests) {
        double each = 1 - Math.pow(1 - SIGNIFICANCE, 1.0 / tests);
        return new NormalDistribution().inverseCumulativeProbability(1 - each / 2);
    }

    private static double statistic(Solution s, int i) {
        return Math.abs(s.adjustments()[i]) / s.adjustmentErrors()[i];
    }

    private Reconciled.Fault fault(State state, int at, List<Integer> above, double critical) {
        Measurement m = state.measurements().get(at);
        double statistic = statistic(state.solution(), at);
        List<String> unclosed =
                state.active().stream()
                        .filter(b -> b.slopes(_ -> 1).containsKey(m.name()))
                        .filter(b -> !notNegative.contains(b))
                        .map(Balance::name)
                        .toList();
        List<String> alike =
                above.stream()
                        .filter(i -> i != at)
                        .filter(i -> statistic(state.solution(), i) >= SAME * statistic)
                        .map(i -> state.measurements().get(i).name())
                        .toList();
        return new Reconciled.Fault(m.name(), m.value(), unclosed, statistic, critical, alike);
    }

    private static List<Measurement> leftOut(List<Measurement> all, int at) {
        List<Measurement> others = new ArrayList<>(all);
        others.set(at, Measurement.unknown(all.get(at).name(), all.get(at).value()));
        return others;
    }

    private static double error(Solution s, int i) {
        return Math.sqrt(s.covariance().getEntry(i, i));
    }

    private State solved(List<Measurement> measurements) {
        List<Balance> active =
                new ArrayList<>(balances.stream().filter(b -> !b.isBound()).toList());
        Solution solution = Solution.of(measurements, active);
        for (int i = 0; i < 2 * balances.size() + 1; i++) {
            Optional<Balance> pulls = pulling(active, solution);
            Optional<Balance> breaks =
                    pulls.isPresent() ? Optional.empty() : broken(measurements, active, solution);
            if (pulls.isEmpty() && breaks.isEmpty()) {
                break;
            }
            pulls.ifPresent(active::remove);
            breaks.ifPresent(active::add);
            solution = Solution.of(measurements, active);
        }
        return new State(measurements, List.copyOf(active), solution);
    }

    /// A bound that holds figures up and not down: without it they would keep it, too.
    private static Optional<Balance> pulling(List<Balance> active, Solution solution) {
        return IntStream.range(0, active.size())
                .filter(i -> active.get(i).isBound() && solution.multipliers()[i] < 0)
                .boxed()
                .min(Comparator.comparingDouble(i -> solution.multipliers()[i]))
                .map(active::get);
    }

    /// The bound that is broken most, relative to the sizes of its figures.
    private Optional<Balance> broken(
            List<Measurement> measurements, List<Balance> active, Solution solution) {
        Map<String, Integer> column = new HashMap<>();
        for (int i = 0; i < measurements.size(); i++) {
            column.put(measurements.get(i).name(), i);
        }
        List<String> held = active.stream().map(Balance::name).toList();
        return balances.stream()
                .filter(b -> !held.contains(b.name()))
                .flatMap(b -> b instanceof Balance.Sum sum ? Stream.of(sum) : Stream.empty())
                .flatMap(b ->
                        b
                                .without(name ->
                                        !solution.determinable()[
                                                Objects.requireNonNull(column.get(name))])
                                .stream())
                .filter(b -> relativeExcess(b, column, solution) > ROUNDING)
                .max(Comparator.comparingDouble(b -> relativeExcess(b, column, solution)))
                .map(b -> (Balance) b);
    }

    private static double relativeExcess(
            Balance.Sum b, Map<String, Integer> column, Solution solution) {
        double size =
                b.factors().entrySet().stream()
                        .mapToDouble(e ->
                                Math.abs(
                                        e.getValue()
                                                * solution.values()[
                                                        Objects.requireNonNull(
                                                                column.get(e.getKey()))]))
                        .max()
                        .orElse(0);
        double excess =
                b.excess(name -> solution.values()[Objects.requireNonNull(column.get(name))]);
        return excess / Math.max(size, Double.MIN_NORMAL);
    }

    private Reconciled result(State state, List<Reconciled.Fault> faults) {
        Solution s = state.solution();
        Map<String, Reconciled.Figure> figures = new LinkedHashMap<>();
        for (int i = 0; i < measured.size(); i++) {
            Measurement m = measured.get(i);
            boolean leftOut = m.isKnown() && !state.measurements().get(i).isKnown();
            if (s.determinable()[i]) {
                figures.put(
                        m.name(),
                        new Reconciled.Figure(
                                m.isKnown() ? Optional.of(m.value()) : Optional.empty(),
                                s.values()[i],
                                error(s, i),
                                leftOut));
            }
        }
        return new Reconciled(figures, faults, criterion(state), s.redundancy());
    }

    private static double criterion(State state) {
        double sum = 0;
        for (int i = 0; i < state.measurements().size(); i++) {
            Measurement m = state.measurements().get(i);
            double errors = m.isKnown() ? state.solution().adjustments()[i] / m.standardError() : 0;
            sum += errors * errors;
        }
        return sum;
    }
}
