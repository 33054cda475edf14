package dev.jdyno.measure;

/// The time one request occupies one unit of a resource (D_i), and how many units there are (P_i).
///
/// @param ms D_i; {@link #ci95} is its interval
/// @param units P_i; infinite for a delay (time waited, not occupied)
/// @param utilisationAtKnee X·D/P at the knee
public record Demand(
        String resource, double ms, Interval ci95, double units, double utilisationAtKnee) {
    public boolean isDelay() {
        return Double.isInfinite(units);
    }
}
