package dev.jdyno.tune;

import dev.jdyno.compare.Note;
import dev.jdyno.compare.StartNoise;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.trial.Session;
import dev.jdyno.tune.Race.Kind;
import dev.jdyno.tune.Race.Raced;
import dev.jdyno.tune.Tuned.Fate;
import dev.jdyno.tune.Tuned.Tried;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Tries candidates against the accepted changes. First each candidate gets a look: one start. Then
/// the promising ones are compared in several starts. If there are several, they are first compared
/// all together, and with each of them left out.
final class Batch {
    /// Minimum gain of a candidate in its last comparison, against an earlier incumbent, as a
    /// multiple of the smallest effect. Such a candidate is compared with the next incumbent at
    /// once, without another look (one start of each).
    private static final double SURE = 3;

    /// Minimum gain of an undecided comparison, as a share of the smallest effect, to repeat it.
    private static final double INSIST_FROM = 0.5;

    private final TuneSettings settings;
    private final Races races;
    private final Spending spending;
    private final Tries tries;
    private final Fates fates;
    private final Together together;
    private final Session session;
    private final Watch watch;

    Batch(
            TuneSettings settings,
            Races races,
            Spending spending,
            Tries tries,
            Session session,
            Watch watch) {
        this.settings = settings;
        this.races = races;
        this.spending = spending;
        this.tries = tries;
        this.fates = new Fates(settings);
        this.together = new Together(races, spending, fates);
        this.session = session;
        this.watch = watch;
    }

    /// Tries the candidates.
    ///
    /// @param incumbent the accepted changes
    /// @param tried receives the result of each
    /// @return empty if none is proved
    Optional<Proof> tryAll(
            List<Candidate> batch,
            List<Change.Launch> incumbent,
            int concurrency,
            List<Tried> tried)
            throws InterruptedException {
        List<Tried> promising = Tries.inOrder(promising(batch, incumbent, concurrency, tried));
        List<Tried> single = new ArrayList<>(promising);
        Optional<Together.Result> joint =
                together.prove(promising, incumbent, concurrency, kept(incumbent));
        for (Tried one : joint.map(Together.Result::tried).orElse(List.of())) {
            single.removeIf(t -> t.candidate().equals(one.candidate()));
            ended(one, tried);
        }
        Optional<Proof> proof = joint.map(Together.Result::proof);
        for (Tried seen : single) {
            Tried proved = seen;
            if (proof.isEmpty() && !session.isStopped() && affordsProof(incumbent)) {
                boolean first = races.proofs() == 0;
                Optional<Raced> raced = race(seen.candidate(), incumbent, Kind.PROVE, concurrency);
                proved = raced.map(r -> fates.proved(seen, r)).orElse(seen);
                proof = proof(proved, incumbent, first);
            }
            ended(proved, tried);
        }
        return proof;
    }

    /// Returns the notes on joint comparisons that proved nothing.
    List<Note> notes() {
        return together.notes();
    }

    /// Looks at all candidates, many at once if the service can run so often.
    ///
    /// @return those worth a comparison
    private List<Tried> promising(
            List<Candidate> batch,
            List<Change.Launch> incumbent,
            int concurrency,
            List<Tried> tried)
            throws InterruptedException {
        List<Tried> promising = new ArrayList<>();
        List<Candidate> wanted = new ArrayList<>();
        for (Candidate candidate : batch) {
            if (tries.lastGain(candidate) >= 1 + SURE * settings.minEffect()) {
                promising.add(
                        new Tried(
                                candidate,
                                Fate.NOT_COMPARED,
                                tries.last(candidate),
                                Optional.empty(),
                                ""));
            } else {
                wanted.add(candidate);
            }
        }
        while (!wanted.isEmpty() && !session.isStopped()) {
            int n =
                    spending.lookedAtNext(
                            atOnce(wanted, incumbent),
                            together(wanted, incumbent) > 1,
                            kept(incumbent));
            if (n == 0) {
                break;
            }
            List<Candidate> next = List.copyOf(wanted.subList(0, n));
            List<Raced> looks = races.looks(incumbent, next, concurrency);
            for (int i = 0; i < looks.size(); i++) {
                tries.looked(next.get(i), looks.get(i).measured());
                Tried seen = fates.looked(next.get(i), looks.get(i));
                if (seen.fate() == Fate.NOT_COMPARED) {
                    promising.add(seen);
                    watch.promising(seen);
                } else {
                    ended(seen, tried);
                }
            }
            wanted.subList(0, n).clear();
        }
        return promising;
    }

    /// Returns how many of the candidates can run at the same time as the service; at least one.
    int atOnce(List<Candidate> wanted, List<Change.Launch> incumbent) {
        for (int n = wanted.size(); n > 1; n--) {
            List<List<Change.Launch>> sets = new ArrayList<>(List.of(incumbent));
            wanted.stream().limit(n).forEach(c -> sets.add(Changes.with(incumbent, c.changes())));
            if (races.fits(sets)) {
                return n;
            }
        }
        return 1;
    }

    /// Returns how many of the candidates can be compared together; 1 if only one by one.
    int together(List<Candidate> candidates, List<Change.Launch> incumbent) {
        return together.most(candidates, incumbent);
    }

    /// Plans the budget of the first looks, the comparison after them, and what follows.
    ///
    /// @param batch the candidates that are tried first
    /// @param all all candidates
    BudgetPlan plan(List<Candidate> batch, List<Candidate> all, List<Change.Launch> incumbent) {
        return spending.plan(
                batch, all, wanted -> atOnce(wanted, incumbent), together(batch, incumbent) > 1);
    }

    private Optional<Proof> proof(Tried proved, List<Change.Launch> incumbent, boolean first) {
        return proved.fate() == Fate.ACCEPTED
                ? Optional.of(
                        new Proof(
                                incumbent,
                                Changes.with(incumbent, proved.candidate().changes()),
                                proved.measured(),
                                first,
                                List.of()))
                : Optional.empty();
    }

    /// Repeats undecided comparisons with the remaining budget, until a candidate is better.
    Optional<Proof> insist(
            List<Candidate> all, List<Change.Launch> incumbent, int concurrency, List<Tried> tried)
            throws InterruptedException {
        while (!session.isStopped()
                && affords(spending.seconds(Kind.INSIST.least(StartNoise.NONE), 1), incumbent)) {
            Optional<Tried> next = tries.undecided(all, 1 + INSIST_FROM * settings.minEffect());
            if (next.isEmpty()) {
                break;
            }
            Optional<Raced> raced =
                    race(next.get().candidate(), incumbent, Kind.INSIST, concurrency);
            if (raced.isEmpty()) {
                break;
            }
            Tried proved = fates.proved(next.get(), raced.get());
            ended(proved, tried);
            Optional<Proof> proof = proof(proved, incumbent, false);
            if (proof.isPresent()) {
                return proof;
            }
        }
        return Optional.empty();
    }

    private void ended(Tried one, List<Tried> tried) {
        tries.ended(one);
        tried.add(one);
        watch.tried(one);
    }

    private Optional<Raced> race(
            Candidate candidate, List<Change.Launch> incumbent, Kind kind, int concurrency)
            throws InterruptedException {
        return races.race(
                incumbent,
                Changes.with(incumbent, candidate.changes()),
                kind,
                concurrency,
                spending.left(kept(incumbent)),
                new Step.Prove(candidate));
    }

    private boolean affordsProof(List<Change.Launch> incumbent) {
        return affords(spending.proofSeconds(), incumbent);
    }

    private boolean affords(double seconds, List<Change.Launch> incumbent) {
        return spending.affords(seconds, kept(incumbent));
    }

    /// Seconds to reserve for the end, if one more change is accepted. The first comparison of a
    /// tuning needs no separate confirmation.
    double kept(List<Change.Launch> incumbent) {
        return incumbent.isEmpty() && races.proofs() == 0
                ? 0
                : spending.keptSeconds(incumbent.size() + 1);
    }
}
