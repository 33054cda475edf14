package dev.jdyno.guard;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/// Finds which of n commits made a figure worse: a bisection with a noisy judge (Horstein, IEEE
/// Trans. Inf. Theory 1963; Waeber, Frazier & Henderson, SIAM J. Control Optim. 2013).
///
/// In these papers, the probability of a right answer is known. Here the answer of a start is a log
/// ratio, which carries more information than yes or no. It is around 0 before the commit, and
/// around one unknown effect from the commit on, with normal noise of unknown size. A priori, all
/// commits are equally likely. For each commit, the effect (flat prior) and the noise (inverse
/// gamma, as if {@link #USUAL_NOISE} had been seen in two starts) are integrated out. This gives
/// the probabilities in closed form.
///
/// Version 0 is known to be good; commit k turned version k - 1 into version k.
final class Suspects {
    /// Deviation of one start's log ratio on a quiet machine.
    private static final double USUAL_NOISE = 0.02;

    private static final double USUAL_NOISE_STARTS = 2;

    /// Minimum share of the best version's information with which an already built version is
    /// preferred to it.
    private static final double NEARLY = 0.9;

    private final int commits;
    private final List<Seen> seen = new ArrayList<>();
    private final NavigableSet<Integer> missing = new TreeSet<>();
    private double[] upTo;

    /// One start.
    ///
    /// @param logRatio of a version to version 0; above 0 is worse
    private record Seen(int version, double logRatio) {}

    /// Consecutive commits with no measurable version between them. They share one probability.
    ///
    /// @param from the version before the first of them
    /// @param to the version after the last of them
    record Group(int from, int to, double probability) {
        int commits() {
            return to - from;
        }
    }

    /// @param commits number of commits, at least 1
    Suspects(int commits) {
        if (commits < 1) {
            throw new IllegalArgumentException("no commits");
        }
        this.commits = commits;
        this.upTo = posterior();
    }

    /// @param logRatio logarithm of the figure's ratio to version 0; above 0 is worse
    void saw(int version, double logRatio) {
        if (version < 1 || version > commits || !Double.isFinite(logRatio)) {
            throw new IllegalArgumentException("version " + version + ": " + logRatio);
        }
        seen.add(new Seen(version, logRatio));
        seen.sort(Comparator.comparingInt(Seen::version));
        upTo = posterior();
    }

    /// Records that a version cannot be measured.
    void misses(int version) {
        if (version < 1 || version >= commits) {
            throw new IllegalArgumentException("version " + version);
        }
        missing.add(version);
    }

    /// Probability that the commit that made the figure worse is `version` or an earlier one.
    double upTo(int version) {
        return upTo[version];
    }

    /// Probability that this commit made the figure worse. The first commit has the number 1.
    double of(int commit) {
        return upTo[commit] - upTo[commit - 1];
    }

    /// The most probable group.
    Group most() {
        return groups().stream().max(Comparator.comparingDouble(Group::probability)).orElseThrow();
    }

    /// All groups, in the order of the history.
    List<Group> groups() {
        List<Group> groups = new ArrayList<>();
        int from = 0;
        for (int version = 1; version <= commits; version++) {
            if (!missing.contains(version)) {
                groups.add(new Group(from, version, upTo[version] - upTo[from]));
                from = version;
            }
        }
        return groups;
    }

    /// Returns the version to measure next: the one up to which the probability is nearest to a
    /// half. Empty if no measurable version remains between commits with a probability.
    ///
    /// @param built whether a version is already built
    OptionalInt next(IntPredicate built) {
        double best = 0;
        double bestBuilt = 0;
        int any = -1;
        int there = -1;
        for (int version = 1; version < commits; version++) {
            if (missing.contains(version)) {
                continue;
            }
            double information = entropy(upTo[version]);
            if (information > best) {
                best = information;
                any = version;
            }
            if (information > bestBuilt && built.test(version)) {
                bestBuilt = information;
                there = version;
            }
        }
        if (any < 0) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(bestBuilt >= NEARLY * best ? there : any);
    }

    /// Versions that cannot be measured.
    Set<Integer> missing() {
        return Set.copyOf(missing);
    }

    private static double entropy(double p) {
        return p <= 0 || p >= 1 ? 0 : -p * Math.log(p) - (1 - p) * Math.log(1 - p);
    }

    /// Cumulative posterior probabilities, up to each version.
    private double[] posterior() {
        double[] log = new double[commits + 1];
        log[0] = Double.NEGATIVE_INFINITY;
        int n = seen.size();
        double sum = seen.stream().mapToDouble(Seen::logRatio).sum();
        double squares = seen.stream().mapToDouble(s -> s.logRatio() * s.logRatio()).sum();
        double before = 0;
        int i = 0;
        for (int commit = 1; commit <= commits; commit++) {
            while (i < n && seen.get(i).version() < commit) {
                before += seen.get(i).logRatio();
                i++;
            }
            int since = n - i;
            double of = sum - before;
            // log ratios vary around 0 before the commit, and around their own mean from it on
            double off = squares - (since == 0 ? 0 : of * of / since);
            log[commit] =
                    -0.5 * Math.log(Math.max(1, since))
                            - (USUAL_NOISE_STARTS + Math.max(0, n - 1))
                                    / 2
                                    * Math.log(
                                            USUAL_NOISE_STARTS * USUAL_NOISE * USUAL_NOISE
                                                    + Math.max(0, off));
        }
        double most = Arrays.stream(log).max().orElseThrow();
        double[] sums = new double[commits + 1];
        for (int commit = 1; commit <= commits; commit++) {
            sums[commit] = sums[commit - 1] + Math.exp(log[commit] - most);
        }
        double all = sums[commits];
        for (int commit = 1; commit <= commits; commit++) {
            sums[commit] = commit == commits ? 1 : sums[commit] / all;
        }
        return sums;
    }
}
