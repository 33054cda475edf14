package dev.jdyno.tune;

import dev.jdyno.compare.Outcome;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.plan.Environment;
import dev.jdyno.plan.Plan;
import dev.jdyno.trial.TrialListener;
import dev.jdyno.tune.Race.Doubt;
import dev.jdyno.tune.Race.Ended;
import dev.jdyno.tune.Race.Kind;
import dev.jdyno.tune.Race.Raced;
import dev.jdyno.tune.Tuned.Ablated;
import dev.jdyno.tune.Tuned.Fate;
import dev.jdyno.tune.Tuned.Tried;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// Tunes one service: diagnose, try what is a setting, keep what is proved better, diagnose again;
/// in the end take each change out again, and confirm the rest.
///
/// All decisions follow from what the {@link Journal} holds, so that a tuning that goes on after an
/// interruption decides as it would have without.
public final class Tuning implements AutoCloseable {
    /// Times the smallest effect that a look at the last incumbent must have shown, for a candidate
    /// to be compared with the next one without another look.
    private static final double SURE = 3;

    /// Times the knee that saturates the service.
    private static final double BEYOND_KNEE = 2;

    /// Seconds of a diagnosis where none has been timed yet.
    private static final double DIAGNOSIS_SECONDS = 120;

    /// The fewest starts of both that a comparison takes.
    static final int PROOF_STARTS = 3;

    private final TuneSettings settings;
    private final Journal journal;
    private final NanoClock clock;
    private final BooleanSupplier stop;
    private final Watch watch;
    private final Applied applied;
    private final Race race;
    private final Diagnoses diagnoses;
    private final Fates fates;

    /// The most requests in flight that the plan asks for; 0 where it leaves that to the search.
    private final int asked;

    private final List<Tuned.Round> rounds = new ArrayList<>();
    private final List<Ablated> ablation = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final Set<Doubt> doubts = EnumSet.noneOf(Doubt.class);
    private final Tries tries = new Tries();
    private List<Change> incumbent = List.of();
    private Optional<HeapDivision> division = Optional.empty();
    private Optional<Measured> confirmed = Optional.empty();
    private boolean partial;
    private Optional<SearchEnd> searchEnd = Optional.empty();
    private boolean budgetEnded;

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
        this.settings = settings;
        this.journal = journal;
        this.clock = clock;
        this.stop = stop;
        this.watch = watch;
        this.applied = new Applied(plan, folder.resolve("config"));
        this.race = new Race(applied, settings, folder, listener, clock, stop);
        this.diagnoses =
                new Diagnoses(
                        plan, settings, pools, applied, folder, journal, listener, clock, stop);
        this.fates = new Fates(settings);
        journal.dropped().ifPresent(notes::add);
        notes.addAll(journal.notes());
        this.asked =
                plan.rounds().concurrency().stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    /// @param folder of the result; what an earlier run measured there is not measured again
    /// @param environment that the service is started in
    /// @param stop asked at least four times a second; true ends it with what it has
    /// @throws UserError when another tuning writes there, or one of something else was begun there
    public static Tuning open(
            Plan plan,
            TuneSettings settings,
            PoolSettings pools,
            Path folder,
            Environment environment,
            TrialListener listener,
            NanoClock clock,
            BooleanSupplier stop,
            Watch watch) {
        Journal journal = Journal.open(folder, plan, environment, clock);
        return new Tuning(plan, settings, pools, folder, journal, listener, clock, stop, watch);
    }

    @Override
    public void close() {
        journal.close();
    }

    /// @throws UserError when the service does not start or gives no good answer
    public Optional<Preview> preview() throws InterruptedException {
        lookInside();
        Optional<Diagnoses.Made> made = diagnoses.of(List.of(), List.of());
        if (made.isEmpty()) {
            return Optional.empty();
        }
        List<Candidate> candidates = diagnoses.candidates(made.get(), List.of(), Map.of());
        notes.addAll(diagnoses.notes());
        return Optional.of(
                new Preview(
                        Diagnosed.of(diagnoses.judged(made.get().recording())),
                        candidates,
                        Tries.MOST_CANDIDATES,
                        costs(),
                        notes));
    }

    /// What the least useful tuning costs: a diagnosis, one candidate, and a confirmation.
    public static double leastSeconds(TuneSettings settings) {
        return DIAGNOSIS_SECONDS
                + settings.lookSeconds()
                + PROOF_STARTS * settings.startSeconds(1)
                + reserveStarts(1) * settings.startSeconds(1);
    }

    private static int reserveStarts(int changes) {
        return Kind.CONFIRM.most() + (changes > 1 ? 3 * changes : 0);
    }

    /// What so many starts of both take, each with its blocks.
    private double seconds(int starts, int pairs) {
        return starts
                * settings.startSeconds(
                        pairs,
                        Math.max(TuneSettings.SERVICE_START_SECONDS, diagnoses.startSeconds()),
                        diagnoses.warmUpSeconds());
    }

    /// Tunes.
    ///
    /// @throws UserError when the service as it is does not start or gives no good answer
    public Tuned run() throws InterruptedException {
        Optional<Diagnosed> baseline = Optional.empty();
        Optional<Diagnosed> last = Optional.empty();
        try {
            lookInside();
            Optional<Diagnoses.Made> first = diagnoses.of(List.of(), List.of());
            if (first.isPresent()) {
                Recording recording = first.get().recording();
                baseline = Optional.of(Diagnosed.of(diagnoses.judged(recording)));
                division = HeapDivision.of(recording.target());
                watch.plans(costs());
                last = improve(first.get());
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
        notes.addAll(diagnoses.notes());
        doubts.forEach(d -> notes.add(says(d)));
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
                searchEnd,
                elapsed(),
                journal.resumes(),
                partial,
                notes);
    }

    private String says(Doubt doubt) {
        return switch (doubt) {
            case NOT_STEADY ->
                    "starts were not steady after a warm-up of "
                            + Durations.format(settings.warmup())
                            + ": they still got faster or slower, which makes intervals wide; begin"
                            + " anew with a longer --warmup";
            case HEAP_FILLS ->
                    "the service keeps more and more: its old generation grew through the blocks of a"
                            + " start. Where that is a leak, later blocks are slower whatever else"
                            + " differs: find it with jdyno run";
        };
    }

    private void lookInside() throws InterruptedException {
        race.java(diagnoses.lookInside());
        race.startSeconds(diagnoses.startSeconds());
        notes.addAll(applied.notes());
    }

    /// @return the last diagnosis
    private Optional<Diagnosed> improve(Diagnoses.Made first) throws InterruptedException {
        Diagnoses.Made made = first;
        Optional<Diagnosed> diagnosed = Optional.empty();
        boolean anew = true;
        List<Candidate> all = List.of();
        while (!stop.getAsBoolean()) {
            if (anew) {
                diagnosed = Optional.of(Diagnosed.of(diagnoses.judged(made.recording())));
                watch.diagnosed(diagnosed.get());
                tries.anew();
            }
            all = diagnoses.candidates(made, incumbent, tries.knobValues());
            List<Candidate> batch = tries.next(all);
            if (batch.isEmpty()) {
                anew = false;
                break;
            }
            List<Tried> tried = new ArrayList<>();
            Optional<Candidate> accepted;
            try {
                accepted = raceAll(batch, concurrency(diagnosed.orElseThrow()), tried);
            } finally {
                // what was tried before a failure is kept
                if (!tried.isEmpty()) {
                    rounds.add(new Tuned.Round(diagnosed.orElseThrow(), tried));
                }
            }
            anew = accepted.isPresent();
            if (anew) {
                incumbent = Changes.with(incumbent, accepted.get().changes());
            }
            if (tried.isEmpty() || (anew && !affords(DIAGNOSIS_SECONDS))) {
                break;
            }
            if (anew) {
                Optional<Diagnoses.Made> next =
                        diagnoses.of(incumbent, Diagnoses.steps(diagnosed.get()));
                if (next.isEmpty()) {
                    break;
                }
                made = next.get();
            }
        }
        if (budgetEnded) {
            searchEnd = left(all, anew);
        }
        return diagnosed;
    }

    private int concurrency(Diagnosed diagnosed) {
        return saturating(BEYOND_KNEE * diagnosed.knee());
    }

    /// At least the most that the plan asks for: what the service must bear, it is compared under.
    private int saturating(double inFlight) {
        return Math.max(Math.max(2, asked), (int) Math.ceil(inFlight));
    }

    private boolean affords(double seconds) {
        double left = Durations.seconds(settings.budget()) - elapsed();
        boolean affords = left > seconds + keptSeconds();
        budgetEnded |= !affords;
        return affords;
    }

    private Costs costs() {
        double beside = elapsed() + keptSeconds();
        double look = seconds(1, Race.LOOK_PAIRS);
        return Costs.of(settings.budget(), beside, look, seconds(1, 1), true);
    }

    /// For what follows the search.
    private double keptSeconds() {
        return seconds(reserveStarts(incumbent.size() + 1), 1);
    }

    /// What the budget left undone; empty where it was nothing.
    ///
    /// @param all candidates of the last diagnosis
    /// @param anew whether another diagnosis was due
    private Optional<SearchEnd> left(List<Candidate> all, boolean anew) {
        int unseen = tries.unseen(all);
        int notCompared = tries.notCompared(all);
        if (unseen + notCompared == 0 && !anew) {
            return Optional.empty();
        }
        double more =
                (anew ? DIAGNOSIS_SECONDS + seconds(1, Race.LOOK_PAIRS) : 0)
                        + seconds(unseen, Race.LOOK_PAIRS)
                        + seconds((unseen + notCompared) * Kind.PROVE.most(), 1);
        double enough = elapsed() + more + keptSeconds();
        return Optional.of(
                new SearchEnd(
                        settings.budget(),
                        elapsed(),
                        keptSeconds(),
                        unseen,
                        notCompared,
                        anew,
                        Duration.ofMinutes((long) Math.ceil(enough / 60))));
    }

    private double elapsed() {
        return journal.elapsed();
    }

    /// Looks at all, then compares the promising ones, the best first, until one is better.
    private Optional<Candidate> raceAll(List<Candidate> batch, int concurrency, List<Tried> tried)
            throws InterruptedException {
        List<Tried> promising = new ArrayList<>();
        for (Candidate candidate : batch) {
            // a look without a comparison after it proves nothing
            if (stop.getAsBoolean()
                    || !affords(seconds(1, Race.LOOK_PAIRS) + seconds(PROOF_STARTS, 1))) {
                break;
            }
            if (tries.lastGain(candidate) >= 1 + SURE * settings.minEffect()) {
                promising.add(
                        new Tried(
                                candidate,
                                Fate.NOT_COMPARED,
                                tries.last(candidate),
                                Optional.empty(),
                                ""));
                continue;
            }
            Optional<Raced> look = race(candidate, Kind.LOOK, concurrency);
            if (look.isEmpty()) {
                break;
            }
            tries.looked(candidate, look.get().measured());
            Tried seen = fates.looked(candidate, look.get());
            if (seen.fate() == Fate.NOT_COMPARED) {
                promising.add(seen);
                watch.promising(seen);
            } else {
                ended(seen, tried);
            }
        }
        Optional<Candidate> accepted = Optional.empty();
        for (Tried seen : Tries.inOrder(promising)) {
            Tried proved = seen;
            if (accepted.isEmpty() && !stop.getAsBoolean() && affords(seconds(PROOF_STARTS, 1))) {
                Optional<Raced> raced = race(seen.candidate(), Kind.PROVE, concurrency);
                proved = raced.map(r -> fates.proved(seen, r)).orElse(seen);
            }
            ended(proved, tried);
            if (proved.fate() == Fate.ACCEPTED) {
                accepted = Optional.of(proved.candidate());
            }
        }
        return accepted;
    }

    private void ended(Tried one, List<Tried> tried) {
        tries.ended(one);
        tried.add(one);
        watch.tried(one);
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
            known.get().raced().ifPresent(r -> doubts.addAll(r.doubts()));
            return known.get().raced();
        }
        long start = clock.nanos();
        Optional<Raced> raced = race.run(a, b, kind, concurrency, about, watch);
        if (raced.isPresent()) {
            doubts.addAll(raced.get().doubts());
            journal.raced(step, about.toString(), clock.secondsSince(start), raced.get());
        }
        return raced;
    }

    /// Takes each change out again and keeps only those whose removal is worse. Of a larger heap
    /// that is needed, the young generation that came with it may do, on the heap as it was.
    private void ablate(Diagnosed last) throws InterruptedException {
        boolean larger = division.flatMap(d -> d.youngPart(incumbent)).isPresent();
        if (incumbent.size() < 2 && !larger) {
            return;
        }
        for (Change change : incumbent) {
            if (stop.getAsBoolean()) {
                return;
            }
            boolean needed =
                    incumbent.size() == 1
                            || without(
                                            change,
                                            Changes.without(incumbent, change),
                                            Optional.empty(),
                                            last)
                                    .filter(Ablated::kept)
                                    .isPresent();
            Optional<Change> young =
                    division.filter(_ -> needed && !setsYoung(incumbent))
                            .flatMap(d -> d.youngPart(List.of(change)));
            if (young.isPresent()) {
                without(
                        change,
                        Changes.with(Changes.without(incumbent, change), List.of(young.get())),
                        young,
                        last);
            }
        }
    }

    private static boolean setsYoung(List<Change> changes) {
        return changes.stream().anyMatch(c -> Changes.sets(c).equals("-Xmn"));
    }

    /// Compares the incumbent with less, and takes less where it is not worse.
    ///
    /// @param instead what stands for the change; empty where nothing does
    private Optional<Ablated> without(
            Change change, List<Change> less, Optional<Change> instead, Diagnosed last)
            throws InterruptedException {
        Optional<Raced> raced =
                race(incumbent, less, Kind.PROVE, concurrency(last), new Step.TakeOut(change));
        if (raced.isEmpty()) {
            return Optional.empty();
        }
        boolean needed =
                raced.get().ended() != Ended.MEASURED
                        || raced.get().measured().map(Measured::outcome).orElseThrow()
                                == Outcome.WORSE;
        Optional<Ablated> ablated =
                raced.get().measured().map(m -> new Ablated(change, instead, m, needed));
        ablated.ifPresent(a -> {
            ablation.add(a);
            watch.ablated(a);
        });
        if (!needed) {
            incumbent = less;
        }
        return ablated;
    }

    private void confirm(Diagnosed baseline, Diagnosed last) throws InterruptedException {
        if (incumbent.isEmpty() || stop.getAsBoolean()) {
            return;
        }
        // above the knees of both, and not far beyond that of the smaller
        double less = Math.min(baseline.knee(), last.knee());
        double more = Math.max(baseline.knee(), last.knee());
        int concurrency = saturating(Math.max(BEYOND_KNEE * less, more));
        confirmed =
                race(List.of(), incumbent, Kind.CONFIRM, concurrency, new Step.Confirm(incumbent))
                        .flatMap(Raced::measured);
    }
}
