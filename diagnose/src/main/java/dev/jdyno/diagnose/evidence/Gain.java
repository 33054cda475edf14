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

    /// @param why the reason why there is no figure
    public static Gain unknown(String why) {
        return new Gain(Optional.empty(), Optional.empty(), false, why);
    }

    /// Returns the same gain, not as a bound.
    ///
    /// @param why the reason why the gain may be larger
    public Gain notBounded(String why) {
        return new Gain(qps, rt, false, formula + "; " + why);
    }

    /// The gain if this share of the CPU time, or of the time in stops of the whole service, is
    /// removed. By Amdahl's law it is at most 1 / (1 - share).
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
