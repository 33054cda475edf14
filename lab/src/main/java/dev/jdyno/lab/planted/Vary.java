package dev.jdyno.lab.planted;

import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/// The parameters of a case, drawn by its seed: the same seed gives the same service. A lifted
/// parameter is so many times what was drawn, and the others are the same.
final class Vary {
    private final SplittableRandom random;
    private final Map<String, Double> lifts;
    private final Set<String> unused;
    private final StringBuilder drawn = new StringBuilder();

    Vary(String caseName, long seed) {
        this(caseName, seed, Map.of());
    }

    /// @param lifts factor by the name of a parameter
    Vary(String caseName, long seed, Map<String, Double> lifts) {
        this.random = new SplittableRandom(seed * 31 + caseName.hashCode());
        this.lifts = Map.copyOf(lifts);
        this.unused = new TreeSet<>(lifts.keySet());
    }

    /// A whole number from `least` to `most`, both possible, or that many times the factor of its
    /// lift, at least 1.
    int between(String name, int least, int most) {
        int number = random.nextInt(least, most + 1);
        unused.remove(name);
        int value =
                lifts.containsKey(name)
                        ? Math.max(1, Math.toIntExact(Math.round(number * lifts.get(name))))
                        : number;
        drawn.append(' ').append(name).append('=').append(value);
        return value;
    }

    /// Lifts of parameters that were not drawn so far.
    Set<String> unused() {
        return Set.copyOf(unused);
    }

    /// What was drawn so far, as ` name=value name=value`.
    String drawn() {
        return drawn.toString();
    }
}
