package dev.jdyno.heapmodel.forecast;

import dev.jdyno.heapmodel.simulation.HeapExhausted;
import dev.jdyno.heapmodel.simulation.HeapTally;
import dev.jdyno.measure.gc.HeapObservation;

/// Finds the lifetimes with which the simulated heap does on the heap seen what the real one did:
/// the same number of young and full collections, as much copied and promoted, and the live set
/// that old collections tell. First estimates look at a usual collection alone and leave out what
/// survivors of the one before add to it, which the simulator knows.
final class LifetimeSearch {
    /// A replay of the run on the heap seen.
    @FunctionalInterface
    interface Replay {
        HeapTally of(Lifetimes lives) throws HeapExhausted;
    }

    /// Weights of squared logarithms. Counts and what is copied weigh 1; three times or a third of
    /// these made little difference on the programs they were chosen on.
    private static final double PROMOTED_WEIGHT = 0.3;

    private static final double FULL_WEIGHT = 0.3;
    private static final double LIVE_WEIGHT = 0.1;

    /// Added to promoted bytes, of what is allocated: hardly any or none is the same.
    private static final double PROMOTED_GRAIN = 0.01;

    /// First steps in share and live set, which become their own root when none helps.
    private static final double FIRST_STEP = 1.5;

    private static final double LAST_STEP = 1.02;
    private static final int ROUNDS = 12;

    /// The first estimate's share of the allocation may be at its limit: begin a little inside.
    private static final double FIRST_SHARE_MAX = 0.9;

    /// Far from everything: the live set did not fit. The smaller it is the nearer all the same, so
    /// that the search goes where it fits.
    private static final double EXHAUSTED = 1e9;

    private final HeapObservation seen;
    private final double copiedBytes;
    private final double scale;
    private final Replay replay;

    private double share;
    private double live;
    private double least;

    private LifetimeSearch(
            HeapObservation seen, double copiedBytes, double replayedBytes, Replay replay) {
        this.seen = seen;
        this.copiedBytes = copiedBytes;
        this.replay = replay;
        scale = seen.allocatedBytes() / replayedBytes;
    }

    /// @param estimate a first estimate of a program that promotes
    /// @param copying of the run seen
    /// @param replayedBytes allocated in a replay, at most what was in the run
    /// @return evenly spread lives
    static Lifetimes from(
            Lifetimes estimate,
            HeapObservation seen,
            HeapObservation.Copying copying,
            double replayedBytes,
            Replay replay) {
        var search = new LifetimeSearch(seen, copying.copiedTotalBytes(), replayedBytes, replay);
        search.share = Math.min(FIRST_SHARE_MAX, estimate.churnShare());
        search.live = estimate.churnLiveBytes();
        search.least = search.distance(search.share, search.live);
        double step = FIRST_STEP;
        for (int round = 0; round < ROUNDS && step >= LAST_STEP; round++) {
            if (!search.step(step)) {
                step = Math.sqrt(step);
            }
        }
        return lives(search.share, search.live);
    }

    /// @return whether one of the four neighbours is nearer, and has been gone to
    private boolean step(double by) {
        return goTo(share * by, live)
                || goTo(share / by, live)
                || goTo(share, live * by)
                || goTo(share, live / by);
    }

    private boolean goTo(double wantedShare, double otherLive) {
        double otherShare = Math.min(Lifetimes.CHURN_SHARE_MAX, wantedShare);
        double distance = distance(otherShare, otherLive);
        if (distance >= least) {
            return false;
        }
        share = otherShare;
        live = otherLive;
        least = distance;
        return true;
    }

    private static Lifetimes lives(double share, double live) {
        return Lifetimes.churn(share, live / share, Lifetimes.Spread.EVEN);
    }

    private double distance(double ofShare, double ofLive) {
        HeapTally tally;
        try {
            tally = replay.of(lives(ofShare, ofLive));
        } catch (HeapExhausted e) {
            return EXHAUSTED * (1 + ofLive / seen.heapBytes());
        }
        if (tally.youngGcs() == 0) {
            return EXHAUSTED;
        }
        double grain = PROMOTED_GRAIN * seen.allocatedBytes();
        double alive = Math.log(ofLive / Math.max(1, seen.liveBytes()));
        return square(scale * tally.youngGcs(), (double) seen.youngGcs())
                + square(scale * tally.movedBytes(), copiedBytes)
                + PROMOTED_WEIGHT
                        * square(
                                scale * tally.promotedBytes() + grain, seen.promotedBytes() + grain)
                + FULL_WEIGHT * square(scale * tally.fullGcs() + 1, seen.fullGcs() + 1.0)
                + LIVE_WEIGHT * (seen.liveIsBound() && alive < 0 ? 0 : alive * alive);
    }

    /// Of the logarithm by which a replay is off; less than one counts as one.
    static double square(double replayed, double was) {
        double off = Math.log(Math.max(1, replayed) / Math.max(1, was));
        return off * off;
    }
}
