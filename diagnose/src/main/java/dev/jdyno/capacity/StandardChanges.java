package dev.jdyno.capacity;

import dev.jdyno.measure.statistics.CurvePoint;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.verdict.WhatIf;
import java.util.ArrayList;
import java.util.List;

/// The changes that every run predicts unasked: to what limits first, then to CPU, the waits and
/// the cores.
final class StandardChanges {
    /// Ratio of concurrencies between two points of a curve.
    private static final double CURVE_STEP = 1.07;

    private StandardChanges() {}

    /// @param most concurrency up to which curves are drawn
    static List<WhatIf> on(ServiceModel model, OtherDemands others, int most) {
        List<WhatIf> found = new ArrayList<>();
        switch (others.limit()) {
            case Limit.Lock(String name) ->
                    found.add(
                            tried(
                                    model,
                                    most,
                                    ResourceName.of(name).kind() + " × 0.5",
                                    new WhatIfChange.Scale(name, 0.5)));
            case Limit.Pool(String name, Cause _) -> {
                boolean tasks = HeldTimes.isTasks(name);
                Cause pool = tasks ? Cause.FUTURE : Cause.POOL;
                String says = tasks ? CapacityAnalysis.INNER_POOL : "pool × 2";
                double places =
                        model.path().resources().stream()
                                .filter(r -> ResourceName.of(r.name()).is(pool))
                                .mapToDouble(Resource::units)
                                .sum();
                found.add(tried(model, most, says, new WhatIfChange.Units(pool.key(), 2 * places)));
            }
            case Limit.Places _ ->
                    model.places()
                            .ifPresent(p ->
                                    found.add(
                                            tried(
                                                    model,
                                                    most,
                                                    "threads × 2",
                                                    new WhatIfChange.Threads(2 * p))));
            case Limit.Cpu _, Limit.Remote _, Limit.Unknown _ -> {}
        }
        found.add(tried(model, most, "cpu × 0.5", new WhatIfChange.Scale(ServiceModel.CPU, 0.5)));
        String downstream = Cause.DOWNSTREAM.key();
        String rest = Demands.REST;
        if (others.waits().containsKey(Cause.DOWNSTREAM) && !isHidden(others)) {
            found.add(
                    tried(
                            model,
                            most,
                            "downstream × 0.5",
                            new WhatIfChange.Scale(downstream, 0.5)));
        } else if (others.limit() instanceof Limit.Cpu && model.names().contains(rest)) {
            // without a breakdown it is not known that the wait is for the downstream
            found.add(tried(model, most, "waits × 0.5", new WhatIfChange.Scale(rest, 0.5)));
        }
        double cores = model.measured().orElseThrow().cores();
        found.add(tried(model, most, "cores × 2", new WhatIfChange.Units("cores", 2 * cores)));
        return found;
    }

    /// Whether nobody can tell what a shorter call would give, for what limits was not found.
    static boolean isHidden(OtherDemands others) {
        return others.limit() instanceof Limit.Unknown
                && others.waits().containsKey(Cause.DOWNSTREAM);
    }

    private static WhatIf tried(ServiceModel model, int most, String says, WhatIfChange change) {
        var problems = new Problems();
        ServiceModel changed = model.with(List.of(change), problems);
        if (!problems.isEmpty()) {
            throw new IllegalStateException(problems.list().toString());
        }
        return changed.predict().asWhatIf(says, curve(changed, most));
    }

    /// The model's curve from 1 to `most` requests in flight, dense where it bends.
    static List<CurvePoint> curve(ServiceModel model, int most) {
        List<Bounds.LoadPoint> all = model.curve(most);
        List<CurvePoint> some = new ArrayList<>();
        double next = 1;
        for (Bounds.LoadPoint p : all) {
            if (p.n() >= next || p.n() == most) {
                some.add(new CurvePoint(p.n(), p.qps(), p.rtMs()));
                next = Math.max(p.n() + 1, p.n() * CURVE_STEP);
            }
        }
        return some;
    }
}
