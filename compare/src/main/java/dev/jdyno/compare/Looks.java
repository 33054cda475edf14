package dev.jdyno.compare;

/// Divides the error probability of a comparison among its looks: the figures are judged after
/// every start, and each such judgement is a look. Without this, many looks would increase the
/// total error. The spending function is of Pocock's kind, `α ln(1 + (e − 1) t)` (Lan & DeMets,
/// Biometrika 1983). By Bonferroni, the errors of all looks add up to at most α. That is
/// conservative, because it ignores their correlation.
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
