package dev.jdyno.heapmodel.forecast;

import dev.jdyno.heapmodel.simulation.HeapExhausted;
import dev.jdyno.heapmodel.simulation.HeapTally;
import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.measure.gc.YoungCopy;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// Estimates lifetimes from single young collections of G1, whose Edens differ in size. A
/// collection copies the live part of Eden and the survivors that are still live. For memoryless
/// lifetimes, with `q = exp(−Eden / life)`, this is
///
///     copied = live · (1 − q) + survivors · q
///
/// for each collection, linear in `live` for a given life. Several lives are tried by least
/// squares. If nothing is promoted, age tables show the second part alone. If the log shows the
/// live set, it is one more value to match.
///
/// If all collections follow similar allocations, several lives explain them about equally well.
/// Then the life is chosen with which the simulated heap collects as often as the real one.
final class LifetimeFit {
    /// Share of the collections that is left out at the start, when the live set is built.
    private static final double START_SHARE = 0.1;

    /// Weight of the live set in the log, in units of all collections. It was chosen on six
    /// programs; a fifth or four times as much makes little difference.
    private static final double LIVE_WEIGHT = 0.25;

    /// Weight of the unexplained part, against the squared logarithm of the error of the simulated
    /// count. The unexplained part is the mean square of the unexplained bytes of single
    /// collections, relative to the square of the copied bytes.
    private static final double UNEXPLAINED_WEIGHT = 100;

    /// Weight of full collections, whose number depends on small differences.
    private static final double FULL_WEIGHT = 0.3;

    /// Minimum share of the survivors that are still survivors at the next collection.
    private static final double LASTING = 0.5;

    /// Factor between the lives that are tried, from about a tenth to 33 times the usual Eden.
    private static final double STEP = 1.12;

    private static final int STEPS_BELOW = 20;
    private static final int STEPS_ABOVE = 30;

    private final List<YoungCopy> collections;
    private final double edenBytes;
    private final double copiedBytes;
    private final double knownLiveBytes;
    private final double knownLiveWeight;
    private final double mostBytes;

    private LifetimeFit(HeapObservation.Copying copying, double liveBytes, boolean isBound) {
        List<YoungCopy> all = copying.collections();
        collections = all.subList((int) (all.size() * START_SHARE), all.size());
        edenBytes = Math.max(1, copying.edenBytes());
        copiedBytes =
                Math.max(
                        1,
                        collections.stream()
                                .mapToDouble(YoungCopy::copiedBytes)
                                .average()
                                .orElseThrow());
        knownLiveBytes = liveBytes;
        knownLiveWeight = isBound ? 0 : LIVE_WEIGHT * collections.size();
        mostBytes = isBound ? liveBytes : Double.MAX_VALUE;
    }

    private record Candidate(Lifetimes lives, double unexplained) {}

    /// The lifetimes that explain the collections best.
    ///
    /// @param copying must have at least one single collection
    /// @param liveBytes live set according to old collections
    /// @param isBound true if the live set may be smaller
    static Lifetimes of(HeapObservation.Copying copying, double liveBytes, boolean isBound) {
        return most(new LifetimeFit(copying, liveBytes, isBound).candidates()).lives();
    }

    /// True if survivors mostly live on from one collection to the next after the start, by the age
    /// tables. Then the copied objects are not just those in flight, although little is promoted.
    static boolean isLasting(HeapObservation.Copying copying) {
        List<YoungCopy> all = copying.collections();
        double[] stayed =
                all.subList(all.size() / 2, all.size()).stream()
                        .filter(y -> y.stayedBytes().isPresent() && y.survivorsBeforeBytes() > 0)
                        .mapToDouble(y -> y.stayedBytes().getAsDouble() / y.survivorsBeforeBytes())
                        .sorted()
                        .toArray();
        return stayed.length > 0 && stayed[stayed.length / 2] > LASTING;
    }

    private static Candidate most(List<Candidate> all) {
        Candidate most = all.getFirst();
        for (Candidate c : all) {
            most = c.unexplained() < most.unexplained() ? c : most;
        }
        return most;
    }

    /// The lifetimes that explain the collections about best and with which a replay collects as
    /// often as the run.
    ///
    /// @param copying copying in the run, with at least one single collection
    /// @param replayedBytes bytes allocated in a replay, at most those of the run
    static Lifetimes searched(
            HeapObservation seen,
            HeapObservation.Copying copying,
            double replayedBytes,
            LifetimeSearch.Replay replay) {
        // the best candidates come first: most of the others cannot be better and are not replayed
        List<Candidate> all =
                new LifetimeFit(copying, seen.liveBytes(), Lifetimes.isBound(seen))
                        .candidates().stream()
                                .sorted(Comparator.comparingDouble(Candidate::unexplained))
                                .toList();
        Candidate most = all.getFirst();
        double scale = seen.allocatedBytes() / replayedBytes;
        Lifetimes best = most.lives();
        double min = Double.MAX_VALUE;
        for (Candidate c : all) {
            double away = UNEXPLAINED_WEIGHT * (c.unexplained() - most.unexplained());
            if (away >= min) {
                break;
            }
            try {
                HeapTally tally = replay.of(c.lives());
                away +=
                        LifetimeSearch.square(scale * tally.youngGcs(), (double) seen.youngGcs())
                                + FULL_WEIGHT
                                        * LifetimeSearch.square(
                                                scale * tally.fullGcs() + 1, seen.fullGcs() + 1.0);
            } catch (HeapExhausted e) {
                continue;
            }
            if (away < min) {
                min = away;
                best = c.lives();
            }
        }
        return best;
    }

    private List<Candidate> candidates() {
        return IntStream.rangeClosed(-STEPS_BELOW, STEPS_ABOVE)
                .mapToDouble(step -> edenBytes * Math.pow(STEP, step))
                .mapToObj(life -> candidate(life, live(life)))
                .toList();
    }

    /// The live set that fits best for this life, within its limits.
    private double live(double life) {
        double above = knownLiveWeight * knownLiveBytes;
        double below = knownLiveWeight;
        for (YoungCopy y : collections) {
            double q = Math.exp(-y.edenBytes() / life);
            double stayed = y.stayedBytes().orElse(y.survivorsBeforeBytes() * q);
            above += (1 - q) * (y.copiedBytes() - stayed);
            below += (1 - q) * (1 - q);
        }
        double live = below > 0 ? above / below : 0;
        return Math.max(0, Math.min(live, Math.min(Lifetimes.CHURN_SHARE_MAX * life, mostBytes)));
    }

    private Candidate candidate(double life, double live) {
        double squares = knownLiveWeight * (live - knownLiveBytes) * (live - knownLiveBytes);
        for (YoungCopy y : collections) {
            double q = Math.exp(-y.edenBytes() / life);
            double expected = y.survivorsBeforeBytes() * q;
            double stayed = y.stayedBytes().orElse(expected);
            double off = y.copiedBytes() - stayed - live * (1 - q);
            squares += off * off + (stayed - expected) * (stayed - expected);
        }
        return new Candidate(
                Lifetimes.churn(live / life, life, Lifetimes.Spread.MEMORYLESS),
                squares / collections.size() / (copiedBytes * copiedBytes));
    }
}
