package dev.jdyno.diagnose.advice;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.StandardChange;
import dev.jdyno.measure.verdict.WhatIf;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/// The gain if a request needs less CPU. There is none if another resource limits.
final class LessCpu {
    /// Share of the CPU that the standard change removes.
    private static final double HALF = 0.5;

    /// Bottlenecks with a resource that one thread holds while others wait.
    private static final Set<Bottleneck> HELD = EnumSet.of(Bottleneck.LOCK, Bottleneck.LOGGING);

    /// Bottlenecks that are forms of CPU shortage.
    private static final Set<Bottleneck> BY_CPU =
            EnumSet.of(
                    Bottleneck.CPU,
                    Bottleneck.CPU_QUOTA,
                    Bottleneck.CPU_NEIGHBOUR,
                    Bottleneck.EVENT_LOOP,
                    Bottleneck.JIT,
                    Bottleneck.CLASS_LOADING,
                    Bottleneck.THREAD_CHURN,
                    Bottleneck.SAFEPOINT,
                    Bottleneck.GC_ALLOCATION,
                    Bottleneck.GC_PROMOTION,
                    Bottleneck.GC_LIVE_SET,
                    Bottleneck.GC_LEAK,
                    Bottleneck.GC_HUMONGOUS,
                    Bottleneck.GC_STALL);

    private LessCpu() {}

    /// @param share share of a request's CPU that is removed, 0…1
    /// @param what the removed part as a clause
    static Gain gain(Situation s, double share, String what) {
        Gain bound = Gain.without(share, what);
        if (HELD.contains(s.verdict().bottleneck())) {
            return Gain.unknown(
                    "it helps only where threads do this while they hold what other threads wait"
                            + " for");
        }
        Optional<WhatIf> half = Optional.ofNullable(s.whatIf().get(StandardChange.CPU));
        if (s.knee().isPresent() && half.isPresent()) {
            return noMoreThan(s, s.knee().get(), half.get(), share, bound);
        }
        if (BY_CPU.contains(s.verdict().bottleneck()) || s.evidence().cpuIsShort()) {
            return bound;
        }
        return Gain.unknown(
                s.evidence()
                        .cpuUtilisation()
                        .map(u ->
                                say(
                                        "CPU is at %.0f %% of the cores available to it: using"
                                                + " less CPU gives no more throughput while"
                                                + " something else is the limit",
                                        u * 100))
                        .orElse("the CPU use was not measured"));
    }

    /// Limits the gain by the model of this run. The gain of half the CPU is the limit for a
    /// smaller share. For a larger share it is extended by Amdahl's law: the removed part of the
    /// time grows in proportion to the share.
    private static Gain noMoreThan(Situation s, Knee knee, WhatIf half, double share, Gain bound) {
        double times = Math.max(1, share / HALF);
        double qps = stretched(Math.max(1, half.qpsRatio(knee, s.now().qps())), times);
        double rt = 1 - times * (1 - Math.clamp(half.rtRatio(knee, s.now().concurrency()), 0.5, 1));
        return new Gain(
                bound.qps().map(q -> Math.min(q, qps)),
                bound.rt().map(r -> Math.max(r, rt)),
                true,
                Double.isInfinite(qps)
                        ? bound.formula()
                        : bound.formula() + say("; by the model at most %.2f times as much", qps));
    }

    /// A speed-up of `factor` removes a share of the time. Returns the speed-up if `times` this
    /// share is removed.
    private static double stretched(double factor, double times) {
        double left = 1 - times * (1 - 1 / factor);
        return left <= 0 ? Double.POSITIVE_INFINITY : 1 / left;
    }
}
