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

    /// What may be spent at a look.
    ///
    /// @param before looks were made
    /// @param now share of the budget that is used, as the number of the look; at least `before`
    public double spend(int before, int now) {
        return spent(now) - spent(before);
    }

    private double spent(int look) {
        return alpha * Math.log1p((Math.E - 1) * Math.min(1.0, (double) look / most));
    }
}
