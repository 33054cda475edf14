package dev.jdyno.report.json;

import dev.jdyno.capacity.Bounds;
import dev.jdyno.capacity.MachinePlan;
import dev.jdyno.capacity.Prediction;
import dev.jdyno.capacity.WhatIfAnswer;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.verdict.Demand;
import java.util.List;
import java.util.Optional;

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
        Optional<WhatIfAnswer.Seen> measured,
        List<WhatIfAnswer.Row> changes,
        Optional<MachinePlan> plan) {
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
                a.given().seen(),
                a.rows(),
                a.plan());
    }

    /// What a request takes of one resource.
    record TimeOf(String resource, double ms, Optional<Interval> ci95, int rounds, double units) {
        private static TimeOf of(Demand d) {
            return new TimeOf(d.resource(), d.ms(), d.ci95(), d.rounds(), d.units());
        }
    }




}
