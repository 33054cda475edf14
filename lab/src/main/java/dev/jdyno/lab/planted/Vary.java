package dev.jdyno.lab.planted;

import java.util.SplittableRandom;

/// The parameters of a case, drawn by its seed: the same seed gives the same service.
final class Vary {
    private final SplittableRandom random;
    private final StringBuilder drawn = new StringBuilder();

    Vary(String caseName, long seed) {
        this.random = new SplittableRandom(seed * 31 + caseName.hashCode());
    }

    /// A whole number from `least` to `most`, both possible.
    int between(String name, int least, int most) {
        int value = random.nextInt(least, most + 1);
        drawn.append(' ').append(name).append('=').append(value);
        return value;
    }

    /// What was drawn so far, as ` name=value name=value`.
    String drawn() {
        return drawn.toString();
    }
}
