package dev.jdyno.tune;

import dev.jdyno.compare.Note;
import dev.jdyno.compare.Outcome;
import dev.jdyno.compare.StartNoise;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.trial.Session;
import dev.jdyno.tune.Race.Ended;
import dev.jdyno.tune.Race.Kind;
import dev.jdyno.tune.Race.Raced;
import dev.jdyno.tune.RaceAtOnce.Joint;
import dev.jdyno.tune.RaceAtOnce.TakenOut;
import dev.jdyno.tune.Tuned.Ablated;
import dev.jdyno.tune.Tuned.Fate;
import dev.jdyno.tune.Tuned.Tried;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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

    /// Gain, as a share of the smallest effect, above which an interval must lie. Then the
    /// comparison needs no separate confirmation.
    private static final double CLEAR = 1.0 / 3;

    private final TuneSettings settings;
    private final Races races;
    private final Spending spending;
    private final Tries tries;
    private final Fates fates;
    private final Session session;
    private final Watch watch;
    private final List<Note> notes = new ArrayList<>();

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
        this.session = session;
        this.watch = watch;
    }

    /// The comparison that proved changes.
    ///
    /// @param from the accepted changes before the comparison
    /// @param to the accepted changes after it
    /// @param confirmed true if it needs no separate confirmation: it is the first comparison, so
    ///   not the best of several, and its interval is clearly above 1
    /// @param needed for each change that was also left out, the comparison without it
    record Proof(
            List<Change.Launch> from,
            List<Change.Launch> to,
            Measured measured,
            boolean confirmed,
            List<Ablated> needed) {
        Proof {
            from = List.copyOf(from);
            to = List.copyOf(to);
            needed = List.copyOf(needed);
        }
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
        List<Tried> together = together(promising, incumbent);
        List<Tried> single = new ArrayList<>(promising);
        Optional<Proof> proof = Optional.empty();
        if (together.size() > 1) {
            List<Tried> ended = new ArrayList<>();
            proof = proveTogether(together, incumbent, concurrency, ended);
            if (proof.isPresent()) {
                Set<Candidate> done = new HashSet<>();
                for (Tried one : ended) {
                    done.add(one.candidate());
                    ended(one, tried);
                }
                single.removeIf(t -> done.contains(t.candidate()));
            }
        }
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

    /// Gives each candidate a look: one start. Several candidates run at once if the machine has
    /// room for so many services.
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
            int n = affordable(atOnce(wanted, incumbent), incumbent);
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

    /// Returns for how many of these candidates the budget allows a look and a comparison. A look
    /// without a later comparison proves nothing.
    private int affordable(int atOnce, List<Change.Launch> incumbent) {
        int n = atOnce;
        while (n > 1 && !spending.hasTime(withProof(n), kept(incumbent))) {
            n--;
        }
        return affords(withProof(n), incumbent) ? n : 0;
    }

    /// Expected duration of a look at this many candidates at once and of the comparison after it.
    private double withProof(int candidates) {
        return spending.lookSeconds(candidates) + spending.proofSeconds(candidates);
    }

    /// Returns the promising candidates that can be compared together: the number that can run at
    /// once, and only the best of those that change the same setting.
    private List<Tried> together(List<Tried> promising, List<Change.Launch> incumbent) {
        List<Tried> together = new ArrayList<>();
        List<Change.Launch> all = incumbent;
        Set<String> taken = new HashSet<>();
        boolean heap = false;
        for (Tried seen : promising) {
            List<Change.Launch> changes = seen.candidate().changes();
            boolean collects = changes.stream().anyMatch(HeapDivision::divides);
            if ((collects && heap)
                    || changes.stream().map(Changes::sets).anyMatch(taken::contains)) {
                continue;
            }
            List<Change.Launch> more = Changes.with(all, changes);
            // the control, one with all changes, and one without each of them
            int instances = together.size() + 3;
            List<List<Change.Launch>> sets = new ArrayList<>(List.of(incumbent));
            for (int i = 1; i < instances; i++) {
                sets.add(more);
            }
            double seconds = RaceAtOnce.MIN_STARTS * spending.jointSeconds(instances);
            if (races.fits(sets) && spending.hasTime(seconds, kept(incumbent))) {
                together.add(seen);
                all = more;
                heap |= collects;
                changes.forEach(c -> taken.add(Changes.sets(c)));
            }
        }
        return together;
    }

    /// @param ended receives the results, if a change is proved
    private Optional<Proof> proveTogether(
            List<Tried> together, List<Change.Launch> incumbent, int concurrency, List<Tried> ended)
            throws InterruptedException {
        boolean first = races.proofs() == 0;
        List<Candidate> candidates = together.stream().map(Tried::candidate).toList();
        Optional<Joint> joint =
                races.prove(
                        incumbent,
                        candidates,
                        concurrency,
                        spending.pairs(),
                        spending.left(kept(incumbent)));
        Optional<Measured> all = joint.map(Joint::all).flatMap(this::better);
        if (all.isEmpty()) {
            joint.map(Joint::all).ifPresent(raced -> notes.add(notBetter(candidates, raced)));
            return Optional.empty();
        }
        return accepted(together, joint.get(), incumbent, ended)
                .map(to ->
                        new Proof(
                                incumbent,
                                to.changes(),
                                to.measured().orElse(all.get()),
                                first && to.measured().filter(this::isClear).isPresent(),
                                to.needed()));
    }

    private static Note notBetter(List<Candidate> candidates, Raced raced) {
        Optional<Measured> measured = raced.measured().filter(_ -> raced.ended() == Ended.MEASURED);
        return new Note.NotBetterTogether(
                candidates.stream().flatMap(c -> c.changes().stream()).toList(),
                measured.flatMap(Measured::gain),
                measured.flatMap(Measured::ci95));
    }

    /// Returns the notes on comparisons that proved nothing.
    List<Note> notes() {
        return notes;
    }

    /// The accepted part of a joint comparison.
    ///
    /// @param changes all accepted changes, including those of the incumbent
    /// @param measured the incumbent compared with these changes; empty if no variant had exactly
    ///   these
    private record Accepted(
            List<Change.Launch> changes, Optional<Measured> measured, List<Ablated> needed) {}

    private Optional<Accepted> accepted(
            List<Tried> together, Joint joint, List<Change.Launch> incumbent, List<Tried> ended) {
        List<Change.Launch> to = incumbent;
        List<Ablated> needed = new ArrayList<>();
        Optional<Measured> measured = joint.all().measured();
        for (int i = 0; i < together.size(); i++) {
            Tried seen = together.get(i);
            Optional<TakenOut> each = joint.each().get(i);
            Tried one = each.map(e -> fates.proved(seen, e.gives())).orElse(seen);
            boolean left = ended.stream().anyMatch(t -> t.fate() != Fate.ACCEPTED);
            ended.add(one);
            List<Change.Launch> changes = seen.candidate().changes();
            if (one.fate() != Fate.ACCEPTED) {
                measured = left ? Optional.empty() : each.flatMap(e -> better(e.others()));
            } else {
                to = Changes.with(to, changes);
                if (changes.size() == 1) {
                    needed.add(
                            new Ablated(
                                    changes.getFirst(),
                                    one.measured().orElseThrow().exchanged(),
                                    true));
                }
            }
        }
        return to.equals(incumbent)
                ? Optional.empty()
                : Optional.of(new Accepted(to, measured, needed));
    }

    private Optional<Measured> better(Raced all) {
        return all.ended() == Ended.MEASURED && fates.unusable(all).isEmpty()
                ? all.measured().filter(m -> m.outcome() == Outcome.BETTER)
                : Optional.empty();
    }

    private boolean isClear(Measured measured) {
        return measured.ci95().filter(i -> i.lo() >= 1 + CLEAR * settings.minEffect()).isPresent();
    }

    private Optional<Proof> proof(Tried proved, List<Change.Launch> incumbent, boolean first) {
        return proved.fate() == Fate.ACCEPTED
                ? Optional.of(
                        new Proof(
                                incumbent,
                                Changes.with(incumbent, proved.candidate().changes()),
                                proved.measured().orElseThrow(),
                                first && isClear(proved.measured().get()),
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
    private double kept(List<Change.Launch> incumbent) {
        return incumbent.isEmpty() && races.proofs() == 0
                ? 0
                : spending.keptSeconds(incumbent.size() + 1);
    }
}
