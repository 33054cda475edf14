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

/// Records the tried candidates, and chooses the next ones.
final class Tries {
    /// Maximum number of candidates of one round. Other candidates follow in the next round.
    static final int MAX_CANDIDATES = 6;

    /// Maximum number of candidates to try again with each new incumbent, after they did not help.
    private static final int MAX_REPEATS = 3;

    private final Map<String, Set<String>> knobValues = new HashMap<>();

    /// Changes of candidates that can never help.
    private final Set<List<Change.Launch>> ruledOut = new HashSet<>();

    /// The last measurement of each candidate, against the incumbent at that time.
    private final Map<List<Change.Launch>, Measured> last = new HashMap<>();

    /// Changes that were tried against the present incumbent.
    private final Set<List<Change.Launch>> done = new HashSet<>();

    /// Changes that were promising in a look (one start) and have not been compared yet.
    private final Set<List<Change.Launch>> waiting = new HashSet<>();

    /// Candidates whose comparison could not exclude a gain that matters.
    private final Map<List<Change.Launch>, Measured> undecided = new LinkedHashMap<>();

    private final Set<List<Change.Launch>> insisted = new HashSet<>();

    private int again;

    /// Starts over with a new incumbent, with which earlier candidates may help.
    void anew() {
        done.clear();
        undecided.clear();
        insisted.clear();
        again = 0;
    }

    /// Knob values that were tried, by the knob's name.
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

    /// Records the end of a trial. A decided comparison replaces the measurement of the first look.
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

    /// Chooses the next candidates. First come those with a gain in their last measurement, then
    /// new ones, then those without a gain. Only a few are tried again, and none is tried twice
    /// against the same incumbent.
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
                        .limit(Math.max(0, MAX_REPEATS - again))
                        .toList();
        List<Candidate> batch =
                Stream.of(
                                before.stream().filter(c -> lastGain(c) > 1),
                                open.stream().filter(c -> !last.containsKey(c.changes())),
                                before.stream().filter(c -> lastGain(c) <= 1))
                        .flatMap(Function.identity())
                        .limit(MAX_CANDIDATES)
                        .toList();
        again += (int) batch.stream().filter(before::contains).count();
        return batch;
    }

    /// Returns the candidate with the largest gain above `min` among undecided comparisons against
    /// the present incumbent. It returns each candidate once.
    Optional<Tried> undecided(List<Candidate> all, double min) {
        Optional<Tried> next =
                all.stream()
                        .flatMap(c -> undecided(c).stream())
                        .filter(t -> gain(t) > min)
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

    /// Sorts candidates for their comparisons. Those that leave the heap size unchanged come before
    /// larger heaps, which take memory and often help only by their larger young generation. Within
    /// each group, the candidate with the largest gain in its look comes first.
    static List<Tried> inOrder(List<Tried> promising) {
        return promising.stream()
                .sorted(
                        Comparator.comparing((Tried t) ->
                                        HeapDivision.heapBytes(t.candidate().changes()).isPresent())
                                .thenComparingDouble(
                                        t -> -t.screened().flatMap(Measured::gain).orElse(0.0)))
                .toList();
    }

    /// Returns the candidates that were never started.
    List<Candidate> unseen(List<Candidate> all) {
        return all.stream()
                .filter(c -> !done.contains(c.changes()) && !last.containsKey(c.changes()))
                .filter(c -> !ruledOut.contains(c.changes()))
                .toList();
    }

    /// Returns the promising candidates that have not been compared yet.
    List<Candidate> notCompared(List<Candidate> all) {
        return all.stream().filter(c -> waiting.contains(c.changes())).toList();
    }

    double lastGain(Candidate candidate) {
        return last(candidate).flatMap(Measured::gain).orElse(0.0);
    }
}
