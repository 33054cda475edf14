package dev.jdyno.compare;

/// The error that each look at the figures may spend, so that looking after every start does not
/// inflate the whole: the spending function of Pocock's kind, `α ln(1 + (e − 1) t)` (Lan & DeMets,
/// Biometrika 1983). Looks add up to at most α by Bonferroni, which ignores that they are
/// correlated and is on the safe side.
///
/// @param alpha of the whole comparison
/// @param most looks that the budget allows
public record Looks(double alpha, int most) {
    public Looks {
        if (most < 1) {
            throw new IllegalArgumentException("no look: " + most);
        }
    }

    /// What may have been spent once this look is made.
    ///
    /// @param look its number, from 1; the last one and those after it may spend all
    public double spent(int look) {
        return alpha * Math.log1p((Math.E - 1) * Math.min(1.0, (double) look / most));
    }
}
