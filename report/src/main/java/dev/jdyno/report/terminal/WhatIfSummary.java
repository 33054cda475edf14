package dev.jdyno.report.terminal;

import dev.jdyno.capacity.Bounds;
import dev.jdyno.capacity.MachinePlan;
import dev.jdyno.capacity.Plateau;
import dev.jdyno.capacity.Prediction;
import dev.jdyno.capacity.Resource;
import dev.jdyno.capacity.WhatIfAnswer;
import dev.jdyno.measure.verdict.Demand;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The output of `jdyno whatif`.
public record WhatIfSummary(WhatIfAnswer answer) {
    public String text() {
        Prediction base = answer.model().predict();
        List<String> lines = new ArrayList<>();
        lines.add("knee        " + figure(base.kneeConcurrency()) + " requests in flight");
        lines.add("max QPS     " + figure(base.qps()) + "/s, limited by " + base.bottleneck());
        lines.add(
                "RT          "
                        + figure(base.minRtMs())
                        + " ms without queueing, "
                        + figure(base.rtMs())
                        + " ms at the knee");
        if (answer.alone().size() > 1) {
            for (Bounds.Alone a : answer.alone()) {
                lines.add(
                        "%-11s %s in flight, %s/s if %s alone limited"
                                .formatted(
                                        a.resource(),
                                        figure(a.kneeConcurrency()),
                                        figure(a.maxQps()),
                                        a.resource()));
            }
        }
        answer.given().seen().ifPresent(s -> lines.add(measured(s)));
        answer.given().demands().forEach(d -> lines.add("takes       " + takes(d)));
        answer.at().ifPresent(p -> lines.add(point(p)));
        lines.add("formula     " + base.formula());
        if (!answer.rows().isEmpty()) {
            lines.add("");
            lines.add(line("change", "QPS", "RT ms", "p99 ms", "knee", "limit"));
            lines.add(line("(as it is)", base));
            answer.rows().forEach(r -> lines.add(line(r.change(), r.prediction())));
            answer.rows()
                    .forEach(r -> lines.add("  " + r.change() + ": " + r.prediction().formula()));
            answer.rows()
                    .forEach(r ->
                            r.prediction()
                                    .extrapolation()
                                    .ifPresent(e -> lines.add("  ! " + r.change() + ": " + e)));
        }
        answer.plan().ifPresent(p -> lines.addAll(planLines(p)));
        return String.join(System.lineSeparator(), lines);
    }

    /// A measured demand with its interval: `10.8 ms of cpu (95 %: 10.5 to 11.2, 3 rounds)`.
    private static String takes(Demand d) {
        String rounds = d.rounds() == 1 ? ", 1 round" : ", " + d.rounds() + " rounds";
        return figure(d.ms())
                + " ms of "
                + d.resource()
                + d.ci95()
                        .map(i -> " (95 %: " + figure(i.lo()) + " to " + figure(i.hi()))
                        .orElse(" (95 %: not known")
                + (d.rounds() == 0 ? "" : rounds)
                + ")";
    }

    /// The measured throughput and use. Requests in flight are a whole number: 175/s at 114 ms are
    /// 20.
    private String measured(WhatIfAnswer.Seen s) {
        Resource b = s.path().bottleneck();
        Plateau p = s.plateau();
        String inFlight =
                p.inFlight().isPresent()
                        ? ", RT %s ms: %d in flight (F3: N = X * R = %s)"
                                .formatted(
                                        figure(p.rtMs().getAsDouble()),
                                        Math.round(p.inFlight().getAsDouble()),
                                        figure(p.inFlight().getAsDouble()))
                        : "";
        return "measured    %s/s%s; %s %s %% used, so its %s ms count as %s ms"
                .formatted(
                        figure(p.qps()),
                        inFlight,
                        b.name(),
                        figure(100 * s.utilisation()),
                        figure(b.ms()),
                        figure(answer.model().path().bottleneck().ms()));
    }

    private String point(Bounds.LoadPoint p) {
        String bound =
                "at N = %s   %s/s at most, RT %s ms at least"
                        .formatted(figure(p.n()), figure(p.qps()), figure(p.rtMs()));
        return bound
                + answer.exact(p)
                        .map(e ->
                                "; %s/s and %s ms by the exact closed model"
                                        .formatted(figure(e.qps()), figure(e.rtMs())))
                        .orElse("");
    }

    private static List<String> planLines(MachinePlan plan) {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add(
                "machines for %s/s, each good for %s/s:"
                        .formatted(figure(plan.ratePerS()), figure(plan.maxQpsPerMachine())));
        for (MachinePlan.Row r : plan.rows()) {
            lines.add(
                    "  %3s %% headroom  %5s machines"
                                    .formatted(figure(r.headroomPct()), r.machines())
                            + r.open()
                                    .map(o ->
                                            ", RT about %s ms, p99 %s ms"
                                                    .formatted(
                                                            figure(o.meanMs()), figure(o.p99Ms())))
                                    .orElse(""));
        }
        return lines;
    }

    private static String line(String change, Prediction p) {
        return line(
                change,
                figure(p.qps()),
                figure(p.rtMs()),
                p.rtP99Ms().map(WhatIfSummary::figure).orElse("-"),
                figure(p.kneeConcurrency()),
                p.bottleneck());
    }

    private static String line(
            String change, String qps, String rt, String p99, String knee, String limit) {
        return "%-24s %10s %9s %9s %8s  %s".formatted(change, qps, rt, p99, knee, limit);
    }

    /// A figure with at most two decimals, and none for a whole number.
    private static String figure(double v) {
        return new DecimalFormat("0.##", DecimalFormatSymbols.getInstance(Locale.ROOT)).format(v);
    }
}
