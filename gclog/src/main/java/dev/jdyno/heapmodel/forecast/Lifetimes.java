package dev.jdyno.heapmodel.forecast;

import dev.jdyno.measure.gc.HeapObservation;

/// Lifetimes of a program's objects, in allocated bytes: time without allocation does not make
/// objects die for the collector. They are estimated from one run, so they have few parameters.
///
/// Of the last `x` bytes allocated, `inFlight + share · lived(x)` bytes are live. For longer-lived
/// objects:
///
///     lived(x) = x − x² / 4 life            lives evenly spread over 0…2 life, up to x = 2 life
///     lived(x) = life · (1 − exp(−x/life))  lives without memory
///
/// @param builtBytes bytes allocated at the start and never released
/// @param inFlightBytes bytes that are live at any time and die soon: memory of requests in flight
/// @param churnShare share of the allocation that lives longer
/// @param churnLifeBytes mean lifetime of that share
/// @param spread distribution of lifetimes around their mean
record Lifetimes(
        double builtBytes,
        double inFlightBytes,
        double churnShare,
        double churnLifeBytes,
        Spread spread) {
    /// Distribution of lifetimes around their mean.
    enum Spread {
        EVEN,
        /// An exponential distribution: the probability to die next does not depend on the age.
        MEMORYLESS
    }

    /// Maximum share of the allocation that lives longer.
    static final double CHURN_SHARE_MAX = 0.95;

    /// Share of the copied bytes below which promotion counts as none.
    private static final double PROMOTED_NONE = 0.02;

    /// Minimum lifetime of in-flight objects, in Edens. They die well before Eden is full.
    private static final double IN_FLIGHT_SHARE = 0.25;

    /// Value of `alive(2 x) / alive(x) − 1` at which `x` is one life. For smaller values, `alive(2
    /// x)` contains all live bytes.
    private static final double RISE_AT_ONE_LIFE = 1 / 3.0;

    /// The root of `u − u² / 4 = 1`. At this ratio of Eden to life, all live objects that live
    /// longer were allocated since the last collection.
    private static final double SATURATED = 2;

    /// A program in which a part of the allocation lives for a while and nothing else is kept.
    static Lifetimes churn(double share, double lifeBytes, Spread spread) {
        return new Lifetimes(0, 0, share, lifeBytes, spread);
    }

    /// @param seen a run whose log shows what young collections copy
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

    /// True if the live set may be smaller than the log shows. G1's marking leaves garbage in the
    /// old generation until mixed collections free it; a full collection does not.
    static boolean isBound(HeapObservation seen) {
        return seen.liveIsBound()
                || (seen.kind() == HeapObservation.Kind.REGIONS && seen.fullGcs() == 0);
    }

    /// The live set if no old collection shows it. Survivors of one collection that outlive the
    /// next show how much `alive` still rises from one Eden to two.
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

    /// Number of live bytes among the last `x` bytes allocated.
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

    /// The quantile (0…1, 1 excluded) of the lifetimes of longer-lived objects, in bytes.
    double lifeBytes(double quantile) {
        return switch (spread) {
            case EVEN -> 2 * quantile * churnLifeBytes;
            case MEMORYLESS -> churnLifeBytes * -Math.log(1 - quantile);
        };
    }

    /// Live bytes of longer-lived objects at any time.
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
