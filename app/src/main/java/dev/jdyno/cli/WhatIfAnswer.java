package dev.jdyno.cli;

import dev.jdyno.capacity.Bounds;
import dev.jdyno.capacity.MachinePlan;
import dev.jdyno.capacity.Plateau;
import dev.jdyno.capacity.Prediction;
import dev.jdyno.capacity.RequestPath;
import dev.jdyno.capacity.Resource;
import dev.jdyno.capacity.ServiceModel;
import dev.jdyno.measure.verdict.Demand;
import dev.jdyno.report.json.JsonDocument;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// What `jdyno whatif` prints, as text and as JSON.
///
/// @param at the bounds at the concurrency asked for
record WhatIfAnswer(
        Given given, Optional<Bounds.LoadPoint> at, List<Row> rows, Optional<MachinePlan> plan) {
    /// @param seen what the user had measured; empty when only demands were given, or a result
    /// @param demands of a stored result, as they were measured
    record Given(ServiceModel model, Optional<Seen> seen, List<Demand> demands) {
        static Given of(ServiceModel model) {
            return new Given(model, Optional.empty(), List.of());
        }
    }

    /// @param path before it was set to the measured throughput
    record Seen(Plateau plateau, RequestPath path) {
        double utilisation() {
            return plateau.utilisation(path);
        }
    }

    /// One change and what it gives.
    record Row(String change, Prediction prediction) {}

    /// The exact model's work grows with N; beyond this only the bounds answer (there they agree).
    private static final int MOST_EXACT = 100_000;

    ServiceModel model() {
        return given.model();
    }

    List<Bounds.Alone> alone() {
        return Bounds.alone(model().path());
    }

    String json() {
        return JsonDocument.text(WhatIfDocument.of(this));
    }

    Optional<Bounds.LoadPoint> exact(Bounds.LoadPoint bound) {
        int n = (int) Math.min(bound.n(), MOST_EXACT + 1);
        return n < 1 || n > MOST_EXACT ? Optional.empty() : Optional.of(model().curve(n).getLast());
    }

    String text() {
        Prediction base = model().predict();
        List<String> lines = new ArrayList<>();
        lines.add("knee        " + figure(base.kneeConcurrency()) + " requests in flight");
        lines.add("max QPS     " + figure(base.qps()) + "/s, limited by " + base.bottleneck());
        lines.add(
                "RT          "
                        + figure(base.minRtMs())
                        + " ms without queueing, "
                        + figure(base.rtMs())
                        + " ms at the knee");
        if (alone().size() > 1) {
            for (Bounds.Alone a : alone()) {
                lines.add(
                        "%-11s %s in flight, %s/s if %s alone limited"
                                .formatted(
                                        a.resource(),
                                        figure(a.kneeConcurrency()),
                                        figure(a.maxQps()),
                                        a.resource()));
            }
        }
        given.seen().ifPresent(s -> lines.add(measured(s)));
        given.demands().forEach(d -> lines.add("takes       " + takes(d)));
        at.ifPresent(p -> lines.add(point(p)));
        lines.add("formula     " + base.formula());
        if (!rows.isEmpty()) {
            lines.add("");
            lines.add(line("change", "QPS", "RT ms", "p99 ms", "knee", "limit"));
            lines.add(line("(as it is)", base));
            rows.forEach(r -> lines.add(line(r.change(), r.prediction())));
            rows.forEach(r -> lines.add("  " + r.change() + ": " + r.prediction().formula()));
            rows.forEach(r ->
                    r.prediction()
                            .extrapolation()
                            .ifPresent(e -> lines.add("  ! " + r.change() + ": " + e)));
        }
        plan.ifPresent(p -> lines.addAll(planLines(p)));
        return String.join(System.lineSeparator(), lines);
    }

    /// As measured, with what its rounds leave open: `10.8 ms of cpu (95 %: 10.5 to 11.2, 3
    /// rounds)`.
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

    /// Requests come whole: 175/s at 114 ms are 20 of them.
    private String measured(Seen s) {
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
                        figure(model().path().bottleneck().ms()));
    }

    private String point(Bounds.LoadPoint p) {
        String bound =
                "at N = %s   %s/s at most, RT %s ms at least"
                        .formatted(figure(p.n()), figure(p.qps()), figure(p.rtMs()));
        return bound
                + exact(p).map(e ->
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
                p.rtP99Ms().map(WhatIfAnswer::figure).orElse("-"),
                figure(p.kneeConcurrency()),
                p.bottleneck());
    }

    private static String line(
            String change, String qps, String rt, String p99, String knee, String limit) {
        return "%-24s %10s %9s %9s %8s  %s".formatted(change, qps, rt, p99, knee, limit);
    }

    /// Two decimals at most, none where there are none.
    private static String figure(double v) {
        return new DecimalFormat("0.##", DecimalFormatSymbols.getInstance(Locale.ROOT)).format(v);
    }
}
