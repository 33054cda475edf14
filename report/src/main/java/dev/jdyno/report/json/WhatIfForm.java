package dev.jdyno.report.json;

import dev.jdyno.capacity.Bounds;
import dev.jdyno.capacity.MachinePlan;
import dev.jdyno.capacity.OpenQueue;
import dev.jdyno.capacity.Prediction;
import dev.jdyno.capacity.WhatIfAnswer;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.verdict.Demand;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// `jdyno/whatif/1`: its components are the keys of the contract, in their order.
public record WhatIfForm(
        String schema,
        double kneeConcurrency,
        double maxQps,
        String bottleneck,
        double rtMs,
        double rtAtKneeMs,
        Optional<Bounds.LoadPoint> atConcurrency,
        Optional<Bounds.LoadPoint> atConcurrencyExact,
        String formula,
        List<Bounds.Alone> limits,
        List<TimeOf> demands,
        Optional<Measured> measured,
        List<Changed> changes,
        Optional<Plan> plan) {
    public static WhatIfForm of(WhatIfAnswer a) {
        Prediction base = a.model().predict();
        return new WhatIfForm(
                "jdyno/whatif/1",
                base.kneeConcurrency(),
                base.qps(),
                base.bottleneck(),
                base.minRtMs(),
                base.rtMs(),
                a.at(),
                a.at().flatMap(a::exact),
                base.formula(),
                a.alone(),
                a.given().demands().stream().map(TimeOf::of).toList(),
                a.given().seen().map(Measured::of),
                a.rows().stream().map(Changed::of).toList(),
                a.plan().map(Plan::of));
    }

    /// What a request takes of one resource.
    record TimeOf(String resource, double ms, Optional<Interval> ci95, int rounds, double units) {
        private static TimeOf of(Demand d) {
            return new TimeOf(d.resource(), d.ms(), d.ci95(), d.rounds(), d.units());
        }
    }

    /// What the user had measured.
    record Measured(
            double qps, Optional<Double> rtMs, Optional<Double> inFlight, double utilisation) {
        private static Measured of(WhatIfAnswer.Seen seen) {
            return new Measured(
                    seen.plateau().qps(),
                    boxed(seen.plateau().rtMs()),
                    boxed(seen.plateau().inFlight()),
                    seen.utilisation());
        }

        private static Optional<Double> boxed(OptionalDouble v) {
            return v.isPresent() ? Optional.of(v.getAsDouble()) : Optional.empty();
        }
    }

    /// One change and what it gives.
    record Changed(
            String change,
            double qps,
            double rtMs,
            Optional<Double> rtP99Ms,
            double kneeConcurrency,
            String bottleneck,
            Optional<String> extrapolation,
            String formula) {
        private static Changed of(WhatIfAnswer.Row row) {
            Prediction p = row.prediction();
            return new Changed(
                    row.change(),
                    p.qps(),
                    p.rtMs(),
                    p.rtP99Ms(),
                    p.kneeConcurrency(),
                    p.bottleneck(),
                    p.extrapolation(),
                    p.formula());
        }
    }

    /// How many machines a rate takes.
    record Plan(double ratePerS, double maxQpsPerMachine, List<Machines> rows) {
        private static Plan of(MachinePlan plan) {
            return new Plan(
                    plan.ratePerS(),
                    plan.maxQpsPerMachine(),
                    plan.rows().stream().map(Machines::of).toList());
        }
    }

    record Machines(
            double headroomPct, int machines, Optional<Double> rtMs, Optional<Double> rtP99Ms) {
        private static Machines of(MachinePlan.Row r) {
            return new Machines(
                    r.headroomPct(),
                    r.machines(),
                    r.open().map(OpenQueue.OpenPoint::meanMs),
                    r.open().map(OpenQueue.OpenPoint::p99Ms));
        }
    }
}
