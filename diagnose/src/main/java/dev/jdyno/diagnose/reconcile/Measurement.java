package dev.jdyno.diagnose.reconcile;

/// One figure of a reconciliation. All figures are 0 or more.
///
/// @param name name of the figure, by which balances refer to it; each measurement has a different
///   one
/// @param value the measured value; for a figure that was not measured, an initial guess
/// @param standardError standard error of `value`, in its unit; infinite if the figure was not
///   measured
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

    /// A figure that was not measured. The balances determine its value if they can.
    public static Measurement unknown(String name, double guess) {
        return new Measurement(name, guess, Double.POSITIVE_INFINITY);
    }

    /// True if the figure was measured.
    public boolean isKnown() {
        return Double.isFinite(standardError);
    }
}
