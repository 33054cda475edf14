package dev.jdyno.heapmodel;

import dev.jdyno.measure.HeapObservation;

/// How long a program's objects live, on the clock of its allocation: a second in which nothing is
/// allocated makes no object die for the collector. Read off one run, so of few parameters.
///
/// Of the last `x` bytes allocated these are alive:
///
///     alive(x) = inFlight + share · (x − x² / 4 life)   for x < 2 life, then share · life
///
/// the second term being objects with lifetimes evenly spread over 0…2 life.
///
/// @param builtBytes made at the start and never let go
/// @param inFlightBytes alive at any time and soon dead: what requests under way hold
/// @param churnShare of the allocation that lives longer
/// @param churnLifeBytes mean lifetime of that
record Lifetimes(
        double builtBytes, double inFlightBytes, double churnShare, double churnLifeBytes) {
    /// Less than this share of what is copied going on into old is no promotion to speak of.
    private static final double PROMOTED_NONE = 0.02;

    /// In-flight objects die well before Eden is full.
    private static final double IN_FLIGHT_SHARE = 0.25;

    /// No more than this share of the allocation lives for long.
    private static final double CHURN_SHARE_MAX = 0.95;

    /// The root of `u − u² / 4 = 1`, where all churn that is alive was made since the last
    /// collection.
    private static final double SATURATED = 2;

    /// @param seen of a collector that tells what its young collections copy
    static Lifetimes of(HeapObservation seen, HeapObservation.Copying copying) {
        double copied = copying.copiedBytes();
        double eden = Math.max(1, copying.edenBytes());
        if (copying.promotedBytes() < copied * PROMOTED_NONE) {
            return new Lifetimes(Math.max(0, seen.liveBytes() - copied), copied, 0, 1);
        }
        double live = Math.max(seen.liveBytes(), copied);
        double life = Math.max(lifeOf(copied / live, eden), live / CHURN_SHARE_MAX);
        return new Lifetimes(0, 0, live / life, life);
    }

    /// Inverts `copied / live = u − u² / 4` with `u = eden / life`.
    private static double lifeOf(double part, double eden) {
        double u = SATURATED * (1 - Math.sqrt(Math.max(0, 1 - part)));
        return eden / Math.max(u, 1e-3);
    }

    double inFlightLifeBytes(double edenBytes) {
        return Math.max(inFlightBytes, edenBytes * IN_FLIGHT_SHARE);
    }
}
