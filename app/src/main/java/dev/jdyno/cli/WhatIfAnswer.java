package dev.jdyno.cli;

import dev.jdyno.capacity.Bounds;
import dev.jdyno.capacity.MachinePlan;
import dev.jdyno.capacity.OpenQueue;
import dev.jdyno.capacity.Plateau;
import dev.jdyno.capacity.Prediction;
import dev.jdyno.capacity.RequestPath;
import dev.jdyno.capacity.Resource;
import dev.jdyno.capacity.ServiceModel;
import dev.jdyno.measure.verdict.Demand;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

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

    private ServiceModel model() {
        return given.model();
    }

    private List<Bounds.Alone> alone() {
        return Bounds.alone(model().path());
    }

    String json() {
        Prediction base = model().predict();
        Map<String, @Nullable Object> doc = new LinkedHashMap<>();
        doc.put("schema", "jdyno/whatif/1");
        doc.put("kneeConcurrency", base.kneeConcurrency());
        doc.put("maxQps", base.qps());
        doc.put("bottleneck", base.bottleneck());
        doc.put("rtMs", base.minRtMs());
        doc.put("rtAtKneeMs", base.rtMs());
        doc.put("atConcurrency", at.orElse(null));
        doc.put("atConcurrencyExact", at.flatMap(this::exact).orElse(null));
        doc.put("formula", base.formula());
        doc.put("limits", alone());
        doc.put("demands", given.demands().stream().map(WhatIfAnswer::demand).toList());
        doc.put("measured", given.seen().map(WhatIfAnswer::seen).orElse(null));
        doc.put("changes", rows.stream().map(WhatIfAnswer::row).toList());
        doc.put("plan", plan.map(WhatIfAnswer::plan).orElse(null));
        return JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(doc);
    }

    private Optional<Bounds.LoadPoint> exact(Bounds.LoadPoint bound) {
        int n = (int) Math.min(bound.n(), MOST_EXACT + 1);
        return n < 1 || n > MOST_EXACT ? Optional.empty() : Optional.of(model().curve(n).getLast());
    }

    private static Map<String, @Nullable Object> demand(Demand d) {
        Map<String, @Nullable Object> doc = new LinkedHashMap<>();
        doc.put("resource", d.resource());
        doc.put("ms", d.ms());
        doc.put("ci95", d.ci95().map(i -> List.of(i.lo(), i.hi())).orElse(null));
        doc.put("rounds", d.rounds());
        doc.put("units", d.isDelay() ? "inf" : d.units());
        return doc;
    }

    private static Map<String, @Nullable Object> seen(Seen seen) {
        Map<String, @Nullable Object> doc = new LinkedHashMap<>();
        doc.put("qps", seen.plateau().qps());
        doc.put("rtMs", boxed(seen.plateau().rtMs()));
        doc.put("inFlight", boxed(seen.plateau().inFlight()));
        doc.put("utilisation", seen.utilisation());
        return doc;
    }

    private static @Nullable Double boxed(OptionalDouble v) {
        return v.isPresent() ? v.getAsDouble() : null;
    }

    private static Map<String, @Nullable Object> row(Row row) {
        Prediction p = row.prediction();
        Map<String, @Nullable Object> doc = new LinkedHashMap<>();
        doc.put("change", row.change());
        doc.put("qps", p.qps());
        doc.put("rtMs", p.rtMs());
        doc.put("rtP99Ms", p.rtP99Ms().orElse(null));
        doc.put("kneeConcurrency", p.kneeConcurrency());
        doc.put("bottleneck", p.bottleneck());
        doc.put("extrapolation", p.extrapolation().orElse(null));
        doc.put("formula", p.formula());
        return doc;
    }

    private static Map<String, @Nullable Object> plan(MachinePlan plan) {
        Map<String, @Nullable Object> doc = new LinkedHashMap<>();
        doc.put("ratePerS", plan.ratePerS());
        doc.put("maxQpsPerMachine", plan.maxQpsPerMachine());
        doc.put(
                "rows",
                plan.rows().stream()
                        .map(r -> {
                            Map<String, @Nullable Object> row = new LinkedHashMap<>();
                            row.put("headroomPct", r.headroomPct());
                            row.put("machines", r.machines());
                            row.put("rtMs", r.open().map(OpenQueue.OpenPoint::meanMs).orElse(null));
                            row.put(
                                    "rtP99Ms",
                                    r.open().map(OpenQueue.OpenPoint::p99Ms).orElse(null));
                            return row;
                        })
                        .toList());
        return doc;
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
