package dev.jdyno.heapmodel.forecast;

import dev.jdyno.heapmodel.simulation.HeapExhausted;
import dev.jdyno.heapmodel.simulation.HeapTally;
import dev.jdyno.measure.gc.HeapObservation;

/// Finds the lifetimes with which the simulated heap reproduces the run: the same number of young
/// and full collections, the same copied and promoted bytes, and the live set that old collections
/// show. The first estimate considers one usual collection and ignores survivors of the one before,
/// which the simulator includes.
final class LifetimeSearch {
    /// A replay of the run on its own heap.
    @FunctionalInterface
    interface Replay {
        HeapTally of(Lifetimes lives) throws HeapExhausted;
    }

    /// Weights of the squared logarithms. Counts and copied bytes have weight 1. Three times or a
    /// third of these weights made little difference on the programs for which they were chosen.
    private static final double PROMOTED_WEIGHT = 0.3;

    private static final double FULL_WEIGHT = 0.3;
    private static final double LIVE_WEIGHT = 0.1;

    /// Share of the allocation that is added to the promoted bytes before they are compared. So
    /// very little promotion counts like none.
    private static final double PROMOTED_GRAIN = 0.01;

    /// First and last factor for steps in share and live set. If no step helps, the factor is
    /// replaced by its square root.
    private static final double FIRST_STEP = 1.5;

    private static final double LAST_STEP = 1.02;
    private static final int ROUNDS = 12;

    /// Maximum share of the allocation for the first estimate, slightly inside the limit.
    private static final double FIRST_SHARE_MAX = 0.9;

    /// Distance if the live set did not fit. It decreases with the live set, so that the search
    /// moves to where it fits.
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

    /// @param estimate a first estimate for a program that promotes
    /// @param copying copying in the run
    /// @param replayedBytes bytes allocated in a replay, at most those of the run
    /// @return evenly spread lifetimes
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

    /// @return true if one of the four neighbours is nearer, and the search has moved there
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

    /// Squared logarithm of the error of a replay. Values below one count as one.
    static double square(double replayed, double was) {
        double off = Math.log(Math.max(1, replayed) / Math.max(1, was));
        return off * off;
    }
}
