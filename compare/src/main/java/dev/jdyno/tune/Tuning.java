package dev.jdyno.tune;

import dev.jdyno.compare.Note;
import dev.jdyno.compare.Outcome;
import dev.jdyno.compare.StartNoise;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.plan.Environment;
import dev.jdyno.plan.Plan;
import dev.jdyno.trial.Service;
import dev.jdyno.trial.Session;
import dev.jdyno.tune.Race.Doubt;
import dev.jdyno.tune.Race.Ended;
import dev.jdyno.tune.Race.Kind;
import dev.jdyno.tune.Race.Raced;
import dev.jdyno.tune.Tuned.Ablated;
import dev.jdyno.tune.Tuned.Fate;
import dev.jdyno.tune.Tuned.Tried;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Tunes one service: diagnoses it, tries settings, keeps what a comparison proves better, and
/// diagnoses again. In the end it takes each change out again, and confirms the rest.
///
/// All decisions follow from the contents of the {@link Journal}. A tuning that continues after an
/// interruption therefore decides as it would have without it.
public final class Tuning implements AutoCloseable {
    /// Minimum gain against the last incumbent, in smallest effects, for a candidate to be compared
    /// with the next incumbent without another look.
    private static final double SURE = 3;

    /// Minimum gain of an undecided comparison, as a share of the smallest effect, to repeat it.
    private static final double INSIST_FROM = 0.5;

    private final TuneSettings settings;
    private final Journal journal;
    private final Session session;
    private final Watch watch;
    private final Applied applied;
    private final Race race;
    private final Diagnoses diagnoses;
    private final Spending spending;
    private final Fates fates;

    private final Bearable bearable;

    /// Requests in flight at which the last change was accepted, until the next diagnosis.
    private int compared;

    private final List<Tuned.Round> rounds = new ArrayList<>();
    private final List<Ablated> ablation = new ArrayList<>();
    private final List<Note> notes = new ArrayList<>();
    private final Set<Doubt> doubts = EnumSet.noneOf(Doubt.class);
    private final Tries tries = new Tries();
    private List<Change.Launch> incumbent = List.of();
    private Optional<HeapDivision> division = Optional.empty();
    private Optional<Measured> confirmed = Optional.empty();
    private boolean partial;
    private Optional<SearchEnd> searchEnd = Optional.empty();

    private Tuning(
            Plan plan,
            TuneSettings settings,
            PoolSettings pools,
            Journal journal,
            Service service,
            Session session,
            Watch watch) {
        this.bearable = Bearable.of(plan);
        this.settings = settings;
        this.journal = journal;
        this.session = session;
        this.watch = watch;
        this.applied = new Applied(plan, session.folder().resolve("config"));
        this.race = new Race(applied, settings, service, session);
        this.diagnoses = new Diagnoses(plan, settings, pools, applied, journal, service, session);
        this.spending = new Spending(settings, journal, diagnoses);
        this.fates = new Fates(settings);
        journal.dropped().ifPresent(notes::add);
        notes.addAll(journal.notes());
    }

    /// @param environment in which the service is started
    /// @param session with the folder of the result; measurements of an earlier run there are used
    ///   again
    /// @throws UserError if another tuning writes there, or the folder holds another tuning
    public static Tuning open(
            Plan plan,
            TuneSettings settings,
            PoolSettings pools,
            Environment environment,
            Service service,
            Session session,
            Watch watch) {
        Journal journal = Journal.open(session.folder(), plan, environment, session.clock());
        return new Tuning(plan, settings, pools, journal, service, session, watch);
    }

    @Override
    public void close() {
        journal.close();
    }

    /// @throws UserError if the service does not start or gives no good answer
    public Optional<Preview> preview() throws InterruptedException {
        observeIdleStart();
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
                        Tries.MAX_CANDIDATES,
                        spending.costs(0),
                        notes));
    }

    /// Minimum duration of a useful tuning: a diagnosis, one candidate, and a confirmation.
    public static double minSeconds(TuneSettings settings) {
        return Spending.minSeconds(settings);
    }

    /// Runs the tuning.
    ///
    /// @throws UserError if the unchanged service does not start or gives no good answer
    public Tuned run() throws InterruptedException {
        Optional<Diagnosed> baseline = Optional.empty();
        Optional<Diagnosed> last = Optional.empty();
        try {
            observeIdleStart();
            Optional<Diagnoses.Made> first = diagnoses.of(List.of(), List.of());
            if (first.isPresent()) {
                Recording recording = first.get().recording();
                baseline = Optional.of(Diagnosed.of(diagnoses.judged(recording)));
                division = HeapDivision.of(recording.target());
                last = improve(first.get());
                if (!session.isStopped()) {
                    ablate(last.orElse(baseline.get()));
                    confirm(baseline.get(), last.orElse(baseline.get()));
                }
            }
        } catch (UserError midway) {
            if (baseline.isEmpty()) {
                throw midway;
            }
            partial = true;
            notes.add(new Note.Failed(midway));
        }
        partial |= session.isStopped();
        notes.addAll(diagnoses.notes());
        doubts.forEach(d -> notes.add(note(d)));
        return new Tuned(
                settings.improved(),
                baseline.orElseGet(
                        () -> new Diagnosed(Bottleneck.UNKNOWN, "", "", 0, 0, 0, 0, 1, List.of())),
                rounds,
                incumbent,
                confirmed,
                applied.command(incumbent),
                applied.files(incumbent),
                ablation,
                last.map(Diagnosed::code).orElse(List.of()),
                searchEnd,
                spending.elapsed(),
                journal.resumes(),
                partial,
                notes);
    }

    private Note note(Doubt doubt) {
        return switch (doubt) {
            case NOT_STEADY -> new Note.StartsNotSteady(settings.warmup());
            case HEAP_FILLS -> new Note.ServiceKeepsMore();
        };
    }

    private void observeIdleStart() throws InterruptedException {
        race.java(diagnoses.observeIdleStart());
        race.startSeconds(diagnoses.startSeconds());
        notes.addAll(applied.notes());
    }

    /// @return the last diagnosis
    private Optional<Diagnosed> improve(Diagnoses.Made first) throws InterruptedException {
        Diagnoses.Made made = first;
        Optional<Diagnosed> diagnosed = Optional.empty();
        boolean anew = true;
        boolean planned = false;
        List<Candidate> all = List.of();
        while (!session.isStopped()) {
            if (anew) {
                diagnosed = Optional.of(Diagnosed.of(diagnoses.judged(made.recording())));
                watch.diagnosed(diagnosed.get());
                tries.anew();
                compared = 0;
            }
            all = diagnoses.candidates(made, incumbent, tries.knobValues());
            List<Candidate> batch = tries.next(all);
            if (!planned) {
                watch.plans(spending.plan(batch, all));
                planned = true;
            }
            List<Tried> tried = new ArrayList<>();
            Optional<Candidate> accepted;
            try {
                int concurrency = concurrency(diagnosed.orElseThrow(), made, batch);
                accepted =
                        batch.isEmpty()
                                ? insist(all, concurrency, tried)
                                : raceAll(batch, concurrency, tried);
                compared = accepted.isPresent() ? concurrency : compared;
            } finally {
                // results before a failure are kept
                if (!tried.isEmpty()) {
                    rounds.add(new Tuned.Round(diagnosed.orElseThrow(), tried));
                }
            }
            anew = accepted.isPresent();
            if (anew) {
                incumbent = Changes.with(incumbent, accepted.get().changes());
            }
            if (tried.isEmpty() || (anew && !affords(spending.diagnosisSeconds()))) {
                break;
            }
            if (anew) {
                Optional<Diagnoses.Made> next =
                        diagnoses.of(incumbent, Diagnoses.steps(diagnosed.get(), compared));
                if (next.isEmpty()) {
                    break;
                }
                made = next.get();
            }
        }
        searchEnd = spending.end(tries.unseen(all), tries.notCompared(all), anew, incumbent.size());
        return diagnosed;
    }

    private boolean affords(double seconds) {
        return spending.affords(seconds, incumbent.size());
    }

    private double proofSeconds() {
        return spending.seconds(Spending.PROOF_STARTS, 1);
    }

    /// Returns a concurrency that saturates the service even with the largest candidate.
    private int concurrency(Diagnosed diagnosed, Diagnoses.Made made, List<Candidate> batch) {
        return bearable.inFlight(
                diagnosed.knee(),
                beyond(diagnosed),
                made.recording(),
                batch,
                incumbent,
                tries.knobValues());
    }

    private double beyond(Diagnosed diagnosed) {
        return Math.max(Bearable.BEYOND_KNEE * diagnosed.knee(), compared);
    }

    /// Looks at all candidates, then compares the promising ones in order until one is better.
    private Optional<Candidate> raceAll(List<Candidate> batch, int concurrency, List<Tried> tried)
            throws InterruptedException {
        List<Tried> promising = new ArrayList<>();
        for (Candidate candidate : batch) {
            // a look without a later comparison proves nothing
            if (session.isStopped()
                    || !affords(spending.seconds(1, Race.LOOK_PAIRS) + proofSeconds())) {
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
            if (accepted.isEmpty() && !session.isStopped() && affords(proofSeconds())) {
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

    /// Repeats undecided comparisons with the remaining budget, until a candidate is better.
    private Optional<Candidate> insist(List<Candidate> all, int concurrency, List<Tried> tried)
            throws InterruptedException {
        while (!session.isStopped()
                && affords(spending.seconds(Kind.INSIST.least(StartNoise.NONE), 1))) {
            Optional<Tried> next = tries.undecided(all, 1 + INSIST_FROM * settings.minEffect());
            if (next.isEmpty()) {
                break;
            }
            Candidate candidate = next.get().candidate();
            Optional<Raced> raced = race(candidate, Kind.INSIST, concurrency);
            if (raced.isEmpty()) {
                break;
            }
            Tried proved = fates.proved(next.get(), raced.get());
            ended(proved, tried);
            if (proved.fate() == Fate.ACCEPTED) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
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
                spending.keptSeconds(incumbent.size() + 1),
                kind == Kind.LOOK ? new Step.Look(candidate) : new Step.Prove(candidate));
    }

    /// Compares two sets of changes, or takes the result from the journal.
    ///
    /// @param kept seconds of the budget that are kept for later steps
    private Optional<Raced> race(
            List<Change.Launch> a,
            List<Change.Launch> b,
            Kind kind,
            int concurrency,
            double kept,
            Step about)
            throws InterruptedException {
        String step = kind + " " + concurrency + "\n" + Changes.ids(a) + "\nor\n" + Changes.ids(b);
        Optional<Journal.Entry> known = journal.of(step);
        if (known.isPresent()) {
            known.get().raced().ifPresent(this::learn);
            return known.get().raced();
        }
        long start = session.clock().nanos();
        Optional<Raced> raced =
                race.run(a, b, kind, concurrency, spending.left(kept), about, watch);
        if (raced.isPresent()) {
            learn(raced.get());
            journal.raced(step, about.about(), session.clock().secondsSince(start), raced.get());
        }
        return raced;
    }

    private void learn(Raced raced) {
        doubts.addAll(raced.doubts());
        race.learn(raced);
    }

    /// Takes each change out again and keeps only those whose removal makes the service worse.
    /// Instead of a needed larger heap, the young generation that it implied may suffice on the
    /// original heap.
    private void ablate(Diagnosed last) throws InterruptedException {
        boolean larger = division.flatMap(d -> d.youngPart(incumbent)).isPresent();
        if (incumbent.size() < 2 && !larger) {
            return;
        }
        for (Change.Launch change : incumbent) {
            if (session.isStopped()) {
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
            Optional<Change.Launch> young =
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

    private static boolean setsYoung(List<Change.Launch> changes) {
        return changes.stream().anyMatch(c -> Changes.sets(c).equals("-Xmn"));
    }

    /// Compares the incumbent with a smaller set, and adopts the smaller set unless it is worse.
    ///
    /// @param instead change that replaces the removed one; empty if none does
    private Optional<Ablated> without(
            Change.Launch change,
            List<Change.Launch> less,
            Optional<Change.Launch> instead,
            Diagnosed last)
            throws InterruptedException {
        Optional<Raced> raced =
                race(
                        incumbent,
                        less,
                        Kind.PROVE,
                        bearable.saturating(beyond(last)),
                        spending.keptSeconds(incumbent.size() - ablation.size() - 1),
                        new Step.TakeOut(change));
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
        if (incumbent.isEmpty() || session.isStopped()) {
            return;
        }
        int concurrency = bearable.confirming(baseline.knee(), last.knee(), compared);
        Optional<Raced> raced =
                race(
                        List.of(),
                        incumbent,
                        Kind.CONFIRM,
                        concurrency,
                        0,
                        new Step.Confirm(incumbent));
        Optional<String> unusable = raced.flatMap(fates::unusable);
        if (unusable.isPresent()) {
            notes.add(new Note.NotConfirmed(unusable.get()));
            incumbent = List.of();
            return;
        }
        confirmed = raced.flatMap(Raced::measured);
        // a choice from many comparisons may be luck; a fresh comparison shows it
        if (confirmed.flatMap(Measured::ci95).filter(i -> i.lo() <= 1).isPresent()) {
            incumbent = List.of();
        }
    }
}
