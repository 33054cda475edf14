package dev.jdyno.tune;

import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Outcome;
import dev.jdyno.diagnose.Recommendations;
import dev.jdyno.files.PrivateFolder;
import dev.jdyno.judge.Judge;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.plan.Plan;
import dev.jdyno.trial.RecordingFile;
import dev.jdyno.trial.Side;
import dev.jdyno.trial.Trial;
import dev.jdyno.trial.TrialListener;
import dev.jdyno.trial.TrialOutcome;
import dev.jdyno.tune.Race.Ended;
import dev.jdyno.tune.Race.Kind;
import dev.jdyno.tune.Race.Raced;
import dev.jdyno.tune.Tuned.Ablated;
import dev.jdyno.tune.Tuned.Fate;
import dev.jdyno.tune.Tuned.Tried;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;

/// Tunes one service: diagnose, try what is a setting, keep what is proved better, diagnose again;
/// in the end take each change out again, and confirm the rest.
///
/// All decisions follow from what the {@link Journal} holds, so that a tuning that goes on after an
/// interruption decides as it would have without.
public final class Tuning {
    /// Candidates of one round; the others have their turn in the next.
    private static final int MOST_CANDIDATES = 6;

    /// Candidates that did not help before and are tried again with each new incumbent.
    private static final int MOST_AGAIN = 3;

    /// Times the smallest effect that a look at the last incumbent must have shown, for a candidate
    /// to be compared with the next one without another look.
    private static final double SURE = 3;

    /// Times the knee that saturates the service.
    private static final double BEYOND_KNEE = 2;

    /// Share of the smallest effect that a look must show before a comparison is worth its time.
    private static final double PROMISING = 0.5;

    private static final String NOT_COMPARED =
            "promising; not compared, for another was accepted first";

    /// Seconds of a diagnosis where none has been timed yet.
    private static final double DIAGNOSIS_SECONDS = 120;

    private final Plan plan;
    private final TuneSettings settings;
    private final PoolSettings pools;
    private final Path folder;
    private final Journal journal;
    private final TrialListener listener;
    private final NanoClock clock;
    private final BooleanSupplier stop;
    private final Watch watch;
    private final Applied applied;
    private final Race race;
    private final List<Tuned.Round> rounds = new ArrayList<>();
    private final List<Ablated> ablation = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final Map<String, Set<String>> triedValues = new HashMap<>();

    /// What never helps, by what it changes: it does not start, fails, or harms.
    private final Set<List<Change>> ruledOut = new HashSet<>();

    /// The last look at each candidate, against whatever was the incumbent then.
    private final Map<List<Change>, Measured> looks = new HashMap<>();

    private List<Change> incumbent = List.of();
    private Optional<Measured> confirmed = Optional.empty();
    private boolean partial;
    private long began;
    private int diagnoses;
    private int again;

    /// What is measured next.
    public sealed interface Step {
        /// One start of it.
        record Look(Candidate candidate) implements Step {}

        /// Several, until it is decided.
        record Prove(Candidate candidate) implements Step {}

        record TakeOut(Change change) implements Step {}

        record Confirm(List<Change> changes) implements Step {}
    }

    /// What it says on the way.
    public interface Watch {
        void diagnosed(Diagnosed diagnosed);

        void begins(Step step);

        void tried(Tried tried);

        void ablated(Ablated ablated);
    }

    private Tuning(
            Plan plan,
            TuneSettings settings,
            PoolSettings pools,
            Path folder,
            Journal journal,
            TrialListener listener,
            NanoClock clock,
            BooleanSupplier stop,
            Watch watch) {
        this.plan = plan;
        this.settings = settings;
        this.pools = pools;
        this.folder = folder;
        this.journal = journal;
        this.listener = listener;
        this.clock = clock;
        this.stop = stop;
        this.watch = watch;
        this.applied = new Applied(plan, folder.resolve("config"));
        this.race = new Race(applied, settings, folder, listener, clock, stop);
    }

    /// @param folder of the result; what an earlier run measured there is not measured again
    /// @param stop asked at least four times a second; true ends it with what it has
    /// @throws UserError when the service as it is does not start or gives no good answer
    public static Tuned run(
            Plan plan,
            TuneSettings settings,
            PoolSettings pools,
            Path folder,
            TrialListener listener,
            NanoClock clock,
            BooleanSupplier stop,
            Watch watch)
            throws InterruptedException {
        try (Journal journal = Journal.open(folder)) {
            return new Tuning(plan, settings, pools, folder, journal, listener, clock, stop, watch)
                    .tuned();
        }
    }

    /// The baseline's diagnosis and what would be tried; nothing is.
    public record Preview(Diagnosed baseline, List<Candidate> candidates) {}

    /// @throws UserError when the service does not start or gives no good answer
    public static Optional<Preview> preview(
            Plan plan,
            TuneSettings settings,
            PoolSettings pools,
            Path folder,
            TrialListener listener,
            NanoClock clock,
            BooleanSupplier stop,
            Watch watch)
            throws InterruptedException {
        try (Journal journal = Journal.open(folder)) {
            var tuning =
                    new Tuning(
                            plan, settings, pools, folder, journal, listener, clock, stop, watch);
            tuning.began = clock.nanos();
            tuning.lookInside();
            Optional<Recording> baseline = tuning.diagnose(List.of(), List.of());
            return baseline.map(
                    r -> new Preview(Diagnosed.of(tuning.judged(r)), tuning.candidates(r)));
        }
    }

    /// What the least useful tuning costs: a diagnosis, one candidate, and a confirmation.
    public static double leastSeconds(TuneSettings settings) {
        return DIAGNOSIS_SECONDS
                + settings.lookSeconds()
                + 3 * settings.startSeconds(1)
                + reserveSeconds(settings, 1);
    }

    private static double reserveSeconds(TuneSettings settings, int changes) {
        return Kind.CONFIRM.most() * settings.startSeconds(1)
                + (changes > 1 ? changes * 3 * settings.startSeconds(1) : 0);
    }

    private Tuned tuned() throws InterruptedException {
        began = clock.nanos();
        Optional<Diagnosed> baseline = Optional.empty();
        Optional<Diagnosed> last = Optional.empty();
        try {
            lookInside();
            Optional<Recording> recording = diagnose(List.of(), List.of());
            if (recording.isPresent()) {
                baseline = Optional.of(Diagnosed.of(judged(recording.get())));
                last = improve(recording.get());
                if (!stop.getAsBoolean()) {
                    ablate(last.orElse(baseline.get()));
                    confirm(baseline.get(), last.orElse(baseline.get()));
                }
            }
        } catch (UserError midway) {
            if (baseline.isEmpty()) {
                throw midway;
            }
            partial = true;
            notes.add(midway.what() + ": " + midway.why());
        }
        partial |= stop.getAsBoolean();
        return new Tuned(
                settings.improved(),
                baseline.orElseGet(
                        () -> new Diagnosed("unknown", "", "", 0, 0, 0, 0, 1, List.of())),
                rounds,
                incumbent,
                confirmed,
                applied.command(incumbent),
                applied.files(incumbent),
                ablation,
                last.map(Diagnosed::code).orElse(List.of()),
                elapsed(),
                journal.resumes(),
                partial,
                notes);
    }

    /// One start without load: which `java` it runs on, and how it logs.
    private void lookInside() throws InterruptedException {
        listener.phase("looking at how the service is started");
        try (Side side =
                Side.open(
                        applied.variant(List.of()).started(),
                        opened("look"),
                        listener,
                        clock,
                        stop)) {
            race.java(side.java());
            applied.logging(side.logging());
            notes.addAll(applied.notes());
        }
    }

    private Path opened(String name) {
        Path own = folder.resolve(name);
        try {
            return PrivateFolder.open(own);
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot create the folder " + own,
                            String.valueOf(e.getMessage()),
                            "give --out DIR where files can be written")
                    .causedBy(e);
        }
    }

    /// @return the last diagnosis
    private Optional<Diagnosed> improve(Recording first) throws InterruptedException {
        Recording recording = first;
        Optional<Diagnosed> diagnosed = Optional.empty();
        boolean anew = true;
        // what was tried against the present incumbent
        Set<List<Change>> done = new LinkedHashSet<>();
        while (!stop.getAsBoolean()) {
            if (anew) {
                diagnosed = Optional.of(Diagnosed.of(judged(recording)));
                watch.diagnosed(diagnosed.get());
                done.clear();
                again = 0;
            }
            List<Candidate> batch = batch(candidates(recording), done);
            if (batch.isEmpty()) {
                break;
            }
            List<Tried> tried = new ArrayList<>();
            rounds.add(new Tuned.Round(diagnosed.orElseThrow(), List.of()));
            Optional<Candidate> accepted = raceAll(batch, concurrency(diagnosed.get()), tried);
            rounds.set(rounds.size() - 1, new Tuned.Round(diagnosed.get(), tried));
            tried.forEach(t -> done.add(t.candidate().changes()));
            if (tried.isEmpty()) {
                break;
            }
            anew = accepted.isPresent();
            if (anew) {
                incumbent = Changes.with(incumbent, accepted.get().changes());
                if (!affords(DIAGNOSIS_SECONDS)) {
                    break;
                }
                Optional<Recording> next = diagnose(incumbent, steps(diagnosed.get()));
                if (next.isEmpty()) {
                    break;
                }
                recording = next.get();
            }
        }
        return diagnosed;
    }

    /// What was never tried, in its order; behind it what may help now though it did not before,
    /// the most promising first.
    private List<Candidate> batch(List<Candidate> all, Set<List<Change>> done) {
        List<Candidate> open =
                all.stream()
                        .filter(c -> !done.contains(c.changes()))
                        .filter(c -> !ruledOut.contains(c.changes()))
                        .toList();
        List<Candidate> before =
                open.stream()
                        .filter(c -> looks.containsKey(c.changes()))
                        .sorted(Comparator.comparingDouble(c -> -lastGain(c)))
                        .limit(Math.max(0, MOST_AGAIN - again))
                        .toList();
        List<Candidate> batch =
                Stream.of(
                                before.stream().filter(c -> lastGain(c) > 1),
                                open.stream().filter(c -> !looks.containsKey(c.changes())),
                                before.stream().filter(c -> lastGain(c) <= 1))
                        .flatMap(Function.identity())
                        .limit(MOST_CANDIDATES)
                        .toList();
        again += (int) batch.stream().filter(before::contains).count();
        return batch;
    }

    private double lastGain(Candidate candidate) {
        return Optional.ofNullable(looks.get(candidate.changes()))
                .flatMap(Measured::gain)
                .orElse(0.0);
    }

    private static int concurrency(Diagnosed diagnosed) {
        return Math.max(2, (int) Math.ceil(BEYOND_KNEE * diagnosed.knee()));
    }

    private boolean affords(double seconds) {
        double left = Durations.seconds(settings.budget()) - elapsed();
        boolean affords = left > seconds + reserveSeconds(settings, incumbent.size() + 1);
        if (!affords && notes.stream().noneMatch(n -> n.startsWith("the budget"))) {
            notes.add(
                    "the budget of "
                            + Durations.format(settings.budget())
                            + " ended the search: more candidates were left");
        }
        return affords;
    }

    private double elapsed() {
        return journal.secondsBefore() + clock.secondsSince(began);
    }

    /// Looks at all, then compares the promising ones, the best first, until one is better.
    private Optional<Candidate> raceAll(List<Candidate> batch, int concurrency, List<Tried> tried)
            throws InterruptedException {
        List<Tried> promising = new ArrayList<>();
        for (Candidate candidate : batch) {
            if (stop.getAsBoolean() || !affords(settings.lookSeconds())) {
                break;
            }
            if (lastGain(candidate) >= 1 + SURE * settings.minEffect()) {
                promising.add(
                        new Tried(
                                candidate,
                                Fate.INCONCLUSIVE,
                                Optional.ofNullable(looks.get(candidate.changes())),
                                Optional.empty(),
                                ""));
                continue;
            }
            Optional<Raced> look = race(candidate, Kind.LOOK, concurrency);
            if (look.isEmpty()) {
                break;
            }
            look.get().measured().ifPresent(m -> looks.put(candidate.changes(), m));
            remember(candidate);
            Tried seen = looked(candidate, look.get());
            if (seen.fate() == Fate.INCONCLUSIVE) {
                promising.add(seen);
            } else {
                tried.add(seen);
                watch.tried(seen);
            }
        }
        promising.sort(
                Comparator.comparingDouble(t -> -t.screened().flatMap(Measured::gain).orElse(0.0)));
        Optional<Candidate> accepted = Optional.empty();
        for (Tried seen : promising) {
            Tried proved = accepted.isPresent() ? seen.because(NOT_COMPARED) : seen;
            if (accepted.isEmpty()
                    && !stop.getAsBoolean()
                    && affords(3 * settings.startSeconds(1))) {
                Optional<Raced> raced = race(seen.candidate(), Kind.PROVE, concurrency);
                proved = raced.map(r -> proved(seen, r)).orElse(seen);
            }
            tried.add(proved);
            watch.tried(proved);
            if (proved.fate() != Fate.INCONCLUSIVE) {
                // what a comparison has said counts more than the look before
                proved.measured().ifPresent(m -> looks.put(seen.candidate().changes(), m));
            }
            if (proved.fate() == Fate.ACCEPTED) {
                accepted = Optional.of(proved.candidate());
            }
        }
        return accepted;
    }

    private void remember(Candidate candidate) {
        candidate
                .knobValue()
                .ifPresent(v ->
                        triedValues
                                .computeIfAbsent(v.knob(), _ -> new LinkedHashSet<>())
                                .add(v.value()));
    }

    private Optional<Raced> race(Candidate candidate, Kind kind, int concurrency)
            throws InterruptedException {
        return race(
                incumbent,
                Changes.with(incumbent, candidate.changes()),
                kind,
                concurrency,
                kind == Kind.LOOK ? new Step.Look(candidate) : new Step.Prove(candidate));
    }

    /// From the journal where it is known.
    private Optional<Raced> race(
            List<Change> a, List<Change> b, Kind kind, int concurrency, Step about)
            throws InterruptedException {
        String step = kind + " " + concurrency + "\n" + a + "\n" + b;
        Optional<Journal.Entry> known = journal.of(step);
        if (known.isPresent()) {
            return known.get().raced();
        }
        watch.begins(about);
        long start = clock.nanos();
        Optional<Raced> raced = race.run(a, b, kind, concurrency);
        if (raced.isPresent()) {
            journal.write(
                    step, about.toString(), clock.secondsSince(start), Optional.empty(), raced);
        }
        return raced;
    }

    private Tried looked(Candidate candidate, Raced look) {
        Optional<Tried> failed = failed(candidate, look, Optional.empty());
        if (failed.isPresent()) {
            return failed.get();
        }
        Measured m = look.measured().orElseThrow();
        double gain = m.gain().orElse(0.0);
        boolean promising =
                gain >= 1 + PROMISING * settings.minEffect()
                        && m.ci95().map(Interval::hi).orElse(0.0) > 1 + settings.minEffect();
        if (!promising && m.ci95().map(Interval::hi).orElse(1.0) < 1) {
            ruledOut.add(candidate.changes());
        }
        return new Tried(
                candidate,
                promising ? Fate.INCONCLUSIVE : Fate.REJECTED,
                look.measured(),
                Optional.empty(),
                "");
    }

    private Tried proved(Tried seen, Raced raced) {
        return failed(seen.candidate(), raced, seen.screened())
                .orElseGet(() -> {
                    Measured m = raced.measured().orElseThrow();
                    Fate fate =
                            switch (m.outcome()) {
                                case BETTER -> Fate.ACCEPTED;
                                case WORSE, EQUIVALENT -> Fate.REJECTED;
                                case INCONCLUSIVE -> Fate.INCONCLUSIVE;
                            };
                    return new Tried(seen.candidate(), fate, seen.screened(), raced.measured(), "");
                });
    }

    /// Where the candidate cannot be used, whatever it gains.
    private Optional<Tried> failed(Candidate candidate, Raced raced, Optional<Measured> screened) {
        Optional<Measured> m = raced.measured();
        Optional<String> why =
                raced.ended() != Ended.MEASURED
                        ? Optional.of(raced.why())
                        : m.filter(Measured::moreErrors)
                                .map(_ -> "more of its requests fail, or fail the plan's checks")
                                .or(() -> brokenGoal(m));
        if (why.isEmpty()) {
            return Optional.empty();
        }
        ruledOut.add(candidate.changes());
        return Optional.of(
                new Tried(
                        candidate,
                        raced.ended() == Ended.DID_NOT_START
                                ? Fate.DOES_NOT_START
                                : Fate.INFEASIBLE,
                        screened.or(() -> screened.isPresent() ? Optional.empty() : m),
                        screened.isPresent() ? m : Optional.empty(),
                        why.get()));
    }

    private Optional<String> brokenGoal(Optional<Measured> measured) {
        if (settings.p99Ms().isEmpty()) {
            return Optional.empty();
        }
        return measured.flatMap(Measured::p99Ms)
                .filter(p -> p > settings.p99Ms().getAsDouble())
                .map(p ->
                        String.format(
                                Locale.ROOT,
                                "p99 is %.3g ms, above the goal of %.3g ms",
                                p,
                                settings.p99Ms().getAsDouble()));
    }

    /// Takes each change out again and keeps only those whose removal is worse.
    private void ablate(Diagnosed last) throws InterruptedException {
        if (incumbent.size() < 2) {
            return;
        }
        for (Change change : incumbent) {
            if (stop.getAsBoolean()) {
                return;
            }
            List<Change> less = Changes.without(incumbent, change);
            Optional<Raced> raced =
                    race(incumbent, less, Kind.PROVE, concurrency(last), new Step.TakeOut(change));
            if (raced.isEmpty()) {
                return;
            }
            boolean needed =
                    raced.get().ended() != Ended.MEASURED
                            || raced.get().measured().map(Measured::outcome).orElseThrow()
                                    == Outcome.WORSE;
            raced.get()
                    .measured()
                    .map(m -> new Ablated(change, m, needed))
                    .ifPresent(a -> {
                        ablation.add(a);
                        watch.ablated(a);
                    });
            if (!needed) {
                incumbent = less;
            }
        }
    }

    private void confirm(Diagnosed baseline, Diagnosed last) throws InterruptedException {
        if (incumbent.isEmpty() || stop.getAsBoolean()) {
            return;
        }
        // above the knees of both, and not far beyond that of the smaller
        double less = Math.min(baseline.knee(), last.knee());
        double more = Math.max(baseline.knee(), last.knee());
        int concurrency = Math.max(2, (int) Math.ceil(Math.max(BEYOND_KNEE * less, more)));
        confirmed =
                race(List.of(), incumbent, Kind.CONFIRM, concurrency, new Step.Confirm(incumbent))
                        .flatMap(Raced::measured);
    }

    /// Loads around the last knee: where it has moved to, they tell without a search.
    private static List<Integer> steps(Diagnosed last) {
        int knee = (int) Math.max(1, Math.round(last.knee()));
        return Stream.of(1, (knee + 1) / 2, knee, 2 * knee, 4 * knee).distinct().sorted().toList();
    }

    /// A trial of the service with these changes; empty when it was stopped before a round ended.
    ///
    /// @param steps loads to measure; empty to search for the knee, as for the plan's own
    private Optional<Recording> diagnose(List<Change> changes, List<Integer> steps)
            throws InterruptedException {
        diagnoses++;
        String step = "diagnosis\n" + changes;
        Optional<Journal.Entry> known = journal.of(step);
        if (known.flatMap(Journal.Entry::recording).isPresent()) {
            return Optional.of(
                    RecordingFile.read(folder.resolve(known.get().recording().orElseThrow())));
        }
        long start = clock.nanos();
        String name = "diagnosis-" + diagnoses;
        Path own = opened(name);
        Plan started = applied.variant(changes).started();
        Plan.Rounds rounds = plan.rounds();
        if (!steps.isEmpty() && rounds.concurrency().isEmpty()) {
            started =
                    started.withRounds(
                            new Plan.Rounds(
                                    rounds.length(),
                                    rounds.settle(),
                                    steps,
                                    rounds.maxConcurrency()));
        }
        TrialOutcome outcome = new Trial(started, own, listener, clock, stop).run();
        if (outcome.failure().isPresent()) {
            throw outcome.failure().get();
        }
        if (stop.getAsBoolean() || outcome.recording().rounds().isEmpty()) {
            return Optional.empty();
        }
        String file = name + "/" + RecordingFile.NAME;
        try {
            RecordingFile.write(outcome.recording(), folder.resolve(file));
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot write " + file,
                            String.valueOf(e.getMessage()),
                            "give --out DIR where files can be written")
                    .causedBy(e);
        }
        journal.write(
                step, "diagnosis", clock.secondsSince(start), Optional.of(file), Optional.empty());
        // so that it is the same recording with and without an interruption
        return Optional.of(RecordingFile.read(folder.resolve(file)));
    }

    private Judge judge() {
        return Judge.rankingBy(
                settings.improved() == Metric.QPS
                        ? Recommendations.Aim.QPS
                        : Recommendations.Aim.RT);
    }

    private RunResult judged(Recording recording) {
        return judge().result(
                        new RunResult.About("", "tune", Instant.EPOCH, 0, plan.name()), recording);
    }

    private List<Candidate> candidates(Recording recording) {
        Set<Bottleneck> also = EnumSet.noneOf(Bottleneck.class);
        double gc =
                recording
                        .ofMostThroughput()
                        .flatMap(Round::gc)
                        .map(GcActivity::pauseShare)
                        .orElse(0.0);
        if (gc >= Candidates.GC_FROM) {
            also.add(Bottleneck.GC_ALLOCATION);
            also.add(Bottleneck.GC_PROMOTION);
        }
        List<Recommendation> beside = judge().recommendationsBeside(recording, also);
        return new Candidates(pools, plan.knobs(), applied.dearLogging())
                .of(judged(recording), beside, incumbent, triedValues);
    }
}
