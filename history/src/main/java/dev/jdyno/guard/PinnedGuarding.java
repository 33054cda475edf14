package dev.jdyno.guard;

import dev.jdyno.compare.Compared;
import dev.jdyno.compare.Comparison;
import dev.jdyno.compare.Effect;
import dev.jdyno.compare.Loads;
import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Note;
import dev.jdyno.compare.Note.NotInBudget.Step;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;

/// One guarded run against a pinned build. Both builds are loaded in turns, so that disturbances of
/// the machine affect both. If a figure looks worse, the comparison is repeated before it counts.
/// The budget bounds all steps together; a step without time is left out and noted.
public final class PinnedGuarding {
    /// Minimum number of starts of each build.
    public static final int MIN_STARTS = PinnedTime.MIN_STARTS;

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

    /// Returns the time that a guarded run needs at least, even if both builds start and are warm
    /// at once.
    public static Duration least(Plan plan, GuardSettings settings) {
        return PinnedTime.least(settings, plan.evidence());
    }

    /// @throws dev.jdyno.measure.text.UserError if a build does not start or gives no good answer
    public Guarding.Outcome run(Comparison.Watch watch, Entries.Origin origin)
            throws InterruptedException, IOException {
        long began = session.clock().nanos();
        var time =
                new PinnedTime(
                        settings.budget().orElse(GuardSettings.PINNED_BUDGET),
                        settings.block(),
                        plan.evidence(),
                        session.clock());
        Compared first = compared("first", Optional.empty(), time, watch);
        if (isCutByBudget(first)) {
            return withoutJudgement(
                    Guarded.outOfTime(
                            plan.name(),
                            rows(first, Optional.empty()),
                            session.clock().secondsSince(began),
                            noting(first.notes(), Step.FIRST, time, first)));
        }
        boolean suspect = has(rows(first, Optional.empty()), Verdict.SUSPECT) || failsMore(first);
        Optional<Compared> again =
                suspect && !session.isStopped() ? again(first, time, watch) : Optional.empty();
        List<FigureRow> rows = rows(first, again);
        boolean failsMore = failsMore(first) && again.filter(PinnedGuarding::failsMore).isPresent();
        boolean worse = has(rows, Verdict.WORSE);
        boolean longer = worse && time.hasTimeForDiagnoses(2, true);
        Optional<Recording> now = Optional.empty();
        Optional<Recording> before = Optional.empty();
        if (!session.isStopped() && first.concurrency() > 0) {
            var loads = new Loads(first.concurrency(), first.ratePerS());
            now = observed(plan, loads, "build", longer, time);
            before =
                    worse && time.hasTimeForDiagnoses(1, longer)
                            ? observed(pinned, loads, "pinned", longer, time)
                            : Optional.empty();
        }
        if (now.isEmpty()) {
            return withoutJudgement(
                    Guarded.interrupted(
                            plan.name(),
                            Guarded.Mode.REFERENCE,
                            session.clock().secondsSince(began)));
        }
        List<Note> notes = first.notes();
        if (suspect && again.isEmpty()) {
            notes = noting(notes, Step.SECOND, time, first);
        } else if (worse && before.isEmpty() && !session.isStopped()) {
            notes = noting(notes, Step.DIAGNOSIS_BEFORE, time, first);
        }
        Guarded.Overall verdict =
                suspect && again.isEmpty() ? Guarded.Overall.UNCLEAR : overall(failsMore, rows);
        return judged(
                first,
                verdict,
                rows,
                again.isPresent(),
                now.get(),
                before,
                session.clock().secondsSince(began),
                notes,
                origin);
    }

    private static Guarding.Outcome withoutJudgement(Guarded result) {
        return new Guarding.Outcome(result, Optional.empty(), List.of());
    }

    private Guarding.Outcome judged(
            Compared first,
            Guarded.Overall verdict,
            List<FigureRow> rows,
            boolean confirmed,
            Recording observed,
            Optional<Recording> before,
            double seconds,
            List<Note> notes,
            Entries.Origin origin)
            throws IOException {
        Bottleneck bottleneck = Judge.verdict(observed).bottleneck();
        Optional<Bottleneck> beforeThat =
                before.map(r -> Judge.verdict(r).bottleneck()).filter(b -> b != bottleneck);
        var result =
                new Guarded(
                        plan.name(),
                        verdict,
                        Guarded.Mode.REFERENCE,
                        rows,
                        Optional.of(bottleneck),
                        beforeThat,
                        before.map(r -> grew(first, r, observed)).orElse(List.of()),
                        before.filter(_ -> isWorse(rows, Metric.ALLOCATION))
                                .map(r -> allocates(first, r, observed))
                                .orElse(List.of()),
                        0,
                        confirmed,
                        List.of(),
                        Optional.empty(),
                        false,
                        seconds,
                        notes);
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

    /// Compares a second time. Empty if the budget has no time for that, or had less than expected.
    private Optional<Compared> again(Compared first, PinnedTime time, Comparison.Watch watch)
            throws InterruptedException, IOException {
        if (!time.hasTimeForComparison()) {
            return Optional.empty();
        }
        session.listener().note("a figure looks worse: comparing again before it is reported");
        var loads = new Loads(first.concurrency(), first.ratePerS());
        return Optional.of(compared("again", Optional.of(loads), time, watch))
                .filter(c -> !isCutByBudget(c));
    }

    /// True if a comparison ended because the minimum number of starts did not fit.
    private boolean isCutByBudget(Compared compared) {
        return compared.partial()
                && !session.isStopped()
                && compared.starts() > 0
                && compared.starts() < PinnedTime.MIN_STARTS
                && compared.failure().isEmpty();
    }

    private static List<Note> noting(List<Note> notes, Step step, PinnedTime time, Compared first) {
        List<Note> more = new ArrayList<>(notes);
        more.add(new Note.NotInBudget(step, MIN_STARTS, time.budget(), time.enough(first)));
        return more;
    }

    private Compared compared(
            String name, Optional<Loads> loads, PinnedTime time, Comparison.Watch watch)
            throws InterruptedException, IOException {
        Settings preset = Settings.DEFAULT;
        var wanted =
                new Settings(
                        Metric.CPU,
                        settings.minEffect(),
                        loads.isPresent() ? time.second() : time.first(),
                        settings.block(),
                        settings.warmup(),
                        loads.map(l -> OptionalInt.of(l.concurrency())).orElse(OptionalInt.empty()),
                        loads.map(l -> OptionalDouble.of(l.ratePerS()))
                                .orElse(OptionalDouble.empty()),
                        preset.goal(),
                        preset.minStarts(),
                        preset.maxStarts(),
                        Metric.Load.of(plan.drive().isPresent()));
        var comparison =
                new Comparison(
                                new Variant(pinned, List.of()),
                                new Variant(plan, List.of()),
                                wanted,
                                service,
                                session.inside(name),
                                random)
                        .endingWithin(time.limit());
        return comparison.run(new Timed(comparison, time, loads.isEmpty(), watch));
    }

    /// Notes how long starts take, and reports after the first one what to expect.
    private final class Timed implements Comparison.Watch {
        private final Comparison comparison;
        private final PinnedTime time;
        private final boolean first;
        private final Comparison.Watch watch;

        Timed(Comparison comparison, PinnedTime time, boolean first, Comparison.Watch watch) {
            this.comparison = comparison;
            this.time = time;
            this.first = first;
            this.watch = watch;
        }

        @Override
        public void begins(int start) {
            watch.begins(start);
        }

        @Override
        public void look(Compared soFar, double secondsEach, int max) {
            time.starts(comparison.furtherStartSeconds());
            if (first && soFar.starts() == 1) {
                session.listener().note(time.says(soFar));
            }
            watch.look(soFar, secondsEach, max);
        }
    }

    private Optional<Recording> observed(
            Plan of, Loads loads, String name, boolean longer, PinnedTime time)
            throws InterruptedException, IOException {
        long began = session.clock().nanos();
        Recording recording =
                new Measuring(of, settings, Optional.of(loads), service, session.inside(name))
                        .look(loads, longer)
                        .recording();
        time.diagnosed(session.clock().secondsSince(began));
        return Optional.of(recording).filter(r -> !session.isStopped() && !r.rounds().isEmpty());
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
