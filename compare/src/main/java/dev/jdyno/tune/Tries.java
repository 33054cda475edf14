package dev.jdyno.tune;

import dev.jdyno.measure.verdict.Change;
import dev.jdyno.tune.Tuned.Tried;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/// What was tried so far, and what is to be tried next.
final class Tries {
    /// Candidates of one round; the others have their turn in the next.
    static final int MOST_CANDIDATES = 6;

    /// Candidates that did not help before and are tried again with each new incumbent.
    private static final int MOST_AGAIN = 3;

    private final Map<String, Set<String>> knobValues = new HashMap<>();

    /// What never helps, by what it changes.
    private final Set<List<Change.Launch>> ruledOut = new HashSet<>();

    /// The last measurement of each candidate, against whatever was the incumbent then.
    private final Map<List<Change.Launch>, Measured> last = new HashMap<>();

    /// What was tried against the present incumbent.
    private final Set<List<Change.Launch>> done = new HashSet<>();

    /// What a look found worth a comparison that was not made.
    private final Set<List<Change.Launch>> waiting = new HashSet<>();

    /// Candidates whose comparison could not exclude a gain that matters.
    private final Map<List<Change.Launch>, Measured> undecided = new LinkedHashMap<>();

    private final Set<List<Change.Launch>> insisted = new HashSet<>();

    private int again;

    /// Another incumbent: what was tried may help now.
    void anew() {
        done.clear();
        undecided.clear();
        insisted.clear();
        again = 0;
    }

    /// Values of knobs that were tried, by the knob's name.
    Map<String, Set<String>> knobValues() {
        return knobValues;
    }

    void looked(Candidate candidate, Optional<Measured> look) {
        look.ifPresent(m -> last.put(candidate.changes(), m));
        candidate
                .knobValue()
                .ifPresent(v ->
                        knobValues
                                .computeIfAbsent(v.knob(), _ -> new LinkedHashSet<>())
                                .add(v.value()));
    }

    /// What a comparison has said counts more than the look before.
    void ended(Tried tried) {
        List<Change.Launch> changes = tried.candidate().changes();
        done.add(changes);
        if (tried.fate() == Tuned.Fate.NOT_COMPARED) {
            waiting.add(changes);
        } else {
            waiting.remove(changes);
        }
        if (tried.fate() == Tuned.Fate.INCONCLUSIVE && !insisted.contains(changes)) {
            tried.measured().ifPresent(m -> undecided.put(changes, m));
        } else {
            undecided.remove(changes);
        }
        if (Fates.rulesOut(tried)) {
            ruledOut.add(changes);
        }
        if (tried.fate() != Tuned.Fate.INCONCLUSIVE) {
            tried.measured().ifPresent(m -> last.put(changes, m));
        }
    }

    Optional<Measured> last(Candidate candidate) {
        return Optional.ofNullable(last.get(candidate.changes()));
    }

    /// First what was better when it was last measured, then what was never tried, then what was
    /// not better; of what was tried before only a few, and nothing twice against one incumbent.
    List<Candidate> next(List<Candidate> all) {
        List<Candidate> open =
                all.stream()
                        .filter(c -> !done.contains(c.changes()))
                        .filter(c -> !ruledOut.contains(c.changes()))
                        .toList();
        List<Candidate> before =
                open.stream()
                        .filter(c -> last.containsKey(c.changes()))
                        .sorted(Comparator.comparingDouble(c -> -lastGain(c)))
                        .limit(Math.max(0, MOST_AGAIN - again))
                        .toList();
        List<Candidate> batch =
                Stream.of(
                                before.stream().filter(c -> lastGain(c) > 1),
                                open.stream().filter(c -> !last.containsKey(c.changes())),
                                before.stream().filter(c -> lastGain(c) <= 1))
                        .flatMap(Function.identity())
                        .limit(MOST_CANDIDATES)
                        .toList();
        again += (int) batch.stream().filter(before::contains).count();
        return batch;
    }

    /// Of those whose comparison against the present incumbent decided nothing the one that gained
    /// most, and more than this; each of them once.
    Optional<Tried> undecided(List<Candidate> all, double least) {
        Optional<Tried> next =
                all.stream()
                        .flatMap(c -> undecided(c).stream())
                        .filter(t -> gain(t) > least)
                        .max(Comparator.comparingDouble(Tries::gain));
        next.ifPresent(t -> {
            undecided.remove(t.candidate().changes());
            insisted.add(t.candidate().changes());
        });
        return next;
    }

    private Optional<Tried> undecided(Candidate c) {
        return Optional.ofNullable(undecided.get(c.changes()))
                .map(m -> new Tried(c, Tuned.Fate.INCONCLUSIVE, last(c), Optional.of(m), ""));
    }

    private static double gain(Tried tried) {
        return tried.measured().flatMap(Measured::gain).orElse(0.0);
    }

    /// In the order in which they are compared: what leaves the heap's size as it is comes before a
    /// larger heap, which takes memory and often helps by its larger young generation alone; then
    /// the largest gain of the look.
    static List<Tried> inOrder(List<Tried> promising) {
        return promising.stream()
                .sorted(
                        Comparator.comparing((Tried t) ->
                                        HeapDivision.heapBytes(t.candidate().changes()).isPresent())
                                .thenComparingDouble(
                                        t -> -t.screened().flatMap(Measured::gain).orElse(0.0)))
                .toList();
    }

    /// Those of them without a look yet.
    List<Candidate> unseen(List<Candidate> all) {
        return all.stream()
                .filter(c -> !done.contains(c.changes()) && !last.containsKey(c.changes()))
                .filter(c -> !ruledOut.contains(c.changes()))
                .toList();
    }

    /// Those of them that a look found worth a comparison that was not made.
    int notCompared(List<Candidate> all) {
        return (int) all.stream().filter(c -> waiting.contains(c.changes())).count();
    }

    double lastGain(Candidate candidate) {
        return last(candidate).flatMap(Measured::gain).orElse(0.0);
    }
}
