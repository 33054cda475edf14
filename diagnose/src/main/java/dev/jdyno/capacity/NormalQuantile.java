package dev.jdyno.capacity;

/// The inverse of the standard normal distribution function.
final class NormalQuantile {
    private NormalQuantile() {}

    /// Rational approximation 26.2.23 of Abramowitz & Stegun; absolute error < 4.5e-4.
    ///
    /// @param p between 0 and 1, exclusive
    static double of(double p) {
        if (!(p > 0 && p < 1)) {
            throw new IllegalArgumentException("probability " + p + " is not in 0…1");
        }
        double tail = Math.min(p, 1 - p);
        double t = Math.sqrt(-2 * Math.log(tail));
        double z =
                t
                        - (2.515517 + t * (0.802853 + t * 0.010328))
                                / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
        return p < 0.5 ? -z : z;
    }
}
