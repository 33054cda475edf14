package dev.jdyno.capacity;

import dev.jdyno.measure.statistics.CurvePoint;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.verdict.StandardChange;
import dev.jdyno.measure.verdict.WhatIf;
import dev.jdyno.measure.verdict.WhatIfChange;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// The model's predictions for the changes that every run includes.
final class StandardChanges {
    /// Ratio of the concurrencies of two adjacent points of a curve.
    private static final double CURVE_STEP = 1.07;

    private StandardChanges() {}

    /// @param max maximum concurrency of the curves
    /// @param ofLogging share of a request's CPU that makes and writes log lines, 0…1
    static Map<StandardChange, WhatIf> on(
            ServiceModel model, OtherDemands others, int max, double ofLogging) {
        Map<StandardChange, WhatIfChange> changes = new EnumMap<>(StandardChange.class);
        switch (others.limit()) {
            case Limit.Lock(String name, Cause cause) ->
                    StandardChange.half(cause)
                            .ifPresent(c -> changes.put(c, new WhatIfChange.Scale(name, 0.5)));
            case Limit.Pool(String name, Cause _) -> {
                boolean tasks = HeldTimes.isTasks(name);
                Cause pool = tasks ? Cause.FUTURE : Cause.POOL;
                double places =
                        model.path().resources().stream()
                                .filter(r -> ResourceName.of(r.name()).is(pool))
                                .mapToDouble(Resource::units)
                                .sum();
                changes.put(
                        tasks ? StandardChange.INNER_POOL : StandardChange.POOL,
                        new WhatIfChange.Units(pool.key(), 2 * places));
            }
            case Limit.Places _ ->
                    model.places()
                            .ifPresent(p ->
                                    changes.put(
                                            StandardChange.THREADS,
                                            new WhatIfChange.Threads(2 * p)));
            case Limit.Cpu _, Limit.Remote _, Limit.Unknown _ -> {}
        }
        changes.put(StandardChange.CPU, new WhatIfChange.Scale(ServiceModel.CPU, 0.5));
        String rest = Demands.REST;
        if (others.waits().containsKey(Cause.DOWNSTREAM) && !isHidden(others)) {
            changes.put(
                    StandardChange.DOWNSTREAM, new WhatIfChange.Scale(Cause.DOWNSTREAM.key(), 0.5));
        } else if (others.limit() instanceof Limit.Cpu && model.names().contains(rest)) {
            // without a breakdown, it is unknown whether the wait is for the downstream
            changes.put(StandardChange.WAITS, new WhatIfChange.Scale(rest, 0.5));
        }
        double cores = model.measured().orElseThrow().cores();
        changes.put(StandardChange.CORES, new WhatIfChange.Units("cores", 2 * cores));
        Map<StandardChange, WhatIf> found = new EnumMap<>(StandardChange.class);
        changes.forEach((is, change) ->
                found.put(is, tried(model, max, is, with(model, is, change, ofLogging))));
        return found;
    }

    /// Returns the terms of a change. Half of the log lines also save half of their CPU. The CPU
    /// time used while the log's lock is held shrinks with the hold time. So only the CPU time
    /// outside of the lock is subtracted here.
    private static List<WhatIfChange> with(
            ServiceModel model, StandardChange is, WhatIfChange change, double ofLogging) {
        if (is != StandardChange.LOGGING || ofLogging <= 0) {
            return List.of(change);
        }
        double cpu =
                model.path().resources().stream()
                        .filter(r -> r.name().equals(ServiceModel.CPU))
                        .mapToDouble(r -> r.ms() - model.othersCpuMs())
                        .sum();
        double held =
                model.path().held().stream()
                        .filter(h -> h.part().equals(ServiceModel.CPU))
                        .mapToDouble(RequestPath.Held::ms)
                        .sum();
        double rest = ofLogging * cpu - held;
        return rest > 0 && cpu > held
                ? List.of(
                        change,
                        new WhatIfChange.Scale(ServiceModel.CPU, 1 - rest / 2 / (cpu - held / 2)))
                : List.of(change);
    }

    /// True if the gain of a shorter call is unknown, because the limit was not found.
    static boolean isHidden(OtherDemands others) {
        return others.limit() instanceof Limit.Unknown
                && others.waits().containsKey(Cause.DOWNSTREAM);
    }

    private static WhatIf tried(
            ServiceModel model, int max, StandardChange is, List<WhatIfChange> change) {
        var problems = new Problems();
        ServiceModel changed = model.with(change, problems);
        if (!problems.isEmpty()) {
            throw new IllegalStateException(problems.list().toString());
        }
        return changed.predict().asWhatIf(is, curve(changed, max));
    }

    /// Returns the model's curve from 1 to `max` requests in flight, with more points where it
    /// bends.
    static List<CurvePoint> curve(ServiceModel model, int max) {
        List<Bounds.LoadPoint> all = model.curve(max);
        List<CurvePoint> some = new ArrayList<>();
        double next = 1;
        for (Bounds.LoadPoint p : all) {
            if (p.n() >= next || p.n() == max) {
                some.add(new CurvePoint(p.n(), p.qps(), p.rtMs()));
                next = Math.max(p.n() + 1, p.n() * CURVE_STEP);
            }
        }
        return some;
    }
}
