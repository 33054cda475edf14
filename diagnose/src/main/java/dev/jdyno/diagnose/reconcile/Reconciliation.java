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

/// Reconciles redundant measurements. Among all figures that satisfy the balances, the result has
/// the smallest sum of squared adjustments, each in standard errors.
///
/// 1. A violated bound is treated as an equality. It is released again if the figures would satisfy
///    the bound without it (active set). So a bound that is satisfied adjusts nothing. "No figure
///    is negative" is a bound, too.
/// 2. The measurement test (Mah and Tamhane 1982) looks for gross errors: an adjustment ÷ its own
///    standard error has a normal distribution. The limit is for all n measurements together: each
///    has the significance 1 − 0.95^(1/n) (Šidák).
/// 3. The measurement with the largest statistic is left out, and all figures are computed again,
///    until no statistic is above the limit (Serth and Heenan 1986). Measurements that occur in
///    only one balance have the same statistic. Among these, the one is left out without which the
///    others fit best. If that is equal, it is the one with the largest share of the balance's
///    error. The other candidates are named in the result.
public final class Reconciliation {
    /// Probability of leaving out at least one measurement of a set without gross errors.
    private static final double SIGNIFICANCE = 0.05;

    /// Minimum ratio of two statistics at which they count as equal.
    private static final double SAME = 1 - 1e-6;

    /// Maximum excess, as a share of the largest figure of its bound, that counts as a rounding
    /// error.
    private static final double ROUNDING = 1e-6;

    private final List<Measurement> measured;
    private final List<Balance> balances;

    /// The balances that only say that a figure is not negative.
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

    /// @param measurements measurements with different names; balances may only refer to these
    ///   names
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

    /// @param active the balances that are treated as equalities
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

    /// @param adjustment adjustment of the measurement, in its standard errors
    private record Suspect(Reconciled.Fault fault, double adjustment, State without) {}

    /// The measurement to leave out. Empty if no statistic is above the limit, or if no measurement
    /// can be left out.
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

    /// Rounds a sum, so that sums with different rounding errors count as equal and a second
    /// criterion decides.
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

    /// The active bound to release: its figures would satisfy it without being treated as an
    /// equality.
    private static Optional<Balance> pulling(List<Balance> active, Solution solution) {
        return IntStream.range(0, active.size())
                .filter(i -> active.get(i).isBound() && solution.multipliers()[i] < 0)
                .boxed()
                .min(Comparator.comparingDouble(i -> solution.multipliers()[i]))
                .map(active::get);
    }

    /// The bound that is violated most, relative to the sizes of its figures.
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
