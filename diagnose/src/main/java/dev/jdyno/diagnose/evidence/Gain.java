package dev.jdyno.diagnose.evidence;

import static dev.jdyno.diagnose.evidence.Lines.say;

import java.util.Optional;

/// What a recommendation should give, as ratios after ÷ before.
///
/// @param qps of the best throughput; empty where no formula predicts it
/// @param rt of the response time at the same load
/// @param atMost whether these are bounds
/// @param formula where they come from, or why there are none
public record Gain(Optional<Double> qps, Optional<Double> rt, boolean atMost, String formula) {
    public static Gain of(double qps, double rt, boolean atMost, String formula) {
        return new Gain(Optional.of(qps), Optional.of(rt), atMost, formula);
    }

    /// @param why there is no figure
    public static Gain unknown(String why) {
        return new Gain(Optional.empty(), Optional.empty(), false, why);
    }

    /// The same as no bound.
    ///
    /// @param why it may be more
    public Gain notBounded(String why) {
        return new Gain(qps, rt, false, formula + "; " + why);
    }

    /// A stop of the whole service, or a part of the CPU time, of which this share goes away: at
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
