package dev.jdyno.plan;

import dev.jdyno.measure.load.Goal;
import dev.jdyno.measure.load.GrpcUrl;
import dev.jdyno.measure.text.Secrets;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Writes a plan as YAML with every default, as the record of what was run. {@link PlanFile} reads
/// it back as the same plan, except for secrets. They are masked, and a comment at the top reports
/// that.
public final class PlanText {
    private PlanText() {}

    /// A plan with its variables replaced.
    ///
    /// @param text the plan with its secrets masked. It contains the values of variables, so it is
    ///   compared and never stored.
    /// @param secrets number of masked values
    public record Resolved(String text, int secrets) {}

    /// The plan with the values of its variables: what a run sends and uses.
    public static Resolved resolved(Plan plan) {
        PlanPen pen = pen(plan.with(Written.NONE));
        return new Resolved(pen.lines(), pen.masked());
    }

    /// The same as {@link #of}, without the comment at its top.
    public static String written(Plan plan) {
        return pen(plan).lines();
    }

    public static String of(Plan plan) {
        return pen(plan).toString();
    }

    private static PlanPen pen(Plan plan) {
        var pen = new PlanPen(plan.written());
        request(pen, plan);
        course(pen, plan);
        plan.workload()
                .ifPresent(w -> {
                    pen.raw("workload:\n");
                    WorkloadText.write(w, pen);
                });
        plan.search().ifPresent(s -> pen.line("goal", "{" + String.join(", ", goal(pen, s)) + "}"));
        KnobText.write(pen, plan.knobs());
        plan.reference()
                .ifPresent(
                        r -> pen.line("reference", pen.text("reference", r, Secrets::commandLine)));
        plan.builds()
                .command()
                .ifPresent(c -> pen.line("build", pen.text("build", c, Secrets::commandLine)));
        inside(pen, plan.inside());
        if (plan.proving().wanted()) {
            pen.line(
                    "prove",
                    plan.proving()
                            .relay()
                            .map(r -> "{relay: " + pen.text("prove.relay", r) + "}")
                            .orElseGet(() -> pen.scalar("prove", true)));
        }
        return pen;
    }

    private static void request(PlanPen pen, Plan plan) {
        pen.line("name", pen.text("name", plan.name()));
        pen.line("url", pen.text("url", plan.url()));
        if (plan.workload().isEmpty()) {
            pen.line("method", pen.scalar("method", plan.method()));
        }
        if (!plan.headers().isEmpty()) {
            pen.raw("headers:\n");
            plan.headers()
                    .forEach((k, v) ->
                            pen.line(
                                    "  " + pen.text("", k),
                                    pen.text("headers." + k, v, text -> Secrets.value(k, text))));
        }
        plan.body().ifPresent(b -> pen.line("body", pen.text("body", b, Secrets::body)));
        if (!plan.tls().equals(Plan.Tls.DEFAULT)) {
            pen.line(
                    "tls",
                    "{insecure: "
                            + pen.scalar("tls.insecure", plan.tls().insecure())
                            + plan.tls()
                                    .caFile()
                                    .map(f ->
                                            ", cacert: "
                                                    + pen.text("tls.cacert", f.toAbsolutePath()))
                                    .orElse("")
                            + "}");
        }
        if (GrpcUrl.is(plan.url().toString()) && plan.drive().isEmpty()) {
            GrpcText.write(pen, plan.request().grpc());
        }
        ReplyKeys.write(pen, plan.request().replies());
        plan.drive().ifPresent(d -> drive(pen, d));
        plan.agents()
                .ifPresent(a ->
                        pen.line(
                                "agents",
                                "{hosts: "
                                        + a.addresses().stream()
                                                .map(h -> pen.text("agents.hosts[]", h))
                                                .collect(Collectors.joining(", ", "[", "]"))
                                        + ", tokenFile: "
                                        + pen.text(
                                                "agents.tokenFile", a.tokenFile().toAbsolutePath())
                                        + "}"));
        switch (plan.target()) {
            case Plan.TargetPlan.Launch(String command) ->
                    pen.line(
                            "target",
                            "{launch: "
                                    + pen.text("target.launch", command, Secrets::commandLine)
                                    + "}");
            case Plan.TargetPlan.Attach(long pid) ->
                    pen.line("target", "{pid: " + pen.scalar("target.pid", pid) + "}");
            case Plan.TargetPlan.Observed o ->
                    pen.line(
                            "target",
                            "{observe: "
                                    + pen.text("target.observe", o.text())
                                    + ", tokenFile: "
                                    + pen.text("target.tokenFile", o.tokenFile().toAbsolutePath())
                                    + "}");
            case Plan.TargetPlan.None() -> pen.raw("# no target: only the client's side\n");
        }
    }

    private static void drive(PlanPen pen, Drive drive) {
        pen.line(
                "drive",
                drive.through()
                        .map(port ->
                                "{command: "
                                        + pen.text(
                                                "drive.command",
                                                drive.command(),
                                                Secrets::commandLine)
                                        + ", through: "
                                        + pen.scalar("drive.through", port)
                                        + "}")
                        .orElseGet(() -> pen.text("drive", drive.command(), Secrets::commandLine)));
    }

    private static void course(PlanPen pen, Plan plan) {
        Plan.Warmup warmup = plan.warmup();
        pen.line(
                "warmup",
                flow(
                        "atLeast: " + pen.time("warmup.atLeast", warmup.atLeast()),
                        "atMost: " + pen.time("warmup.atMost", warmup.atMost()),
                        "concurrency: " + pen.scalar("warmup.concurrency", warmup.concurrency())));
        Plan.Rounds rounds = plan.rounds();
        pen.line(
                "rounds",
                flow(
                        "length: " + pen.time("rounds.length", rounds.length()),
                        "settle: " + pen.time("rounds.settle", rounds.settle()),
                        "concurrency: "
                                + rounds.concurrency().stream()
                                        .map(n -> pen.scalar("rounds.concurrency[]", n))
                                        .collect(Collectors.joining(", ", "[", "]")),
                        "maxConcurrency: "
                                + pen.scalar("rounds.maxConcurrency", rounds.maxConcurrency())));
        pen.line(
                "evidence",
                flow(
                        "window: " + pen.time("evidence.window", plan.evidence().window()),
                        "dumps: " + pen.scalar("evidence.dumps", plan.evidence().dumps())));
        Plan.Limits limits = plan.limits();
        pen.line(
                "limits",
                flow(
                        "errors: " + pen.scalar("limits.errors", limits.errorShare()),
                        "start: " + pen.time("limits.start", limits.startTimeout()),
                        "request: " + pen.time("limits.request", limits.requestTimeout())));
    }

    private static void inside(PlanPen pen, InsidePlan inside) {
        List<String> keys = new ArrayList<>();
        keys.add("profile: " + pen.scalar("look.profile", inside.profile()));
        keys.add("liveCount: " + pen.scalar("look.liveCount", inside.liveCount()));
        keys.add(
                "stages: "
                        + inside.stages().stream()
                                .map(s -> pen.text("look.stages[]", s))
                                .collect(Collectors.joining(", ", "[", "]")));
        inside.frames().ifPresent(f -> keys.add("frames: " + pen.text("look.frames", f)));
        pen.line("look", "{" + String.join(", ", keys) + "}");
        if (!inside.metrics().equals(MetricsPlan.SEARCH)) {
            pen.line(
                    "metrics",
                    inside.metrics()
                            .at()
                            .map(u -> pen.text("metrics", u))
                            .orElseGet(() -> pen.scalar("metrics", false)));
        }
    }

    private static List<String> goal(PlanPen pen, Plan.GoalSearch search) {
        List<String> keys = new ArrayList<>();
        String goals = search.goals().stream().map(Goal::name).collect(Collectors.joining(","));
        // in the plan's file, the goals are under `goal` or under `goal.keep`
        keys.add(
                "keep: "
                        + pen.scalar(
                                "goal",
                                search.goals(),
                                pen.scalar("goal.keep", search.goals(), pen.text("", goals))));
        search.budget().ifPresent(b -> keys.add("budget: " + pen.time("goal.budget", b)));
        keys.add("precision: " + pen.scalar("goal.precision", search.precision()));
        search.start()
                .ifPresent(r ->
                        keys.add(
                                "start: "
                                        + pen.scalar(
                                                "goal.start",
                                                r,
                                                BigDecimal.valueOf(r).toPlainString())));
        return keys;
    }

    private static String flow(String... entries) {
        return "{" + String.join(", ", entries) + "}";
    }
}
