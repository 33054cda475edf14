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

/// Which of n commits made a figure worse: a bisection whose judge is noisy (Horstein, IEEE Trans.
/// Inf. Theory 1963; Waeber, Frazier & Henderson, SIAM J. Control Optim. 2013).
///
/// There those know how often the judge is right. Here the answer of a start is a log ratio, which
/// says more than yes or no: around 0 before the commit, around one unknown effect from it on, with
/// normal noise of unknown size. Each commit is as likely as any other before anything is seen. For
/// each one the effect (flat) and the noise (inverse gamma, as if {@link #USUAL_NOISE} had been
/// seen in two starts) are integrated out, which gives the probabilities in closed form.
///
/// Version 0 is the one that is known to be good; commit k made version k of version k - 1.
final class Suspects {
    /// Deviation of one start's log ratio on a quiet machine.
    private static final double USUAL_NOISE = 0.02;

    private static final double USUAL_NOISE_STARTS = 2;

    /// A version that is built already is taken where it tells nearly as much as the best.
    private static final double NEARLY = 0.9;

    private final int commits;
    private final List<Seen> seen = new ArrayList<>();
    private final NavigableSet<Integer> missing = new TreeSet<>();
    private double[] upTo;

    /// One start.
    ///
    /// @param logRatio of a version to version 0; more than 0 is worse
    private record Seen(int version, double logRatio) {}

    /// Commits in a row with no measurable version between them. They share one probability.
    ///
    /// @param from the version before the first of them
    /// @param to the version that the last one made
    record Group(int from, int to, double probability) {
        int commits() {
            return to - from;
        }
    }

    /// @param commits at least 1
    Suspects(int commits) {
        if (commits < 1) {
            throw new IllegalArgumentException("no commits");
        }
        this.commits = commits;
        this.upTo = posterior();
    }

    /// @param logRatio to version 0; more than 0 is worse
    void saw(int version, double logRatio) {
        if (version < 1 || version > commits || !Double.isFinite(logRatio)) {
            throw new IllegalArgumentException("version " + version + ": " + logRatio);
        }
        seen.add(new Seen(version, logRatio));
        seen.sort(Comparator.comparingInt(Seen::version));
        upTo = posterior();
    }

    /// A version that cannot be measured.
    void misses(int version) {
        if (version < 1 || version >= commits) {
            throw new IllegalArgumentException("version " + version);
        }
        missing.add(version);
    }

    /// Probability that the commit is among those up to a version.
    double upTo(int version) {
        return upTo[version];
    }

    /// That of one commit, from 1.
    double of(int commit) {
        return upTo[commit] - upTo[commit - 1];
    }

    /// The most probable one.
    Group most() {
        return groups().stream().max(Comparator.comparingDouble(Group::probability)).orElseThrow();
    }

    /// All of them, in the order of the history.
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

    /// The version to measure next: the one up to which the probability is nearest to a half. Empty
    /// if no measurable version is left between commits with a probability.
    ///
    /// @param built whether the build of a version is there already
    OptionalInt next(IntPredicate built) {
        double best = 0;
        double bestBuilt = 0;
        int any = -1;
        int there = -1;
        for (int version = 1; version < commits; version++) {
            if (missing.contains(version)) {
                continue;
            }
            double tells = entropy(upTo[version]);
            if (tells > best) {
                best = tells;
                any = version;
            }
            if (tells > bestBuilt && built.test(version)) {
                bestBuilt = tells;
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

    /// Its sums up to each version.
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
            // about 0 before the commit, about their own mean since then
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
