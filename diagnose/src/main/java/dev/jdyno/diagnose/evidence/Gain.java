package dev.jdyno.diagnose.evidence;

import static dev.jdyno.diagnose.evidence.Lines.say;

import java.util.Optional;

/// The expected effect of a recommendation, as ratios after ÷ before.
///
/// @param qps ratio of the best throughput; empty if no formula predicts it
/// @param rt ratio of the response time at the same load
/// @param atMost true if the ratios are bounds
/// @param formula the source of the ratios, or why there are none
public record Gain(Optional<Double> qps, Optional<Double> rt, boolean atMost, String formula) {
    public static Gain of(double qps, double rt, boolean atMost, String formula) {
        return new Gain(Optional.of(qps), Optional.of(rt), atMost, formula);
    }

    /// @param why there is no figure
    public static Gain unknown(String why) {
        return new Gain(Optional.empty(), Optional.empty(), false, why);
    }

    /// Returns the same gain, not as a bound.
    ///
    /// @param why it may be more
    public Gain notBounded(String why) {
        return new Gain(qps, rt, false, formula + "; " + why);
    }

    /// The gain if this share of a stop of the whole service, or of the CPU time, goes away: at
    /// most 1 / (1 - share) (Amdahl).
    ///
    /// @param share 0…1
    public static Gain without(double share, String what) {
        double gone = Math.clamp(share, 0.0, 0.95);
        double qps = 1 / (1 - gone);
        return of(
                qps,
                1 / qps,
                true,
                say("1 / (1 - %.2f): %s, and nothing else gets in the way", gone, what));
    }
}
