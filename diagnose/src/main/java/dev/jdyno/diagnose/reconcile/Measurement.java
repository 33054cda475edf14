package dev.jdyno.diagnose.reconcile;

/// One figure of a reconciliation. All figures are 0 or more.
///
/// @param name unique among the measurements, as balances refer to it
/// @param value as it was measured; of an unknown figure, a guess to start from
/// @param standardError of `value`, in its unit; infinite if the figure was not measured
public record Measurement(String name, double value, double standardError) {
    public Measurement {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException(name + " is " + value);
        }
        if (!(standardError > 0)) {
            throw new IllegalArgumentException(
                    "the standard error of " + name + " is " + standardError + ", not above 0");
        }
    }

    /// A figure that was not measured: the balances give it, if they can.
    public static Measurement unknown(String name, double guess) {
        return new Measurement(name, guess, Double.POSITIVE_INFINITY);
    }

    /// Whether it was measured.
    public boolean isKnown() {
        return Double.isFinite(standardError);
    }
}
