package dev.jdyno.guard;

import dev.jdyno.compare.Compared;
import dev.jdyno.compare.Comparison;
import dev.jdyno.compare.Effect;
import dev.jdyno.compare.Loads;
import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Note;
import dev.jdyno.compare.Outcome;
import dev.jdyno.compare.Settings;
import dev.jdyno.compare.Variant;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.Secrets;
import dev.jdyno.measure.text.ShellText;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Plan;
import dev.jdyno.plan.PlanText;
import dev.jdyno.repository.Revision;
import dev.jdyno.repository.Versions;
import dev.jdyno.trial.Service;
import dev.jdyno.trial.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.random.RandomGenerator;

/// Searches for the commit that made a service worse. It first compares the two ends until it is
/// clear whether one is worse. Then it repeatedly chooses the most informative version ({@link
/// Suspects}) and compares one start of it with one of the good end.
public final class Bisecting {
    /// The figures to check, the steadiest first. All are measured at one load.
    private static final List<Metric> FIGURES = List.of(Metric.CPU, Metric.ALLOCATION, Metric.QPS);

    /// Number of pairs of blocks in a start. It is small, because starts differ by more than the
    /// pairs of one start do.
    private static final int PAIRS = 2;

    /// Share of the budget in which the comparison of the ends must be decided.
    private static final double ENDS_SHARE = 1 / 3.0;

    /// Number of consecutive failed starts of the good version after which the search ends.
    private static final int MAX_FAILURES = 2;

    private final Plan plan;
    private final BisectSettings settings;
    private final Versions versions;
    private final Service service;
    private final Session session;
    private final RandomGenerator random;
    private final List<Revision> revisions;
    private final Suspects suspects;
    private final BisectFigures seen = new BisectFigures();
    private final List<Bisected.Skipped> skipped = new ArrayList<>();
    private final List<Note> notes = new ArrayList<>();
    private double seconds;
    private double buildSeconds;
    private int failures;

    /// @param plan whose launch command runs in each version's folder
    /// @param random decides which version goes first in each pair
    public Bisecting(
            Plan plan,
            BisectSettings settings,
            Versions versions,
            Service service,
            Session session,
            RandomGenerator random) {
        this.plan = plan;
        this.settings = settings;
        this.versions = versions;
        this.service = service;
        this.session = session;
        this.random = random;
        this.revisions = versions.revisions();
        this.suspects = new Suspects(revisions.size() - 1);
    }

    private int last() {
        return revisions.size() - 1;
    }

    /// Searches until a commit is certain enough, the budget is spent, or the search is stopped.
    ///
    /// @throws UserError if one of the two ends does not build or does not run
    public Bisected run() throws InterruptedException {
        var subject =
                BisectJournal.Subject.of(
                        PlanText.written(plan).lines().toList(),
                        revisions.getFirst().hash(),
                        revisions.getLast().hash(),
                        settings);
        try (var journal = BisectJournal.open(session.folder(), subject, revisions.size())) {
            journal.dropped().ifPresent(notes::add);
            journal.steps().forEach(this::take);
            while (!session.isStopped() && seen.isOpen() && left() > 0) {
                keep(journal, ends());
            }
            while (seen.worse().isPresent() && !isCertain() && left() > 0 && !session.isStopped()) {
                OptionalInt next = suspects.next(versions::isBuilt);
                if (next.isEmpty() || failures >= MAX_FAILURES) {
                    break;
                }
                keep(journal, step(next.getAsInt()));
            }
        }
        return result();
    }

    private void keep(BisectJournal journal, Optional<BisectJournal.Step> step) {
        step.ifPresent(journal::add);
        step.ifPresent(this::take);
    }

    /// Seconds left in the budget.
    private double left() {
        return Durations.seconds(settings.budget()) - seconds;
    }

    private boolean isCertain() {
        return suspects.most().probability() >= settings.confidence();
    }

    /// Updates the probabilities from a measurement.
    private void take(BisectJournal.Step step) {
        seconds += step.seconds();
        if (step.skipped().isPresent()) {
            suspects.misses(step.version());
            skipped.add(
                    new Bisected.Skipped(
                            revisions.get(step.version()), step.built(), step.skipped().get()));
            return;
        }
        boolean wasWorse = seen.worse().isPresent();
        seen.take(step, step.version() == last());
        if (seen.worse().isEmpty()) {
            return;
        }
        Metric figure = seen.worse().get();
        // A comparison of the ends also counts if it was measured before the worse figure was
        // known.
        List<BisectJournal.Step> news = wasWorse ? List.of(step) : seen.steps();
        for (BisectJournal.Step one : news) {
            one.of(figure).forEach(r -> suspects.saw(one.version(), cost(figure, r)));
        }
    }

    private static double cost(Metric figure, double ratio) {
        return figure.higherIsBetter() ? -Math.log(ratio) : Math.log(ratio);
    }

    /// Compares both ends, until it is clear whether one is worse.
    private Optional<BisectJournal.Step> ends() throws InterruptedException {
        Optional<Plan> good = required(0);
        Optional<Plan> bad = good.isEmpty() ? good : required(last());
        if (bad.isEmpty()) {
            return Optional.empty();
        }
        session.listener().phase("comparing both ends");
        double most = Math.min(left(), ENDS_SHARE * Durations.seconds(settings.budget()));
        long began = session.clock().nanos();
        Comparison comparison =
                comparison(
                        good.get(), bad.get(), Durations.ofSeconds(most), "ends-" + seen.count());
        Compared compared = comparison.run((_, _, _) -> {});
        compared.notes().stream().filter(n -> !notes.contains(n)).forEach(notes::add);
        double took = session.clock().secondsSince(began);
        if (session.isStopped() || compared.starts() == 0) {
            seconds += took;
            return Optional.empty();
        }
        Optional<Metric> worse =
                FIGURES.stream()
                        .filter(f ->
                                compared.row(f)
                                        .filter(r -> r.outcome() == Outcome.WORSE)
                                        .isPresent())
                        .findFirst();
        boolean decided =
                worse.isPresent()
                        || compared.row(Metric.CPU)
                                .filter(r -> r.outcome() != Outcome.INCONCLUSIVE)
                                .isPresent();
        return Optional.of(measured(last(), compared, worse, decided, took));
    }

    /// Measures one start of a version and one of the good version at the same time. Empty if it
    /// was stopped or gave no result.
    private Optional<BisectJournal.Step> step(int version) throws InterruptedException {
        Optional<Plan> good = required(0);
        if (good.isEmpty()) {
            return Optional.empty();
        }
        Revision revision = revisions.get(version);
        session.listener()
                .phase(
                        "commit "
                                + revision.shortHash()
                                + ", "
                                + version
                                + " of "
                                + last()
                                + "; the most probable has "
                                + Math.round(100 * suspects.most().probability())
                                + " %");
        Versions.Build build = built(version);
        if (build instanceof Versions.Build.Failed(String why)) {
            session.listener().note(revision.shortHash() + " does not build, and is left out");
            return Optional.of(BisectJournal.Step.skipped(version, false, Secrets.text(why), 0));
        }
        if (!(build instanceof Versions.Build.Done(var folder))) {
            return Optional.empty();
        }
        long began = session.clock().nanos();
        Comparison comparison =
                comparison(
                        good.get(),
                        in(folder.toString()),
                        settings.budget(),
                        "step-" + (seen.count() + skipped.size()));
        try {
            Compared compared = comparison.screen(PAIRS);
            double took = session.clock().secondsSince(began);
            failures = 0;
            if (session.isStopped() || compared.starts() == 0) {
                seconds += took;
                return Optional.empty();
            }
            return Optional.of(measured(version, compared, Optional.empty(), true, took));
        } catch (UserError failed) {
            double took = session.clock().secondsSince(began);
            if (!comparison.wasAtB()) {
                seconds += took;
                failures++;
                notes.add(new Note.GoodFailed(failed));
                return Optional.empty();
            }
            session.listener().note(revision.shortHash() + " does not run, and is left out");
            String why = Secrets.text(failed.what() + ": " + failed.why());
            return Optional.of(BisectJournal.Step.skipped(version, true, why, took));
        }
    }

    private static BisectJournal.Step measured(
            int version, Compared compared, Optional<Metric> worse, boolean decided, double took) {
        Map<Metric, List<Double>> ratios = new EnumMap<>(Metric.class);
        Map<Metric, Double> before = new EnumMap<>(Metric.class);
        for (Metric figure : FIGURES) {
            compared.row(figure)
                    .ifPresent(r -> {
                        ratios.put(figure, r.ratios());
                        r.a().ifPresent(v -> before.put(figure, v));
                    });
        }
        return new BisectJournal.Step(
                version,
                ratios,
                before,
                worse,
                decided,
                Optional.of(new Loads(compared.concurrency(), compared.ratePerS()))
                        .filter(l -> l.concurrency() > 0),
                Optional.empty(),
                true,
                took);
    }

    /// Returns the plan of one of the ends; empty if it was stopped.
    ///
    /// @throws UserError if the version does not build
    private Optional<Plan> required(int version) throws InterruptedException {
        Revision revision = revisions.get(version);
        return switch (built(version)) {
            case Versions.Build.Done(var folder) -> Optional.of(in(folder.toString()));
            case Versions.Build.Stopped() -> Optional.empty();
            case Versions.Build.Failed(String why) ->
                    throw UserError.target(
                            "the commit " + revision.shortHash() + " does not build",
                            why,
                            "give a commit that builds for each end of --bisect GOOD..BAD");
        };
    }

    private Versions.Build built(int version) throws InterruptedException {
        if (!versions.isBuilt(version)) {
            session.listener().phase("building " + revisions.get(version).shortHash());
        }
        long began = session.clock().nanos();
        Versions.Build build = versions.build(version);
        buildSeconds += session.clock().secondsSince(began);
        return build;
    }

    private Plan in(String folder) {
        String command = plan.target() instanceof Plan.TargetPlan.Launch(String line) ? line : "";
        return plan.withTarget(
                new Plan.TargetPlan.Launch(
                        "cd " + ShellText.word(folder) + " || exit 1; " + command));
    }

    private Comparison comparison(Plan good, Plan other, Duration budget, String name) {
        Settings preset = Settings.DEFAULT;
        Optional<Loads> loads = seen.loads();
        return new Comparison(
                new Variant(good, List.of()),
                new Variant(other, List.of()),
                new Settings(
                        Metric.CPU,
                        settings.minEffect(),
                        budget,
                        settings.block(),
                        settings.warmup(),
                        loads.map(l -> OptionalInt.of(l.concurrency())).orElse(OptionalInt.empty()),
                        OptionalDouble.empty(),
                        Optional.empty(),
                        preset.minStarts(),
                        preset.maxStarts(),
                        Set.of(Metric.Load.SATURATED)),
                service,
                session.inside(name),
                random);
    }

    private Bisected result() throws InterruptedException {
        Optional<Suspects.Group> group = seen.worse().map(_ -> suspects.most());
        boolean certain = group.isPresent() && isCertain();
        Optional<BisectProfile> look = Optional.empty();
        if (certain && !session.isStopped()) {
            long began = session.clock().nanos();
            look = look(group.get());
            seconds += session.clock().secondsSince(began);
        }
        Versions.Diff diff =
                certain
                        ? versions.diff(
                                group.get().from(),
                                group.get().to(),
                                look.map(BisectProfile::methods).orElse(List.of()))
                        : Versions.Diff.NONE;
        return new Bisected(
                plan.name(),
                certain
                        ? Bisected.Verdict.FOUND
                        : seen.isNotWorse() ? Bisected.Verdict.NOT_WORSE : Bisected.Verdict.UNCLEAR,
                revisions.getFirst(),
                revisions.getLast(),
                last(),
                seen.worse(),
                group.flatMap(g -> seen.effectFrom(g.to(), seen.worse().orElseThrow())),
                seen.worse().flatMap(seen::before),
                group.map(this::found),
                seen.worse().map(_ -> new BisectList(revisions, suspects).most()).orElse(List.of()),
                look.map(BisectProfile::grew).orElse(List.of()),
                look.map(BisectProfile::allocates).orElse(List.of()),
                diff,
                seen.versions(revisions),
                skipped,
                settings.confidence(),
                seen.starts(),
                seconds,
                buildSeconds,
                session.isStopped() || failures >= MAX_FAILURES,
                notes);
    }

    private Bisected.Found found(Suspects.Group group) {
        return new Bisected.Found(
                revisions.subList(group.from() + 1, group.to() + 1), group.probability());
    }

    /// Profiles the last version without the change and the first one with it. Empty if they cannot
    /// be measured.
    private Optional<BisectProfile> look(Suspects.Group group) throws InterruptedException {
        Optional<Loads> loads = seen.loads();
        Metric figure = seen.worse().filter(f -> f == Metric.ALLOCATION).orElse(Metric.CPU);
        Optional<Double> before = seen.before(figure);
        Optional<Double> ratio = seen.effectFrom(group.to(), figure).map(Effect::ratio);
        if (loads.isEmpty() || before.isEmpty() || ratio.isEmpty()) {
            return Optional.empty();
        }
        Versions.Build from = built(group.from());
        Versions.Build to = built(group.to());
        if (!(from instanceof Versions.Build.Done(var older))
                || !(to instanceof Versions.Build.Done(var newer))) {
            return Optional.empty();
        }
        try {
            return BisectProfile.of(
                    in(older.toString()),
                    in(newer.toString()),
                    figure,
                    before.get(),
                    before.get() * ratio.get(),
                    settings.diagnosisSettings(),
                    loads.get(),
                    service,
                    session);
        } catch (UserError failed) {
            notes.add(new Note.NotDiagnosed(failed));
            return Optional.empty();
        }
    }
}
