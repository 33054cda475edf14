package dev.jdyno.lab.planted;

import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/// The parameters of a case, drawn by its seed: the same seed gives the same service. A lift
/// multiplies one drawn parameter and leaves the others unchanged.
final class Vary {
    private final SplittableRandom random;
    private final Map<String, Double> lifts;
    private final Set<String> unused;
    private final StringBuilder drawn = new StringBuilder();

    Vary(String caseName, long seed) {
        this(caseName, seed, Map.of());
    }

    /// @param lifts for each parameter to multiply, its name and the factor
    Vary(String caseName, long seed, Map<String, Double> lifts) {
        this.random = new SplittableRandom(seed * 31 + caseName.hashCode());
        this.lifts = Map.copyOf(lifts);
        this.unused = new TreeSet<>(lifts.keySet());
    }

    /// Draws a whole number from `min` to `max`, inclusive, and multiplies it by its lift, if any;
    /// a lifted number is at least 1.
    int between(String name, int min, int max) {
        int number = random.nextInt(min, max + 1);
        unused.remove(name);
        int value =
                lifts.containsKey(name)
                        ? Math.max(1, Math.toIntExact(Math.round(number * lifts.get(name))))
                        : number;
        drawn.append(' ').append(name).append('=').append(value);
        return value;
    }

    /// Lifts of parameters that have not been drawn.
    Set<String> unused() {
        return Set.copyOf(unused);
    }

    /// The parameters drawn so far, as ` name=value name=value`.
    String drawn() {
        return drawn.toString();
    }
}
