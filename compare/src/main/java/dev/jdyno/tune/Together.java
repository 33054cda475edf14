package dev.jdyno.tune;

import dev.jdyno.compare.Note;
import dev.jdyno.compare.Outcome;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.tune.Race.Ended;
import dev.jdyno.tune.Race.Raced;
import dev.jdyno.tune.RaceAtOnce.Joint;
import dev.jdyno.tune.RaceAtOnce.TakenOut;
import dev.jdyno.tune.Tuned.Ablated;
import dev.jdyno.tune.Tuned.Fate;
import dev.jdyno.tune.Tuned.Tried;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/// Compares promising candidates together, each also taken out, and decides which of them are
/// accepted.
final class Together {
    /// Variants beside those without one candidate: the service as it is, and with all candidates.
    static final int CONTROL_AND_ALL = 2;

    private final Races races;
    private final Spending spending;
    private final Fates fates;
    private final List<Note> notes = new ArrayList<>();

    Together(Races races, Spending spending, Fates fates) {
        this.races = races;
        this.spending = spending;
        this.fates = fates;
    }

    /// @param tried the result of each candidate that took part
    record Result(Proof proof, List<Tried> tried) {}

    /// Returns the notes on comparisons that proved nothing.
    List<Note> notes() {
        return notes;
    }

    /// Compares those of the candidates that fit.
    ///
    /// @param promising the best first
    /// @param kept seconds of the budget that are kept for later steps
    /// @return empty if fewer than two fit, or none is proved
    Optional<Result> prove(
            List<Tried> promising, List<Change.Launch> incumbent, int concurrency, double kept)
            throws InterruptedException {
        List<Tried> part = fitting(promising, incumbent, kept);
        if (part.size() < 2) {
            return Optional.empty();
        }
        boolean first = races.proofs() == 0;
        List<Candidate> candidates = part.stream().map(Tried::candidate).toList();
        Optional<Joint> joint =
                races.prove(
                        incumbent, candidates, concurrency, spending.pairs(), spending.left(kept));
        if (joint.isEmpty()) {
            return Optional.empty();
        }
        Optional<Result> result =
                better(joint.get().all()).isPresent()
                        ? result(part, joint.get(), incumbent, first)
                        : Optional.empty();
        if (result.isEmpty()) {
            notes.add(notProved(candidates, joint.get()));
        }
        return result;
    }

    /// Returns how many of these candidates can run together: the service as it is, with all of
    /// them, and with all but each. 1 if they can only be compared one by one.
    int most(List<Candidate> candidates, List<Change.Launch> incumbent) {
        int n = Math.min(candidates.size(), RaceAtOnce.MAX_INSTANCES - CONTROL_AND_ALL);
        for (; n > 1; n--) {
            List<Change.Launch> all = incumbent;
            for (Candidate candidate : candidates.subList(0, n)) {
                all = Changes.with(all, candidate.changes());
            }
            List<List<Change.Launch>> sets = new ArrayList<>(List.of(incumbent));
            sets.addAll(Collections.nCopies(n + 1, all));
            if (races.fits(sets)) {
                return n;
            }
        }
        return 1;
    }

    /// Returns the promising candidates that can be compared together: as many as run at once and
    /// as the budget allows, and of those that set the same thing, or divide the heap, the best.
    private List<Tried> fitting(List<Tried> promising, List<Change.Launch> incumbent, double kept) {
        List<Tried> part = new ArrayList<>();
        List<Change.Launch> all = incumbent;
        Set<String> taken = new HashSet<>();
        boolean heapTaken = false;
        for (Tried seen : promising) {
            List<Change.Launch> changes = seen.candidate().changes();
            boolean divides = changes.stream().anyMatch(HeapDivision::divides);
            if ((divides && heapTaken)
                    || changes.stream().map(Changes::sets).anyMatch(taken::contains)) {
                continue;
            }
            List<Change.Launch> more = Changes.with(all, changes);
            int instances = part.size() + 1 + CONTROL_AND_ALL;
            List<List<Change.Launch>> sets = new ArrayList<>(List.of(incumbent));
            for (int i = 1; i < instances; i++) {
                sets.add(more);
            }
            double seconds = RaceAtOnce.MIN_STARTS * spending.jointSeconds(instances);
            if (races.fits(sets) && spending.hasTime(seconds, kept)) {
                part.add(seen);
                all = more;
                heapTaken |= divides;
                changes.forEach(c -> taken.add(Changes.sets(c)));
            }
        }
        return part;
    }

    /// Accepts each candidate whose removal makes the service worse.
    ///
    /// @return empty if there is none, or if the service failed without one of the candidates: the
    ///   set that is left may be the one that failed
    private Optional<Result> result(
            List<Tried> part, Joint joint, List<Change.Launch> incumbent, boolean first) {
        if (joint.each().stream().anyMatch(Optional::isEmpty)) {
            return Optional.empty();
        }
        List<Change.Launch> to = incumbent;
        List<Ablated> needed = new ArrayList<>();
        List<Tried> tried = new ArrayList<>();
        List<TakenOut> dropped = new ArrayList<>();
        for (int i = 0; i < part.size(); i++) {
            TakenOut takenOut = joint.each().get(i).orElseThrow();
            Tried one = fate(part.get(i), takenOut.gives());
            tried.add(one);
            if (one.fate() == Fate.ACCEPTED) {
                List<Change.Launch> changes = one.candidate().changes();
                to = Changes.with(to, changes);
                if (changes.size() == 1) {
                    Measured without = one.measured().orElseThrow().exchanged();
                    needed.add(new Ablated(changes.getFirst(), without, true));
                }
            } else {
                dropped.add(takenOut);
            }
        }
        Optional<Measured> measured =
                switch (dropped.size()) {
                    case 0 -> joint.all().measured();
                    case 1 -> better(dropped.getFirst().others());
                    default -> Optional.empty();
                };
        return to.equals(incumbent)
                ? Optional.empty()
                : Optional.of(new Result(new Proof(incumbent, to, measured, first, needed), tried));
    }

    /// A candidate that gives nothing beside the others may do the same as one of them. So it is
    /// not rejected, and has its turn again with what was accepted.
    private Tried fate(Tried seen, Raced gives) {
        Tried proved = fates.proved(seen, gives);
        boolean nothing =
                proved.fate() == Fate.REJECTED
                        && proved.measured()
                                .filter(m -> m.outcome() == Outcome.EQUIVALENT)
                                .isPresent();
        return nothing
                ? new Tried(
                        seen.candidate(),
                        Fate.NOT_COMPARED,
                        seen.screened(),
                        Optional.empty(),
                        seen.why())
                : proved;
    }

    private Optional<Measured> better(Raced raced) {
        return raced.ended() == Ended.MEASURED && fates.unusable(raced).isEmpty()
                ? raced.measured().filter(m -> m.outcome() == Outcome.BETTER)
                : Optional.empty();
    }

    private Note notProved(List<Candidate> candidates, Joint joint) {
        List<Change.Launch> changes =
                candidates.stream().flatMap(c -> c.changes().stream()).toList();
        Raced all = joint.all();
        if (better(all).isEmpty()) {
            Optional<Measured> measured = all.measured().filter(_ -> all.ended() == Ended.MEASURED);
            return new Note.NotBetterTogether(
                    changes, measured.flatMap(Measured::gain), measured.flatMap(Measured::ci95));
        }
        List<Change.Launch> without =
                IntStream.range(0, candidates.size())
                        .filter(i -> joint.each().get(i).isEmpty())
                        .mapToObj(candidates::get)
                        .flatMap(c -> c.changes().stream())
                        .toList();
        return without.isEmpty()
                ? new Note.NoneNeeded(changes)
                : new Note.FailedWithout(changes, without);
    }
}
