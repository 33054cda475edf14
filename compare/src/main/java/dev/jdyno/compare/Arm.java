package dev.jdyno.compare;

import dev.jdyno.measure.Round;

/// One of the two variants of a comparison.
public enum Arm {
    A,
    B;

    /// `a` or `b`, as in names of folders and options.
    public String key() {
        return this == A ? "a" : "b";
    }

    Arm other() {
        return this == A ? B : A;
    }

    /// Returns the block of this variant in a pair.
    Round of(Pair pair) {
        return this == A ? pair.a() : pair.b();
    }
}
