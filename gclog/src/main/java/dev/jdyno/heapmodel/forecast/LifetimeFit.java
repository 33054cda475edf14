package dev.jdyno.heapmodel.forecast;

import dev.jdyno.heapmodel.simulation.HeapExhausted;
import dev.jdyno.heapmodel.simulation.HeapTally;
import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.measure.gc.YoungCopy;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// Reads lifetimes off single young collections of G1, whose Edens differ in size: what a
/// collection copies is what is alive of Eden and what still is of the survivors before. With lives
/// without memory, `q = exp(−Eden / life)`, that is
///
///     copied = live · (1 − q) + survivors · q
///
/// for each, linear in `live` for a given life: least squares over some lives. The second part
/// alone is what age tables hold where nothing is promoted. Where the log has the live set, it
/// is one more figure to meet. A log of collections after much the same allocation
/// leaves open which life it is: of those that explain them about as well, it is the one with which
/// the simulated heap collects as often as the real one did.
final class LifetimeFit {
    /// Of the collections at the start, when the live set is built, this share is left out.
    private static final double START_SHARE = 0.1;

    /// What the live set that the log tells weighs, in collections looked at. Chosen on six
    /// programs; a fifth or four times as much makes little difference.
    private static final double LIVE_WEIGHT = 0.25;

    /// What the mean square of what single collections leave unexplained weighs, in squares of what
    /// they copied, against that of the logarithm by which the simulated count is off.
    private static final double UNEXPLAINED_WEIGHT = 100;

    /// What full collections weigh: they come and go with little.
    private static final double FULL_WEIGHT = 0.3;

    /// So much of the survivors must be survivors still.
    private static final double LASTING = 0.5;

    /// Lives tried lie this factor apart, about a tenth to 33 times the usual Eden.
    private static final double STEP = 1.12;

    private static final int STEPS_BELOW = 20;
    private static final int STEPS_ABOVE = 30;

    private final List<YoungCopy> collections;
    private final double edenBytes;
    private final double copiedBytes;
    private final double toldBytes;
    private final double toldWeight;
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
        toldBytes = liveBytes;
        toldWeight = isBound ? 0 : LIVE_WEIGHT * collections.size();
        mostBytes = isBound ? liveBytes : Double.MAX_VALUE;
    }

    private record Candidate(Lifetimes lives, double unexplained) {}

    /// Those that explain the most.
    ///
    /// @param copying with at least one single collection
    /// @param liveBytes as old collections tell it
    /// @param isBound whether less may be alive
    static Lifetimes of(HeapObservation.Copying copying, double liveBytes, boolean isBound) {
        return most(new LifetimeFit(copying, liveBytes, isBound).candidates()).lives();
    }

    /// Whether survivors mostly live on from one collection to the next, once the start is over:
    /// then what is copied is not what happens to be in flight, though little is promoted. Age
    /// tables tell.
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

    /// Those that explain about the most and with which a replay collects as often as was seen.
    ///
    /// @param copying of the run seen, with at least one single collection
    /// @param replayedBytes allocated in a replay, at most what was in the run
    static Lifetimes searched(
            HeapObservation seen,
            HeapObservation.Copying copying,
            double replayedBytes,
            LifetimeSearch.Replay replay) {
        // those that explain most come first: most others cannot be better and are not replayed
        List<Candidate> all =
                new LifetimeFit(copying, seen.liveBytes(), Lifetimes.isBound(seen))
                        .candidates().stream()
                                .sorted(Comparator.comparingDouble(Candidate::unexplained))
                                .toList();
        Candidate most = all.getFirst();
        double scale = seen.allocatedBytes() / replayedBytes;
        Lifetimes best = most.lives();
        double least = Double.MAX_VALUE;
        for (Candidate c : all) {
            double away = UNEXPLAINED_WEIGHT * (c.unexplained() - most.unexplained());
            if (away >= least) {
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
            if (away < least) {
                least = away;
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

    /// The live set that explains most with this life, within what can be.
    private double live(double life) {
        double above = toldWeight * toldBytes;
        double below = toldWeight;
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
        double squares = toldWeight * (live - toldBytes) * (live - toldBytes);
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
