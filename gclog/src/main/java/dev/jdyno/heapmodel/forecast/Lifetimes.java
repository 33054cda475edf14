package dev.jdyno.heapmodel.forecast;

import dev.jdyno.measure.gc.HeapObservation;

/// How long a program's objects live, on the clock of its allocation: a second in which nothing is
/// allocated makes no object die for the collector. Read off one run, so of few parameters.
///
/// Of the last `x` bytes allocated `inFlight + share · lived(x)` are alive, where of what lives
/// longer
///
///     lived(x) = x − x² / 4 life            lives evenly spread over 0…2 life, up to x = 2 life
///     lived(x) = life · (1 − exp(−x/life))  lives without memory
///
/// @param builtBytes made at the start and never let go
/// @param inFlightBytes alive at any time and soon dead: what requests under way hold
/// @param churnShare of the allocation that lives longer
/// @param churnLifeBytes mean lifetime of that
/// @param spread how lifetimes lie around their mean
record Lifetimes(
        double builtBytes,
        double inFlightBytes,
        double churnShare,
        double churnLifeBytes,
        Spread spread) {
    /// How lifetimes lie around their mean.
    enum Spread {
        EVEN,
        /// As likely to die in the next moment however old: an exponential distribution.
        MEMORYLESS
    }

    /// No more than this share of the allocation lives for long.
    static final double CHURN_SHARE_MAX = 0.95;

    /// Less than this share of what is copied going on into old is no promotion to speak of.
    private static final double PROMOTED_NONE = 0.02;

    /// In-flight objects die well before Eden is full.
    private static final double IN_FLIGHT_SHARE = 0.25;

    /// `alive(2 x) / alive(x) − 1` where `x` is one life; below it `alive(2 x)` is all there is.
    private static final double RISE_AT_ONE_LIFE = 1 / 3.0;

    /// The root of `u − u² / 4 = 1`, where all churn that is alive was made since the last
    /// collection.
    private static final double SATURATED = 2;

    /// A program of which a part of the allocation lives for a while, and nothing else is kept.
    static Lifetimes churn(double share, double lifeBytes, Spread spread) {
        return new Lifetimes(0, 0, share, lifeBytes, spread);
    }

    /// @param seen of a collector that tells what its young collections copy
    static Lifetimes of(HeapObservation seen, HeapObservation.Copying copying) {
        double copied = copying.copiedBytes();
        double eden = Math.max(1, copying.edenBytes());
        boolean regions = seen.kind() == HeapObservation.Kind.REGIONS;
        if (copying.promotedBytes() < copied * PROMOTED_NONE
                && !(regions && LifetimeFit.isLasting(copying))) {
            double beyond = copying.copiedTotalBytes() - seen.youngGcs() * copied;
            double built =
                    Math.min(Math.min(seen.liveBytes() - copied, seen.promotedBytes()), beyond);
            return new Lifetimes(Math.max(0, built), copied, 0, 1, Spread.EVEN);
        }
        boolean bound = isBound(seen);
        if (regions && !copying.collections().isEmpty()) {
            return LifetimeFit.of(copying, seen.liveBytes(), bound);
        }
        double live = Math.max(bound ? live(seen, copying) : seen.liveBytes(), copied);
        double life = Math.max(lifeOf(copied / live, eden), live / CHURN_SHARE_MAX);
        return churn(live / life, life, Spread.EVEN);
    }

    /// Whether less may be alive than was seen: G1's marking leaves garbage in old until mixed
    /// collections have come by, a full one does not.
    static boolean isBound(HeapObservation seen) {
        return seen.liveIsBound()
                || (seen.kind() == HeapObservation.Kind.REGIONS && seen.fullGcs() == 0);
    }

    /// Where no old collection tells the live set: survivors of one collection that outlive the
    /// next tell how far `alive` still rises from one Eden to two.
    private static double live(HeapObservation seen, HeapObservation.Copying copying) {
        double rise = copying.promotedBytes() / Math.max(1, copying.survivedBytes());
        if (rise >= 1) {
            return Math.sqrt(seen.liveBytes() * copying.copiedBytes());
        }
        double u =
                rise >= RISE_AT_ONE_LIFE
                        ? (1 - rise) / (1 - (1 + rise) / 4)
                        : SATURATED * (1 - Math.sqrt(1 - 1 / (1 + rise)));
        return Math.min(seen.liveBytes(), copying.survivedBytes() / (u - u * u / 4));
    }

    /// Inverts `copied / live = u − u² / 4` with `u = eden / life`.
    private static double lifeOf(double part, double eden) {
        double u = SATURATED * (1 - Math.sqrt(Math.max(0, 1 - part)));
        return eden / Math.max(u, 1e-3);
    }

    /// How much of the last `x` bytes allocated is alive.
    double alive(double x) {
        double lived =
                switch (spread) {
                    case EVEN -> {
                        double u = Math.min(SATURATED, x / churnLifeBytes);
                        yield churnLifeBytes * (u - u * u / 4);
                    }
                    case MEMORYLESS -> churnLifeBytes * -Math.expm1(-x / churnLifeBytes);
                };
        return Math.min(x, inFlightBytes + churnShare * lived);
    }

    /// The lifetime in bytes that this share (0…1, 1 excluded) of what lives longer does not reach.
    double lifeBytes(double quantile) {
        return switch (spread) {
            case EVEN -> 2 * quantile * churnLifeBytes;
            case MEMORYLESS -> churnLifeBytes * -Math.log(1 - quantile);
        };
    }

    /// What is alive at any time of what lives longer.
    double churnLiveBytes() {
        return churnShare * churnLifeBytes;
    }

    Lifetimes withBuilt(double bytes) {
        return new Lifetimes(bytes, inFlightBytes, churnShare, churnLifeBytes, spread);
    }

    boolean isSteady() {
        return churnShare > 0;
    }

    double inFlightLifeBytes(double edenBytes) {
        return Math.max(inFlightBytes, edenBytes * IN_FLIGHT_SHARE);
    }
}
