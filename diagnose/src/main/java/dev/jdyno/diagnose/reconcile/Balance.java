package dev.jdyno.diagnose.reconcile;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/// A law that figures must satisfy: `excess` is 0, or at most 0 if the law is a bound.
public sealed interface Balance {
    /// The law's name, for a message.
    String name();

    /// True if the law is a bound, so that the excess may be below 0.
    boolean isBound();

    /// Left side of the law minus its right side.
    ///
    /// @param figures value by name
    double excess(ToDoubleFunction<String> figures);

    /// Derivative of the excess by each figure that occurs in the law.
    Map<String, Double> slopes(ToDoubleFunction<String> figures);

    /// A linear law: `∑ factor · figure − constant`.
    record Sum(String name, Map<String, Double> factors, double constant, boolean isBound)
            implements Balance {
        public Sum {
            // in the given order, so that every JVM adds in the same order and documents agree to
            // the last digit
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

        /// The part of a bound that remains if some figures are free, which means any value from 0
        /// on. A free figure with a positive factor is at least 0, so it is left out. Empty if a
        /// free figure has a negative factor, because such a bound cannot be violated. Also empty
        /// if the law is not a bound.
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

    /// A law for a rate, `whole − factor · one · other`: the rate is a count per request ×
    /// throughput.
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

    /// The law that the parts add up to the whole.
    static Balance parts(String name, String whole, List<String> parts) {
        return new Sum(name, differences(whole, parts), 0, false);
    }

    /// The law that the parts add up to at most the whole.
    static Balance within(String name, String whole, List<String> parts) {
        return new Sum(name, differences(whole, parts), 0, true);
    }

    /// The law that a figure is at most a value that is known exactly.
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
