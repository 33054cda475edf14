package dev.jdyno.guard;

import dev.jdyno.compare.Loads;
import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Note;
import dev.jdyno.history.Entries;
import dev.jdyno.history.Entry;
import dev.jdyno.history.Filter;
import dev.jdyno.history.History;
import dev.jdyno.history.Kind;
import dev.jdyno.measure.load.LoadFacts;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Plan;
import dev.jdyno.trial.Service;
import dev.jdyno.trial.Session;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// One guarded run against earlier days. It measures as on those days, judges the figures against
/// them, and measures again if a figure looks worse. The caller stores the result, after its files.
public final class Guarding {
    private static final String CONCURRENCY = "load.concurrency";
    private static final String RATE = "load.ratePerS";

    /// Duration of both measurements ÷ that of the first one: the second one has longer windows.
    private static final double BOTH = 2.2;

    private final Plan plan;
    private final GuardSettings settings;
    private final History history;
    private final Service service;
    private final Session session;

    public Guarding(
            Plan plan, GuardSettings settings, History history, Service service, Session session) {
        this.plan = plan;
        this.settings = settings;
        this.history = history;
        this.service = service;
        this.session = session;
    }

    /// @param result the result to report
    /// @param entry the entry to store; empty if the run was cut short before there was one
    /// @param reported the changes to store with the entry
    public record Outcome(Guarded result, Optional<Entry> entry, List<History.Reported> reported) {}

    /// @throws UserError if the service does not start or gives no good answer
    public Outcome run(Entries.Origin origin) throws InterruptedException, IOException {
        long began = session.clock().nanos();
        List<Day> days = days();
        Optional<Loads> loads = days.isEmpty() ? Optional.empty() : loads(days.getLast().of());
        var past = new Past(days, begins(days));
        var measuring = new Measuring(plan, settings, loads, service, session);
        Optional<Measured> first = measuring.measure();
        if (first.isEmpty()) {
            return interrupted(began);
        }
        List<Measured> measured = new ArrayList<>(List.of(first.get()));
        List<FigureRow> rows = judged(past, measured);
        boolean suspect =
                isSuspect(rows)
                        || past.isElsewhere(first.get().bottleneck())
                        || past.failsMore(first.get().errorShare());
        double seconds = session.clock().secondsSince(began);
        boolean hasTime =
                settings.budget().filter(b -> Durations.seconds(b) < BOTH * seconds).isEmpty();
        if (suspect && hasTime && !session.isStopped()) {
            session.listener().note("a figure looks worse: measuring again before it is reported");
            Optional<Measured> again = measuring.measure();
            again.ifPresent(measured::add);
            rows = judged(past, measured);
        }
        boolean unconfirmed = suspect && measured.size() == 1;
        if (unconfirmed && session.isStopped()) {
            return interrupted(began);
        }
        Guarded result =
                result(past, measured, rows, unconfirmed, session.clock().secondsSince(began));
        Entry entry = entry(result, measured, origin);
        Guarded dated = result.dated(entry);
        return new Outcome(dated, Optional.of(entry), reported(dated));
    }

    /// @param began time at which the run began, in ns of the session's clock
    private Outcome interrupted(long began) {
        return new Outcome(
                Guarded.interrupted(
                        plan.name(), Guarded.Mode.HISTORY, session.clock().secondsSince(began)),
                Optional.empty(),
                List.of());
    }

    /// Returns earlier valid guarded runs of this plan on this machine, the oldest first.
    private List<Day> days() {
        Filter wanted =
                Filter.ALL
                        .ofPlan(plan.name())
                        .ofKind(Kind.GUARD)
                        .ofBranch(settings.branch())
                        .since(settings.since());
        Entry.Environment here = Entries.machine();
        return history.list(wanted).reversed().stream()
                .filter(Entry::valid)
                // a comparison with a pinned build has no figure of the reference loop
                .filter(e -> e.figure(Day.MACHINE).isPresent())
                .filter(e -> e.environment().isSameMachine(here))
                // a tool of the user and jdyno are different load generators
                .filter(e -> isDriven(e) == plan.drive().isPresent())
                .map(Day::of)
                .toList();
    }

    /// Ids of the days at which a level begins, by the figure's key. A level begins at each
    /// reported change of the figure, and, for all figures, at each accepted day.
    private Map<String, Set<String>> begins(List<Day> days) {
        Map<String, Set<String>> begins = new HashMap<>();
        history.reported(plan.name()).forEach((key, ids) -> begins.put(key, new HashSet<>(ids)));
        for (History.Accepted accepted : history.accepted(plan.name())) {
            Instant from = history.entry(accepted.id()).at();
            // Found by id first, because the result's time may come from a wrong clock.
            days.stream()
                    .filter(d -> d.id().equals(accepted.id()))
                    .findFirst()
                    .or(() -> days.stream().filter(d -> !d.at().isBefore(from)).findFirst())
                    .ifPresent(first -> {
                        for (Metric metric : Metric.values()) {
                            begins.computeIfAbsent(metric.key(), _ -> new HashSet<>())
                                    .add(first.id());
                        }
                    });
        }
        return begins;
    }

    /// True if a load tool of the user sent the load of a stored run: such a run has no rate.
    private static boolean isDriven(Entry entry) {
        return entry.figure(RATE).isEmpty();
    }

    private static Optional<Loads> loads(Entry entry) {
        double rate = entry.figure(RATE).map(Entry.Figure::value).orElse(0.0);
        return entry.figure(CONCURRENCY).map(n -> new Loads((int) n.value(), rate));
    }

    private List<FigureRow> judged(Past past, List<Measured> measured) {
        List<Past.Today> today =
                measured.stream().map(m -> new Past.Today(values(m), m.machineNs())).toList();
        return past.judge(Figure.all(settings.minEffect()), today);
    }

    private static Map<Metric, Double> values(Measured m) {
        Map<Metric, Double> values = new EnumMap<>(Metric.class);
        for (Metric metric : Metric.values()) {
            m.value(metric).ifPresent(v -> values.put(metric, v));
        }
        return values;
    }

    private static boolean isSuspect(List<FigureRow> rows) {
        return rows.stream().anyMatch(r -> r.verdict() == Verdict.SUSPECT);
    }

    private Guarded result(
            Past past,
            List<Measured> measured,
            List<FigureRow> rows,
            boolean unconfirmed,
            double seconds) {
        Measured last = measured.getLast();
        boolean valid = measured.stream().allMatch(Measured::valid);
        boolean confirmed = measured.size() > 1;
        boolean moreErrors =
                confirmed && measured.stream().allMatch(m -> past.failsMore(m.errorShare()));
        boolean worse = rows.stream().anyMatch(r -> r.verdict() == Verdict.WORSE);
        boolean better = rows.stream().anyMatch(r -> r.verdict() == Verdict.BETTER);
        boolean elsewhere =
                confirmed
                        && measured.stream().allMatch(m -> past.isElsewhere(m.bottleneck()))
                        && measured.stream().map(Measured::bottleneck).distinct().count() == 1;
        Guarded.Overall overall;
        if (worse || moreErrors || (elsewhere && !better)) {
            overall = Guarded.Overall.REGRESSION;
        } else if (unconfirmed
                || !valid
                || rows.stream().allMatch(r -> r.verdict() == Verdict.UNCLEAR)) {
            overall = Guarded.Overall.UNCLEAR;
        } else {
            overall = Guarded.Overall.OK;
        }
        return new Guarded(
                plan.name(),
                overall,
                Guarded.Mode.HISTORY,
                rows,
                Optional.of(last.bottleneck()),
                elsewhere ? past.usualBottleneck() : Optional.empty(),
                worse || elsewhere ? grew(past, measured, rows) : List.of(),
                isWorse(rows, Metric.ALLOCATION) ? allocates(past, measured, rows) : List.of(),
                past.days().size(),
                confirmed,
                measured.stream()
                        .map(m -> new Guarded.Measurement(m.machineNs(), m.starts()))
                        .toList(),
                past.days().isEmpty()
                        ? Optional.empty()
                        : Optional.of(last.machineNs() / usualNs(past)),
                false,
                seconds,
                notes(measured, moreErrors, unconfirmed ? withoutTime(seconds) : Optional.empty()));
    }

    /// The note that the budget had no time for a second measurement; empty without a budget.
    ///
    /// @param seconds duration of the first measurement
    private Optional<Note> withoutTime(double seconds) {
        return settings.budget()
                .map(budget ->
                        new Note.NotInBudget(
                                Note.NotInBudget.Step.SECOND,
                                settings.starts(),
                                budget,
                                Duration.ofMinutes((long) Math.ceil(BOTH * seconds / 60))));
    }

    private static List<Note> notes(
            List<Measured> measured, boolean moreErrors, Optional<Note> withoutTime) {
        List<Note> notes = new ArrayList<>(withoutTime.stream().toList());
        measured.getLast()
                .recording()
                .load()
                .flatMap(LoadFacts::driver)
                .map(Note.Driven::new)
                .ifPresent(notes::add);
        if (moreErrors) {
            notes.add(new Note.MoreFail());
        }
        int again = measured.stream().mapToInt(Measured::discarded).sum();
        if (again > 0) {
            notes.add(new Note.BlocksSpoilt(again, measured.stream().allMatch(Measured::valid)));
        }
        int disturbedBlocks = measured.stream().mapToInt(Measured::disturbedBlocks).sum();
        if (disturbedBlocks > 0) {
            notes.add(new Note.BlocksWithNeighbour(disturbedBlocks));
        }
        return notes;
    }

    private static double usualNs(Past past) {
        return past.days().stream().mapToDouble(Day::machineNs).average().orElseThrow();
    }

    private static boolean isWorse(List<FigureRow> rows, Metric metric) {
        return rows.stream().anyMatch(r -> r.metric() == metric && r.verdict() == Verdict.WORSE);
    }

    private List<Guarded.Grew> grew(Past past, List<Measured> measured, List<FigureRow> rows) {
        return growth(past, measured, rows, Metric.CPU, Entry.PartKind.METHOD).stream()
                .map(m -> new Guarded.Grew(m.name(), m.before(), m.after()))
                .toList();
    }

    private List<Guarded.Allocates> allocates(
            Past past, List<Measured> measured, List<FigureRow> rows) {
        return growth(past, measured, rows, Metric.ALLOCATION, Entry.PartKind.ALLOCATION).stream()
                .map(m -> new Guarded.Allocates(m.name(), m.before(), m.after()))
                .toList();
    }

    /// Compares profiles with those of the previous level. Profiles of several days are added up,
    /// because one is short. CPU time is scaled to today's machine.
    private List<Growth.Method> growth(
            Past past,
            List<Measured> measured,
            List<FigureRow> rows,
            Metric metric,
            Entry.PartKind kind) {
        Optional<FigureRow> found =
                rows.stream()
                        .filter(r -> r.metric() == metric && r.reference().isPresent())
                        .findFirst();
        if (found.isEmpty()) {
            return List.of();
        }
        FigureRow row = found.get();
        List<Entry.Part> now = new ArrayList<>(parts(past.changed(row)));
        measured.forEach(m -> now.addAll(Entries.parts(m.recording())));
        return new Growth(kind, parts(past.levelBefore(row)), row.reference().orElseThrow())
                .to(now, row.value().orElseThrow());
    }

    private List<Entry.Part> parts(List<Day> days) {
        return days.stream().flatMap(d -> history.entry(d.id()).parts().stream()).toList();
    }

    private static Optional<Double> mean(List<Measured> measured, Metric metric) {
        var mean =
                measured.stream()
                        .flatMap(m -> m.value(metric).stream())
                        .mapToDouble(Double::doubleValue)
                        .average();
        return mean.isPresent() ? Optional.of(mean.getAsDouble()) : Optional.empty();
    }

    private Entry entry(Guarded result, List<Measured> measured, Entries.Origin origin)
            throws IOException {
        List<Entry.Figure> figures = new ArrayList<>();
        for (Metric metric : Metric.values()) {
            mean(measured, metric)
                    .ifPresent(v -> figures.add(Entries.figure(metric, v, Optional.empty())));
        }
        Measured last = measured.getLast();
        Stream.of(
                        new Entry.Figure(
                                Day.MACHINE,
                                "ns",
                                measured.stream()
                                        .mapToDouble(Measured::machineNs)
                                        .average()
                                        .orElseThrow(),
                                Optional.empty()),
                        new Entry.Figure(
                                CONCURRENCY,
                                "requests in flight",
                                last.loads().concurrency(),
                                Optional.empty()))
                .forEach(figures::add);
        if (plan.drive().isEmpty()) {
            figures.add(
                    new Entry.Figure(
                            RATE, "requests/s", last.loads().ratePerS(), Optional.empty()));
        }
        return Entries.guarded(
                plan.name(),
                result.seconds(),
                last.recording(),
                result.verdict().key(),
                last.bottleneck(),
                measured.stream().allMatch(Measured::valid),
                figures,
                origin);
    }

    private static List<History.Reported> reported(Guarded result) {
        return result.figures().stream()
                .flatMap(row ->
                        row.since().stream()
                                .map(s ->
                                        new History.Reported(
                                                row.metric().key(),
                                                s.run().orElseThrow(),
                                                row.ratio().orElse(1.0))))
                .toList();
    }
}
