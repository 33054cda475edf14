package dev.jdyno.capacity;

import static dev.jdyno.capacity.RequestPath.number;

import dev.jdyno.measure.Cause;
import dev.jdyno.measure.WhatIf;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// What F1 and F2 say of three changes, starting from the measured knee.
///
/// Throughput is the measured plateau scaled by the ratio of the bounds, so that what the bounds do
/// not know (the share of the cores that a real service reaches) cancels out. Response time at the
/// knee is the time without queueing plus the measured queueing at the knee, which is taken as
/// proportional to the bottleneck's D / P.
///
/// @param maxQps the measured plateau
/// @param minRtMs response time below the knee
/// @param kneeRtMs response time measured at the knee
/// @param cpuMs CPU per request on the plateau
record Changes(
        double maxQps,
        double minRtMs,
        double kneeRtMs,
        double cpuMs,
        CpuSupply supply,
        OtherDemands others) {

    List<WhatIf> all() {
        List<WhatIf> found = new ArrayList<>();
        found.add(change("cpu × 0.5", cpuMs / 2, 1, 0, 1));
        downstream().ifPresent(found::add);
        found.add(change("cores × 2", cpuMs, 2, 0, 1));
        return found;
    }

    /// What is waited for elsewhere; without an anatomy nobody can say that it is the downstream.
    private Optional<WhatIf> downstream() {
        double remote = others.waits().getOrDefault(Cause.DOWNSTREAM, 0.0);
        if (remote > 0) {
            return Optional.of(change("downstream × 0.5", cpuMs, 1, remote / 2, 0.5));
        }
        double waits = minRtMs - cpuMs;
        return others.limit() instanceof Limit.Cpu && waits > 0
                ? Optional.of(change("waits × 0.5", cpuMs, 1, waits / 2, 0.5))
                : Optional.empty();
    }

    private WhatIf change(
            String says, double newCpuMs, double cores, double savedMs, double remoteFactor) {
        CpuSupply newSupply = supply.times(cores);
        double newMinRt = Math.max(newCpuMs, minRtMs - (cpuMs - newCpuMs) - savedMs);
        double cpuBefore = supply.maxQps(cpuMs);
        double cpuAfter = newSupply.maxQps(newCpuMs);
        return switch (others.limit()) {
            case Limit.Cpu _ -> {
                double qps = maxQps * cpuAfter / cpuBefore;
                yield whatIf(
                        says,
                        qps,
                        newMinRt,
                        cpuBefore / cpuAfter,
                        "F2: X_max ∝ cores / CPU ms: %s · %s / %s = %s/s, until the next limit"
                                .formatted(
                                        number(maxQps),
                                        number(cpuAfter),
                                        number(cpuBefore),
                                        number(qps)));
            }
            case Limit.Lock(String name) ->
                    held(says, maxQps, 1, newMinRt, cpuAfter, name + " lets one through at a time");
            case Limit.Remote(String name) ->
                    held(
                            says,
                            maxQps / remoteFactor,
                            remoteFactor,
                            newMinRt,
                            cpuAfter,
                            name + " takes only so many at once");
            case Limit.Places(String name) ->
                    held(
                            says,
                            maxQps * minRtMs / newMinRt,
                            newMinRt / minRtMs,
                            newMinRt,
                            cpuAfter,
                            "so many " + name + ", each busy for the whole request");
            case Limit.Unknown _ ->
                    held(
                            says,
                            maxQps,
                            1,
                            newMinRt,
                            cpuAfter,
                            "what limits is not CPU and not known; taken as unchanged");
        };
    }

    /// A limit other than CPU: it gives `qps` unless CPU is used up before.
    private WhatIf held(
            String says,
            double qps,
            double queueing,
            double newMinRt,
            double cpuAfter,
            String why) {
        double reached = Math.min(qps, cpuAfter);
        String cap = cpuAfter < qps ? "; then CPU at " + number(cpuAfter) + "/s" : "";
        return whatIf(
                says,
                reached,
                newMinRt,
                queueing,
                "F2: X_max = " + number(qps) + "/s: " + why + cap);
    }

    private WhatIf whatIf(
            String says, double qps, double newMinRt, double queueing, String formula) {
        double rt = newMinRt + Math.max(0, kneeRtMs - minRtMs) * queueing;
        double knee = qps * newMinRt / 1000;
        return new WhatIf(
                says,
                qps,
                rt,
                knee,
                String.format(
                        Locale.ROOT,
                        "%s; F1: N* = X_max · T = %s/s · %s ms = %s",
                        formula,
                        number(qps),
                        number(newMinRt),
                        number(knee)));
    }
}
