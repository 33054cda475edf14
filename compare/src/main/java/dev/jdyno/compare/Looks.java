package dev.jdyno.compare;

/// The error probability that each look at the figures may spend, so that a look after every start
/// does not inflate the total error. The spending function is of Pocock's kind, `α ln(1 + (e − 1)
/// t)` (Lan & DeMets, Biometrika 1983). By Bonferroni, the looks add up to at most α; this ignores
/// their correlation and is therefore conservative.
///
/// @param alpha error probability of the whole comparison
/// @param most number of looks that the budget allows
public record Looks(double alpha, int most) {
    public Looks {
        if (most < 1) {
            throw new IllegalArgumentException("no look: " + most);
        }
    }

    /// Returns the error probability that may be spent up to and including this look.
    ///
    /// @param look number of the look, from 1; the last look and any later one may spend all of α
    public double spent(int look) {
        return alpha * Math.log1p((Math.E - 1) * Math.min(1.0, (double) look / most));
    }
}
