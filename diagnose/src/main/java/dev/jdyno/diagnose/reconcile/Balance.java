package dev.jdyno.diagnose.reconcile;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/// A law that binds figures: `excess` is 0, or at most 0 for a bound.
public sealed interface Balance {
    /// What it says, for a message.
    String name();

    /// True if the excess may be below 0.
    boolean isBound();

    /// By how much the left side is above the right side.
    ///
    /// @param figures value by name
    double excess(ToDoubleFunction<String> figures);

    /// Derivative of the excess by each figure that takes part.
    Map<String, Double> slopes(ToDoubleFunction<String> figures);

    /// `∑ factor · figure − constant`.
    record Sum(String name, Map<String, Double> factors, double constant, boolean isBound)
            implements Balance {
        public Sum {
            // in the order given, so that each JVM adds alike and documents agree to the last digit
            factors = Collections.unmodifiableMap(new LinkedHashMap<>(factors));
        }

        @Override
        public double excess(ToDoubleFunction<String> figures) {
            return factors.entrySet().stream()
                            .mapToDouble(e -> e.getValue() * figures.applyAsDouble(e.getKey()))
                            .sum()
                    - constant;
        }

        @Override
        public Map<String, Double> slopes(ToDoubleFunction<String> figures) {
            return factors;
        }

        /// What a bound still says where some figures can be anything from 0: those that add to the
        /// left side are 0 at least. Empty if a free figure takes from it, because such a bound
        /// says nothing, and of a balance that is no bound.
        Optional<Sum> without(Predicate<String> free) {
            if (!isBound
                    || factors.entrySet().stream()
                            .anyMatch(e -> free.test(e.getKey()) && e.getValue() < 0)) {
                return Optional.empty();
            }
            Map<String, Double> left = new LinkedHashMap<>(factors);
            left.keySet().removeIf(free);
            return Optional.of(new Sum(name, left, constant, true));
        }
    }

    /// `whole − factor · one · other`: a rate is a count per request times throughput.
    record Product(String name, String whole, double factor, String one, String other)
            implements Balance {
        @Override
        public boolean isBound() {
            return false;
        }

        @Override
        public double excess(ToDoubleFunction<String> figures) {
            return figures.applyAsDouble(whole)
                    - factor * figures.applyAsDouble(one) * figures.applyAsDouble(other);
        }

        @Override
        public Map<String, Double> slopes(ToDoubleFunction<String> figures) {
            return Map.of(
                    whole,
                    1.0,
                    one,
                    -factor * figures.applyAsDouble(other),
                    other,
                    -factor * figures.applyAsDouble(one));
        }
    }

    /// The parts add up to the whole.
    static Balance parts(String name, String whole, List<String> parts) {
        return new Sum(name, differences(whole, parts), 0, false);
    }

    /// The parts add up to no more than the whole.
    static Balance within(String name, String whole, List<String> parts) {
        return new Sum(name, differences(whole, parts), 0, true);
    }

    /// A figure is at most a value that is known exactly.
    static Balance atMost(String name, String figure, double value) {
        return new Sum(name, Map.of(figure, 1.0), value, true);
    }

    private static Map<String, Double> differences(String whole, List<String> parts) {
        Map<String, Double> factors = new LinkedHashMap<>();
        parts.forEach(p -> factors.put(p, 1.0));
        factors.merge(whole, -1.0, Double::sum);
        return factors;
    }
}
