package dev.jdyno.capacity;

import dev.jdyno.measure.Goal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The share of a trial's requests that miss one goal, with bounds that know that misses come in
/// clumps: while the queue is long everybody misses, and one long pause makes hundreds.
///
/// Two parts, estimated apart:
/// - *pauses*: by the pauses of all trials so far ({@link PauseRecord}); the slices in a pause's
///   shadow are taken out of the rest;
/// - *queue*: misses of the other slices in blocks of several relaxation times. Their variance over
///   their mean is the clump size; it is never taken as less than theory says for such a queue
///   (Poisson clumping: about ρ / (1 − ρ)² requests in one excursion), because few blocks with few
///   misses show it too small.
final class MissShare {
    /// Share of clumps by theory that is the least believed; service times vary less than
    /// exponentially in most services, and several servers shorten excursions.
    private static final double LEAST_CLUMP_SHARE = 0.25;

    /// Blocks last this many relaxation times, so that they are nearly independent.
    private static final double RELAXATIONS_PER_BLOCK = 4;

    /// Blocks fewer than this show no variance worth the name.
    private static final int MIN_BLOCKS = 6;

    /// After a pause the backlog is worked off at the rate that is free; this much longer is taken
    /// out, for the end of it is not sharp.
    private static final double SHADOW = 1.5;

    private final Goal goal;
    private final int goalIndex;
    private final double saturationQps;
    private final double z;

    /// @param saturationQps the rate at which the service is used up
    /// @param z one-sided normal quantile of both bounds
    MissShare(Goal goal, int goalIndex, double saturationQps, double z) {
        this.goal = goal;
        this.goalIndex = goalIndex;
        this.saturationQps = saturationQps;
        this.z = z;
    }

    /// The time in which a queue at this rate forgets, in seconds: 2 / (μ (1 − ρ)²), capped where
    /// the queue has no rest to forget to.
    static double relaxationSeconds(double ratePerS, double saturationQps) {
        double idle = Math.max(0.03, 1 - ratePerS / saturationQps);
        return 2 / (saturationQps * idle * idle);
    }

    /// The first seconds of a trial are filling up; they say nothing of the load.
    static double settlingSeconds(double ratePerS, double saturationQps) {
        return Math.clamp(5 * relaxationSeconds(ratePerS, saturationQps), 2, 15);
    }

    ShareBounds of(OpenTrial trial, PauseRecord pauses) {
        double rho = Math.min(0.99, trial.ratePerS() / saturationQps);
        return queue(trial)
                .plus(goal.limitMs().isEmpty() ? ShareBounds.NONE : pauses.share(rho, z, 0));
    }

    /// Misses of the slices that no long pause touched.
    ShareBounds queue(OpenTrial trial) {
        double rho = Math.min(0.99, trial.ratePerS() / saturationQps);
        List<OpenTrial.Slice> calm = calmSlices(trial, rho);
        double requests = calm.stream().mapToDouble(OpenTrial.Slice::requests).sum();
        if (requests <= 0) {
            return new ShareBounds(0, 0, 1);
        }
        double misses = calm.stream().mapToDouble(s -> s.misses().get(goalIndex)).sum();
        double clump = clump(calm, misses / requests, rho, trial.ratePerS());
        double events = misses / clump;
        return new ShareBounds(
                misses / requests,
                Math.min(1, Poisson.lower(events, z) * clump / requests),
                Math.min(1, Poisson.upper(events, z) * clump / requests));
    }

    private List<OpenTrial.Slice> calmSlices(OpenTrial trial, double rho) {
        double settled = settlingSeconds(trial.ratePerS(), saturationQps);
        List<OpenTrial.Slice> calm = new ArrayList<>();
        double from = 0;
        for (OpenTrial.Slice s : trial.slices()) {
            double to = from + s.seconds();
            if (from >= settled && !shadowed(trial, from, to, rho)) {
                calm.add(s);
            }
            from = to;
        }
        return calm;
    }

    private boolean shadowed(OpenTrial trial, double from, double to, double rho) {
        for (OpenTrial.Pause p : trial.pauses()) {
            if (PauseRecord.excess(p.ms(), goal.limitMs()) > 0) {
                double end = p.atSecond() + SHADOW * p.ms() / 1000 / (1 - rho);
                if (p.atSecond() < to && end > from) {
                    return true;
                }
            }
        }
        return false;
    }

    /// What to expect of a trial at a rate where the queue alone makes `queueShare` miss.
    ShareBounds forecast(double rate, double queueShare, PauseRecord pauses, double seconds) {
        double rho = Math.min(0.99, rate / saturationQps);
        double requests = Math.max(1, rate * seconds);
        double clump = leastClump(rho, rate);
        double events = queueShare * requests / clump;
        var queue =
                new ShareBounds(
                        queueShare,
                        Poisson.lower(events, z) * clump / requests,
                        Poisson.upper(events, z) * clump / requests);
        return goal.limitMs().isEmpty()
                ? queue
                : queue.plus(pauses.share(rho, z, Math.max(0, seconds)));
    }

    private double leastClump(double rho, double rate) {
        double theory =
                goal.limitMs().isEmpty() ? 1 : LEAST_CLUMP_SHARE * rho / ((1 - rho) * (1 - rho));
        return Math.max(1, Math.min(theory, rate));
    }

    /// Requests per clump: the largest variance over mean of the misses in blocks, over block
    /// lengths from a few relaxation times up to a sixth of the trial, so that slow drift shows
    /// too.
    private double clump(List<OpenTrial.Slice> calm, double share, double rho, double rate) {
        double largest = leastClump(rho, rate);
        double blockSeconds =
                Math.max(2, RELAXATIONS_PER_BLOCK * relaxationSeconds(rate, saturationQps));
        while (true) {
            Optional<Double> dispersion = dispersion(calm, share, blockSeconds);
            if (dispersion.isEmpty()) {
                return largest;
            }
            largest = Math.max(largest, dispersion.get());
            blockSeconds *= 2;
        }
    }

    /// Variance over mean; empty when there are too few blocks of that length.
    private Optional<Double> dispersion(
            List<OpenTrial.Slice> calm, double share, double blockSeconds) {
        double mean = 0;
        double variance = 0;
        int blocks = 0;
        double requests = 0;
        double misses = 0;
        double seconds = 0;
        for (OpenTrial.Slice s : calm) {
            requests += s.requests();
            misses += s.misses().get(goalIndex);
            seconds += s.seconds();
            if (seconds >= blockSeconds) {
                double off = misses - share * requests;
                variance += off * off;
                mean += misses;
                blocks++;
                requests = 0;
                misses = 0;
                seconds = 0;
            }
        }
        return blocks < MIN_BLOCKS
                ? Optional.empty()
                : Optional.of(mean <= 0 ? 0 : variance / mean);
    }
}
