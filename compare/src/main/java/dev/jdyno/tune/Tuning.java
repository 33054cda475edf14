package dev.jdyno.tune;

import static java.util.stream.Collectors.toSet;

import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Note;
import dev.jdyno.compare.Outcome;
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
import dev.jdyno.tune.Tuned.Tried;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Tunes one service: diagnoses it, tries settings, accepts those that a comparison proves better,
/// and diagnoses again. In the end it removes each change again, and confirms the rest.
///
/// All decisions follow from the contents of the {@link Journal}. A tuning that continues after an
/// interruption therefore decides as it would have without it.
public final class Tuning implements AutoCloseable {
    private final TuneSettings settings;
    private final Journal journal;
    private final Session session;
    private final Watch watch;
    private final Applied applied;
    private final Race race;
    private final RaceAtOnce atOnce;
    private final Races races;
    private final Batch trying;
    private final Diagnoses diagnoses;
    private final Spending spending;
    private final Fates fates;

    private final Bearable bearable;

    /// Requests in flight at which the last change was accepted, until the next diagnosis.
    private int compared;

    private final List<Tuned.Round> rounds = new ArrayList<>();
    private final List<Ablated> ablation = new ArrayList<>();
    private final List<Note> notes = new ArrayList<>();
    private final Tries tries = new Tries();
    private List<Change.Launch> incumbent = List.of();
    private Optional<HeapDivision> division = Optional.empty();
    private Optional<Measured> confirmed = Optional.empty();

    /// The comparison that proved the last accepted change.
    private Optional<Proof> proof = Optional.empty();

    /// Changes that were proved by the CPU time of a request.
    private final Set<Change.Launch> provedByCpu = new HashSet<>();

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
        this.atOnce = new RaceAtOnce(race, applied, settings, service, session, watch);
        this.races = new Races(race, atOnce, journal, session, watch);
        this.trying = new Batch(settings, races, spending, tries, session, watch);
        journal.dropped().ifPresent(notes::add);
        notes.addAll(journal.notes());
    }

    /// @param environment environment variables with which the service is started
    /// @param session has the folder of the result; measurements of an earlier run there are used
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
        Recording recording = made.get().recording();
        recording.target().heapMaxBytes().ifPresent(atOnce::heapBytes);
        List<Candidate> candidates = diagnoses.candidates(made.get(), List.of(), Map.of());
        notes.addAll(diagnoses.notes());
        return Optional.of(
                new Preview(
                        Diagnosed.of(diagnoses.judged(recording)),
                        candidates,
                        Tries.MAX_CANDIDATES,
                        trying.plan(tries.next(candidates), candidates, List.of()),
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
                recording.target().heapMaxBytes().ifPresent(atOnce::heapBytes);
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
        notes.addAll(trying.notes());
        notes.addAll(atOnce.notes());
        races.doubts().forEach(d -> notes.add(note(d)));
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
        diagnoses.availableBytes().ifPresent(atOnce::availableBytes);
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
                race.decideBy(deciding(diagnosed.get()));
                tries.anew();
                compared = 0;
            }
            all = diagnoses.candidates(made, incumbent, tries.knobValues());
            List<Candidate> batch = tries.next(all);
            if (!planned) {
                watch.plans(trying.plan(batch, all, incumbent));
                planned = true;
            }
            List<Tried> tried = new ArrayList<>();
            Optional<Proof> proved;
            try {
                int concurrency = concurrency(diagnosed.orElseThrow(), made, batch);
                proved =
                        batch.isEmpty()
                                ? trying.insist(all, incumbent, concurrency, tried)
                                : trying.tryAll(batch, incumbent, concurrency, tried);
                compared = proved.isPresent() ? concurrency : compared;
            } finally {
                // results before a failure stay valid
                if (!tried.isEmpty()) {
                    rounds.add(new Tuned.Round(diagnosed.orElseThrow(), tried));
                }
            }
            anew = proved.isPresent();
            if (anew) {
                proof = proved;
                Proof accepted = proved.get();
                if (deciding(diagnosed.orElseThrow()) == Metric.CPU) {
                    provedByCpu.addAll(accepted.to());
                    provedByCpu.removeAll(accepted.from());
                }
                incumbent = accepted.to();
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
        searchEnd = searchEnd(all, anew);
        return diagnosed;
    }

    private Optional<SearchEnd> searchEnd(List<Candidate> all, boolean anew) {
        List<Candidate> unseen = tries.unseen(all);
        List<Candidate> waiting = tries.notCompared(all);
        List<Candidate> open = Stream.concat(waiting.stream(), unseen.stream()).toList();
        return spending.end(
                unseen,
                waiting.size(),
                trying.atOnce(unseen, incumbent),
                trying.together(open, incumbent),
                anew,
                incumbent.size(),
                trying.kept(incumbent));
    }

    /// The figure that decides: with the CPU as the limit, the CPU time of a request, which varies
    /// less from start to start than throughput.
    private Metric deciding(Diagnosed diagnosed) {
        return settings.improved() == Metric.QPS && diagnosed.isLimitedByCpu()
                ? Metric.CPU
                : settings.improved();
    }

    private boolean affords(double seconds) {
        return spending.affords(seconds, spending.keptSeconds(incumbent.size() + 1));
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

    /// Takes each change out again and keeps only those whose removal makes the service worse.
    /// Instead of a needed larger heap, the young generation that it implied may suffice on the
    /// original heap.
    private void ablate(Diagnosed last) throws InterruptedException {
        List<Ablated> needed = proofOfIncumbent().map(Proof::needed).orElse(List.of());
        needed.forEach(this::ablated);
        Set<Change.Launch> shown = needed.stream().map(Ablated::change).collect(toSet());
        boolean larger = division.flatMap(d -> d.youngPart(incumbent)).isPresent();
        if (incumbent.size() < 2 && !larger) {
            return;
        }
        for (Change.Launch change : incumbent) {
            if (session.isStopped()) {
                return;
            }
            boolean isNeeded =
                    incumbent.size() == 1
                            || shown.contains(change)
                            || without(
                                            change,
                                            Changes.without(incumbent, change),
                                            Optional.empty(),
                                            last)
                                    .filter(Ablated::kept)
                                    .isPresent();
            Optional<Change.Launch> young =
                    division.filter(_ -> isNeeded && !setsYoung(incumbent))
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
        double kept = spending.keptSeconds(incumbent.size() - ablation.size() - 1);
        if (!spending.affords(spending.proofSeconds(), kept)) {
            return Optional.empty();
        }
        race.decideBy(provedByCpu.contains(change) ? Metric.CPU : settings.improved());
        Optional<Raced> raced =
                races.race(
                        incumbent,
                        less,
                        Kind.PROVE,
                        bearable.saturating(beyond(last)),
                        spending.left(kept),
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
        ablated.ifPresent(this::ablated);
        if (!needed) {
            incumbent = less;
        }
        return ablated;
    }

    private void ablated(Ablated one) {
        ablation.add(one);
        watch.ablated(one);
    }

    /// The comparison that proved exactly the accepted changes; empty if there is none.
    private Optional<Proof> proofOfIncumbent() {
        return proof.filter(p -> p.to().equals(incumbent));
    }

    private void confirm(Diagnosed baseline, Diagnosed last) throws InterruptedException {
        if (incumbent.isEmpty() || session.isStopped()) {
            return;
        }
        Optional<Proof> alike = proofOfIncumbent().filter(p -> p.from().isEmpty());
        if (alike.filter(p -> p.confirms(settings)).isPresent()) {
            confirmed = alike.flatMap(Proof::measured);
            return;
        }
        double least = spending.seconds(Kind.CONFIRM.least(race.noise()), 1);
        if (proof.isPresent() && !spending.affords(least, 0)) {
            confirmed = alike.flatMap(Proof::measured);
            notes.add(new Note.ConfirmationLeftOut());
            return;
        }
        boolean byCpu = deciding(baseline) == Metric.CPU && deciding(last) == Metric.CPU;
        race.decideBy(byCpu ? Metric.CPU : settings.improved());
        int concurrency = bearable.confirming(baseline.knee(), last.knee(), compared);
        Optional<Raced> raced =
                races.race(
                        List.of(),
                        incumbent,
                        Kind.CONFIRM,
                        concurrency,
                        spending.left(0),
                        new Step.Confirm(incumbent));
        Optional<String> unusable = raced.flatMap(fates::unusable);
        if (unusable.isPresent()) {
            notes.add(new Note.NotConfirmed(unusable.get()));
            incumbent = List.of();
            return;
        }
        confirmed = raced.flatMap(Raced::measured);
        // the best of many comparisons may be chance; a new comparison shows whether it is
        if (confirmed.flatMap(Measured::ci95).filter(i -> i.lo() <= 1).isPresent()) {
            incumbent = List.of();
        }
    }
}
