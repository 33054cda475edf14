package dev.jdyno.capacity.goal;

import dev.jdyno.capacity.Poisson;
import dev.jdyno.measure.load.Goal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// The share of a trial's requests that miss one goal. Its bounds take into account that misses
/// come in clumps. While the queue is long, every request misses, and one long pause causes
/// hundreds of misses.
///
/// The share has two parts, which are estimated separately:
/// - *pauses*: computed from the pauses of all trials so far ({@link PauseRecord}). Slices in which
///   a pause has an effect (its shadow) are left out of the other part;
/// - *queue*: misses of the other slices, counted in blocks of several relaxation times. Their
///   variance ÷ their mean is the clump size. Few clumps give too small a size, because large
///   clumps are rare. So the theoretical size for such a queue counts like some additional clumps.
final class MissShare {
    /// Weight of the theoretical size, as a number of clumps. In a trial with eight clumps, the
    /// measured and the theoretical size have the same weight.
    private static final double PRIOR_CLUMPS = 8;

    /// Length of a block in relaxation times, so that blocks are nearly independent.
    private static final double RELAXATIONS_PER_BLOCK = 4;

    /// Minimum number of blocks for a meaningful variance.
    private static final int MIN_BLOCKS = 6;

    /// Factor on the time in which a queue processes the backlog of a pause. It is above 1 because
    /// the backlog has no exact end.
    private static final double SHADOW = 1.5;

    private final Goal goal;
    private final int goalIndex;
    private final double saturationQps;
    private final double z;

    /// @param saturationQps the rate at which the service is saturated
    /// @param z one-sided normal quantile of both bounds
    MissShare(Goal goal, int goalIndex, double saturationQps, double z) {
        this.goal = goal;
        this.goalIndex = goalIndex;
        this.saturationQps = saturationQps;
        this.z = z;
    }

    /// Returns the relaxation time in seconds, 2 / (μ (1 − ρ)²). After this time, a queue at this
    /// rate no longer depends on its past. It is limited for a queue with almost no free capacity.
    static double relaxationSeconds(double ratePerS, double saturationQps) {
        double idle = Math.max(0.03, 1 - ratePerS / saturationQps);
        return 2 / (saturationQps * idle * idle);
    }

    /// Returns the length of the start of a trial, in which queues fill up. Its misses are not
    /// representative of the load.
    static double settlingSeconds(double ratePerS, double saturationQps) {
        return Math.clamp(5 * relaxationSeconds(ratePerS, saturationQps), 2, 15);
    }

    ShareBounds of(OpenTrial trial, PauseRecord pauses) {
        double rho = Math.min(0.99, trial.ratePerS() / saturationQps);
        return queue(trial)
                .plus(goal.limitMs().isEmpty() ? ShareBounds.NONE : pauses.share(rho, z, 0));
    }

    /// Returns the share of misses in the slices without the effect of a long pause.
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

    /// Returns the cost of a trial's pauses, together with its prediction by {@link PauseRecord}.
    /// The cost is the number of misses in the shadows of the pauses, minus the misses that the
    /// queue would cause anyway.
    PauseRecord.Cost cost(OpenTrial trial) {
        double rho = Math.min(0.99, trial.ratePerS() / saturationQps);
        double queue = queue(trial).share();
        double missed = 0;
        for (OpenTrial.Slice s : settledSlices(trial, rho, true)) {
            missed += s.misses().get(goalIndex) - queue * s.requests();
        }
        double settled = settlingSeconds(trial.ratePerS(), saturationQps);
        double excess =
                trial.pauses().stream()
                        .filter(p -> p.atSecond() >= settled)
                        .mapToDouble(p -> PauseRecord.excess(p.ms(), goal.limitMs()))
                        .sum();
        double perSecond = trial.ratePerS() / (1 - rho);
        return new PauseRecord.Cost(Math.max(0, missed), excess * perSecond, perSecond);
    }

    private List<OpenTrial.Slice> calmSlices(OpenTrial trial, double rho) {
        return settledSlices(trial, rho, false);
    }

    private List<OpenTrial.Slice> settledSlices(OpenTrial trial, double rho, boolean shadowed) {
        double settled = settlingSeconds(trial.ratePerS(), saturationQps);
        List<OpenTrial.Slice> wanted = new ArrayList<>();
        double from = 0;
        for (OpenTrial.Slice s : trial.slices()) {
            double to = from + s.seconds();
            if (from >= settled && shadowed(trial, from, to, rho) == shadowed) {
                wanted.add(s);
            }
            from = to;
        }
        return wanted;
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

    /// Returns the expected misses of a trial at a rate at which the queue alone makes `queueShare`
    /// miss.
    ShareBounds forecast(double rate, double queueShare, PauseRecord pauses, double seconds) {
        double rho = Math.min(0.99, rate / saturationQps);
        double requests = Math.max(1, rate * seconds);
        double clump = theoreticalClump(rho, rate);
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

    /// Returns variance ÷ mean of the misses over a long time. The formula holds for a queue in
    /// which few requests wait as long as the limit. Source: Aldous 1989, Poisson clumping of a
    /// Brownian motion with drift. The time over the limit in one excursion has mean σ² / 2μ² and
    /// mean square σ⁴ / μ⁴. With Poisson arrivals and almost constant service times, that gives 2ρ²
    /// / (1 − ρ)² requests.
    private double theoreticalClump(double rho, double rate) {
        double theory = goal.limitMs().isEmpty() ? 1 : 2 * rho * rho / ((1 - rho) * (1 - rho));
        return Math.max(1, Math.min(theory, rate));
    }

    /// Returns the number of misses per clump: the measured number, averaged with the theoretical
    /// one. The fewer clumps the trial has, the more the theoretical number counts.
    private double clump(List<OpenTrial.Slice> calm, double share, double rho, double rate) {
        double misses = calm.stream().mapToDouble(s -> s.misses().get(goalIndex)).sum();
        double theory = theoreticalClump(rho, rate);
        double seen = seenClump(calm, share, rate).orElse(theory);
        return (misses + PRIOR_CLUMPS * theory) / (misses / seen + PRIOR_CLUMPS);
    }

    /// Returns the largest variance ÷ mean of the misses in blocks; at least 1. Block lengths range
    /// from a few relaxation times to a sixth of the trial, so slow drift has an effect, too. Empty
    /// if the trial is too short for such blocks.
    private OptionalDouble seenClump(List<OpenTrial.Slice> calm, double share, double rate) {
        OptionalDouble largest = OptionalDouble.empty();
        double blockSeconds =
                Math.max(2, RELAXATIONS_PER_BLOCK * relaxationSeconds(rate, saturationQps));
        while (true) {
            Optional<Double> dispersion = dispersion(calm, share, blockSeconds);
            if (dispersion.isEmpty()) {
                return largest;
            }
            largest = OptionalDouble.of(Math.max(largest.orElse(1), dispersion.get()));
            blockSeconds *= 2;
        }
    }

    /// Returns variance ÷ mean of the misses in blocks of that length; empty for too few blocks.
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
