package dev.jdyno.guard;

import dev.jdyno.compare.Compared;
import dev.jdyno.compare.Comparison;
import dev.jdyno.compare.Effect;
import dev.jdyno.compare.Loads;
import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Outcome;
import dev.jdyno.compare.Settings;
import dev.jdyno.compare.Variant;
import dev.jdyno.history.Entries;
import dev.jdyno.history.Entry;
import dev.jdyno.judge.Judge;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.plan.Plan;
import dev.jdyno.trial.Service;
import dev.jdyno.trial.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;

/// One guarded run against a pinned build. Both builds are loaded in turns, so that disturbances of
/// the machine affect both. If a figure looks worse, the comparison is repeated before it counts.
public final class PinnedGuarding {
    private final Plan pinned;
    private final Plan plan;
    private final GuardSettings settings;
    private final Service service;
    private final Session session;
    private final RandomGenerator random;

    /// @param plan a plan with a reference
    /// @param random decides which build goes first in each pair
    public PinnedGuarding(
            Plan plan,
            GuardSettings settings,
            Service service,
            Session session,
            RandomGenerator random) {
        this.plan = plan;
        this.pinned = plan.withTarget(new Plan.TargetPlan.Launch(plan.reference().orElseThrow()));
        this.settings = settings;
        this.service = service;
        this.session = session;
        this.random = random;
    }

    /// @throws dev.jdyno.measure.text.UserError if a build does not start or gives no good answer
    public Guarding.Outcome run(Comparison.Watch watch, Entries.Origin origin)
            throws InterruptedException, IOException {
        long began = session.clock().nanos();
        Compared first = compared("first", Optional.empty(), watch);
        Optional<Compared> again = Optional.empty();
        boolean suspect = has(rows(first, again), Verdict.SUSPECT) || failsMore(first);
        if (suspect && !session.isStopped()) {
            session.listener().note("a figure looks worse: comparing again before it is reported");
            var loads = new Loads(first.concurrency(), first.ratePerS());
            again = Optional.of(compared("again", Optional.of(loads), watch));
        }
        List<FigureRow> rows = rows(first, again);
        boolean failsMore = failsMore(first) && again.filter(PinnedGuarding::failsMore).isPresent();
        boolean worse = has(rows, Verdict.WORSE);
        Optional<Recording> now = Optional.empty();
        Optional<Recording> before = Optional.empty();
        if (!session.isStopped() && first.concurrency() > 0) {
            var loads = new Loads(first.concurrency(), first.ratePerS());
            now = observed(plan, loads, "build", worse);
            before = worse ? observed(pinned, loads, "pinned", true) : Optional.empty();
        }
        if (now.isEmpty()) {
            return new Guarding.Outcome(
                    Guarded.interrupted(
                            plan.name(),
                            Guarded.Mode.REFERENCE,
                            session.clock().secondsSince(began)),
                    Optional.empty(),
                    List.of());
        }
        Recording observed = now.get();
        Bottleneck bottleneck = Judge.verdict(observed).bottleneck();
        Optional<Bottleneck> beforeThat =
                before.map(r -> Judge.verdict(r).bottleneck()).filter(b -> b != bottleneck);
        Guarded result =
                new Guarded(
                        plan.name(),
                        overall(failsMore, rows),
                        Guarded.Mode.REFERENCE,
                        rows,
                        Optional.of(bottleneck),
                        beforeThat,
                        before.map(r -> grew(first, r, observed)).orElse(List.of()),
                        before.filter(_ -> isWorse(rows, Metric.ALLOCATION))
                                .map(r -> allocates(first, r, observed))
                                .orElse(List.of()),
                        0,
                        suspect,
                        List.of(),
                        Optional.empty(),
                        false,
                        session.clock().secondsSince(began),
                        first.notes());
        Entry entry =
                Entries.guarded(
                        plan.name(),
                        result.seconds(),
                        observed,
                        result.verdict().key(),
                        bottleneck,
                        result.verdict() != Guarded.Overall.UNCLEAR,
                        figures(first),
                        origin);
        return new Guarding.Outcome(result, Optional.of(entry), List.of());
    }

    private Compared compared(String name, Optional<Loads> loads, Comparison.Watch watch)
            throws InterruptedException, IOException {
        Settings preset = Settings.DEFAULT;
        var comparison =
                new Settings(
                        Metric.CPU,
                        settings.minEffect(),
                        settings.budget(),
                        settings.block(),
                        settings.warmup(),
                        loads.map(l -> OptionalInt.of(l.concurrency())).orElse(OptionalInt.empty()),
                        loads.map(l -> OptionalDouble.of(l.ratePerS()))
                                .orElse(OptionalDouble.empty()),
                        preset.goal(),
                        preset.minStarts(),
                        preset.maxStarts(),
                        Metric.Load.of(plan.drive().isPresent()));
        return new Comparison(
                        new Variant(pinned, List.of()),
                        new Variant(plan, List.of()),
                        comparison,
                        service,
                        session.inside(name),
                        random)
                .run(watch);
    }

    private Optional<Recording> observed(Plan of, Loads loads, String name, boolean longer)
            throws InterruptedException, IOException {
        return Optional.of(
                        new Measuring(
                                        of,
                                        settings,
                                        Optional.of(loads),
                                        service,
                                        session.inside(name))
                                .look(loads, longer)
                                .recording())
                .filter(r -> !session.isStopped() && !r.rounds().isEmpty());
    }

    private List<FigureRow> rows(Compared first, Optional<Compared> again) {
        List<FigureRow> rows = new ArrayList<>();
        for (Figure figure : Figure.all(settings.minEffect())) {
            first.row(figure.metric())
                    .ifPresent(r ->
                            rows.add(row(figure, r, again.flatMap(c -> c.row(figure.metric())))));
        }
        return rows;
    }

    private static FigureRow row(Figure figure, Compared.Row first, Optional<Compared.Row> again) {
        Compared.Row shown = again.orElse(first);
        return new FigureRow(
                figure.metric(),
                boxed(shown.b()),
                boxed(shown.a()),
                shown.effect().map(Effect::ratio),
                shown.effect().map(Effect::interval),
                verdict(figure, first, again),
                Optional.empty());
    }

    /// @param again the second comparison; empty if there was none
    static Verdict verdict(Figure figure, Compared.Row first, Optional<Compared.Row> again) {
        return switch (first.outcome()) {
            case WORSE ->
                    matters(figure, first)
                            ? again.map(r -> confirmed(figure, r)).orElse(Verdict.SUSPECT)
                            : Verdict.OK;
            case BETTER -> Verdict.BETTER;
            case EQUIVALENT -> Verdict.OK;
            case INCONCLUSIVE -> Verdict.UNCLEAR;
        };
    }

    /// Judges a figure that looked worse. An inconclusive second comparison does not clear it.
    private static Verdict confirmed(Figure figure, Compared.Row again) {
        return switch (again.outcome()) {
            case WORSE -> matters(figure, again) ? Verdict.WORSE : Verdict.OK;
            case BETTER, EQUIVALENT -> Verdict.OK;
            case INCONCLUSIVE -> Verdict.UNCLEAR;
        };
    }

    private static List<Guarded.Grew> grew(Compared compared, Recording before, Recording now) {
        return growth(compared, before, now, Metric.CPU, Entry.PartKind.METHOD).stream()
                .map(m -> new Guarded.Grew(m.name(), m.before(), m.after()))
                .toList();
    }

    private static List<Guarded.Allocates> allocates(
            Compared compared, Recording before, Recording now) {
        return growth(compared, before, now, Metric.ALLOCATION, Entry.PartKind.ALLOCATION).stream()
                .map(m -> new Guarded.Allocates(m.name(), m.before(), m.after()))
                .toList();
    }

    private static List<Growth.Method> growth(
            Compared compared,
            Recording before,
            Recording now,
            Metric metric,
            Entry.PartKind kind) {
        Optional<Double> then = compared.row(metric).flatMap(r -> boxed(r.a()));
        Optional<Double> here = compared.row(metric).flatMap(r -> boxed(r.b()));
        return then.isEmpty() || here.isEmpty()
                ? List.of()
                : new Growth(kind, Entries.parts(before), then.get())
                        .to(Entries.parts(now), here.get());
    }

    private static boolean matters(Figure figure, Compared.Row row) {
        return row.effect()
                .filter(e -> Math.abs(Math.log(e.ratio())) >= Math.log1p(figure.least()))
                .isPresent();
    }

    private static Optional<Double> boxed(OptionalDouble value) {
        return value.isPresent() ? Optional.of(value.getAsDouble()) : Optional.empty();
    }

    private static boolean isWorse(List<FigureRow> rows, Metric metric) {
        return rows.stream().anyMatch(r -> r.metric() == metric && r.verdict() == Verdict.WORSE);
    }

    private static boolean has(List<FigureRow> rows, Verdict verdict) {
        return rows.stream().anyMatch(r -> r.verdict() == verdict);
    }

    private static boolean failsMore(Compared compared) {
        return compared.row(Metric.ERRORS).filter(r -> r.outcome() == Outcome.WORSE).isPresent();
    }

    private static Guarded.Overall overall(boolean failsMore, List<FigureRow> rows) {
        if (has(rows, Verdict.WORSE) || failsMore) {
            return Guarded.Overall.REGRESSION;
        }
        boolean decided =
                rows.stream()
                        .filter(r -> r.metric() == Metric.CPU)
                        .anyMatch(r -> r.verdict() != Verdict.UNCLEAR);
        return decided ? Guarded.Overall.OK : Guarded.Overall.UNCLEAR;
    }

    private static List<Entry.Figure> figures(Compared compared) {
        return compared.rows().stream()
                .filter(r -> r.b().isPresent())
                .map(r -> Entries.figure(r.metric(), r.b().getAsDouble(), Optional.empty()))
                .toList();
    }
}
