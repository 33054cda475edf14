package dev.jdyno.measure;

import dev.jdyno.measure.statistics.ProportionalPart;
import dev.jdyno.measure.statistics.Quantiles;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Finds the rounds that other processes disturbed. A neighbour that is present in all rounds is a
/// part of the machine. A neighbour that is present in some of them spoils the comparison.
///
/// Part of the neighbour load is always there, and part is caused by requests: a downstream or a
/// database on this machine, the kernel's network work. The load causes the second part, so it is
/// subtracted first. Then each round is compared with rounds in which the target is equally short
/// of CPU. The reason: where the scheduler is fair to threads, the same neighbour gets less CPU
/// beside a busy service than beside an idle one.
public final class DisturbedRounds {
    /// Maximum difference in neighbour load between comparable rounds, as a share of the cores that
    /// the target may use. With saturated CPU, throughput is proportional to the cores, so the
    /// error of the knee is as large as this share. A search for the knee ends at an error of one
    /// tenth.
    public static final double LIMIT = 0.10;

    /// Maximum number of repeats of rounds that the machine or its neighbours disturbed. With more
    /// repeats, a run on a busy machine would take more than three times as long.
    public static final int MAX_REPEATS = 2;

    /// Minimum utilisation of the target's available cores at which a neighbour can slow it down.
    /// Below it, a core is free whenever a request needs one.
    static final double TOUCHED_FROM = 0.5;

    /// Minimum share of the time of comparable rounds for a quieter state of the machine to count
    /// as the usual one. A moment in which a neighbour paused is too short for that. Rounds before
    /// a neighbour left need not be the minority.
    private static final double USUAL_FROM = 1.0 / 3;

    /// Minimum ratio of the highest to the lowest throughput for estimating the part per request.
    private static final double SPREAD = 1.5;

    private final List<Round> seen;
    private final double perRequest;

    private DisturbedRounds(List<Round> seen) {
        this.seen = seen;
        this.perRequest = perRequest(seen);
    }

    /// Cores that other processes and the hypervisor took from the target.
    public static double takenCores(CpuUse cpu) {
        return cpu.takenByOthers() + stolenCores(cpu);
    }

    private static double stolenCores(CpuUse cpu) {
        return cpu.stealPct() / 100 * cpu.availableCores();
    }

    /// The same rounds, each with the disturbance by other processes.
    public static List<Round> marked(List<Round> rounds) {
        List<Optional<Disturbance>> by = of(rounds);
        List<Round> marked = new ArrayList<>();
        for (int i = 0; i < rounds.size(); i++) {
            marked.add(rounds.get(i).disturbed(by.get(i)));
        }
        return marked;
    }

    /// The disturbance of a time that is compared with a round at the same load: other processes
    /// took clearly more CPU. If they took less, it is not a disturbance, because the target is not
    /// worse off.
    ///
    /// @param now CPU use during that time
    /// @param round CPU use during the round
    public static Optional<Disturbance> between(CpuUse now, CpuUse round) {
        if (now.utilisation() < TOUCHED_FROM || takenCores(now) - takenCores(round) <= limit(now)) {
            return Optional.empty();
        }
        Map<Long, Neighbour> used = new HashMap<>();
        round.neighbours().forEach(n -> used.put(n.pid(), n));
        return Optional.of(
                new Disturbance(
                        takenCores(now),
                        takenCores(round),
                        stolenCores(now),
                        0,
                        beyond(now.neighbours(), used),
                        false));
    }

    private static double limit(CpuUse cpu) {
        return LIMIT * cpu.availableCores();
    }

    /// @param rounds all rounds measured under one kind of load, in any order
    /// @return the disturbance of each round, in the same order; empty if other processes did not
    ///   disturb it, or the target's CPU was not measured
    public static List<Optional<Disturbance>> of(List<Round> rounds) {
        var judged = ofSeen(rounds);
        Optional<Usual> idle = judged.idle();
        Optional<Usual> busy = judged.busy(idle);
        return rounds.stream()
                .map(r ->
                        r.cpu().isEmpty()
                                ? Optional.<Disturbance>empty()
                                : (isShort(r) ? busy : idle).flatMap(u -> judged.against(u, r)))
                .toList();
    }

    /// Cores that other processes usually take while the target has no load, without the part that
    /// requests cause. A permanent neighbour may take more at that time than beside a busy service,
    /// so the larger of both values counts.
    ///
    /// @param rounds all rounds measured under one kind of load, in any order
    /// @return 0 if the target's CPU was not measured
    public static double usualCoresAtRest(List<Round> rounds) {
        var judged = ofSeen(rounds);
        Optional<Usual> idle = judged.idle();
        return Stream.concat(idle.stream(), judged.busy(idle).stream())
                .mapToDouble(Usual::cores)
                .max()
                .orElse(0);
    }

    private static DisturbedRounds ofSeen(List<Round> rounds) {
        return new DisturbedRounds(rounds.stream().filter(r -> r.cpu().isPresent()).toList());
    }

    /// Usual neighbour load while the service leaves cores unused.
    private Optional<Usual> idle() {
        return usual(r -> !isShort(r), Optional.empty());
    }

    /// Usual neighbour load while the service saturates the cores left to it.
    private Optional<Usual> busy(Optional<Usual> idle) {
        return usual(DisturbedRounds::isShort, idle);
    }

    private static boolean isShort(Round r) {
        return use(r).isSaturated();
    }

    private static CpuUse use(Round r) {
        return r.cpu().orElseThrow();
    }

    /// Neighbour load of a round without the part that requests cause.
    private double idleNeighbourCores(Round r) {
        return takenCores(use(r)) - perRequest * r.qps();
    }

    /// Cores taken per request, robust against a few disturbed rounds.
    private static double perRequest(List<Round> seen) {
        double[] qps = seen.stream().mapToDouble(Round::qps).toArray();
        double[] taken = seen.stream().mapToDouble(r -> takenCores(use(r))).toArray();
        return ProportionalPart.of(qps, taken, SPREAD).slope().orElse(0);
    }

    /// The usual neighbour load.
    ///
    /// @param cores median of these rounds
    /// @param rounds rounds with about the same neighbour load
    private record Usual(double cores, List<Round> rounds) {
        static double seconds(List<Round> rounds) {
            return rounds.stream().mapToDouble(Round::seconds).sum();
        }
    }

    /// Groups the rounds by similar neighbour load. Returns the group with the lowest load that is
    /// not an exception.
    ///
    /// @param idle usual neighbour load while the service leaves cores unused. Beside a busy
    ///   service a permanent neighbour gets no more CPU than that. So a group with more neighbour
    ///   load is not the usual one while there is another group.
    private Optional<Usual> usual(Predicate<Round> which, Optional<Usual> idle) {
        List<Round> matching = seen.stream().filter(which).toList();
        List<Round> likely =
                matching.stream()
                        .filter(r ->
                                idle.isEmpty()
                                        || idleNeighbourCores(r)
                                                <= idle.get().cores() + limit(use(r)))
                        .toList();
        if (likely.isEmpty() && matching.size() == 1) {
            // one round cannot show whether the neighbours are permanent; only a second round can
            return idle;
        }
        List<Usual> groups =
                (likely.isEmpty() ? matching : likely)
                        .stream().map(r -> around(r, matching)).toList();
        double all = Usual.seconds(matching);
        return groups.stream()
                .filter(u -> Usual.seconds(u.rounds()) >= USUAL_FROM * all)
                .min(Comparator.comparingDouble(Usual::cores))
                .or(() ->
                        groups.stream()
                                .max(Comparator.comparingDouble(u -> Usual.seconds(u.rounds()))));
    }

    private Usual around(Round r, List<Round> matching) {
        List<Round> near =
                matching.stream()
                        .filter(o ->
                                Math.abs(idleNeighbourCores(o) - idleNeighbourCores(r))
                                        <= limit(use(r)))
                        .toList();
        return new Usual(
                Quantiles.median(near.stream().mapToDouble(this::idleNeighbourCores).toArray()),
                near);
    }

    private Optional<Disturbance> against(Usual usual, Round r) {
        CpuUse cpu = use(r);
        if (cpu.utilisation() < TOUCHED_FROM
                || Math.abs(idleNeighbourCores(r) - usual.cores()) <= limit(cpu)) {
            return Optional.empty();
        }
        double expected = Math.max(0, usual.cores() + perRequest * r.qps());
        boolean more = takenCores(cpu) > expected;
        if (!more && !isShort(r)) {
            // a core was free when the target needed one, as in rounds with the missing neighbour
            return Optional.empty();
        }
        return Optional.of(
                new Disturbance(
                        takenCores(cpu),
                        expected,
                        stolenCores(cpu),
                        seconds(r, usual.cores()),
                        more ? beyond(cpu.neighbours(), used(usual)) : missing(r, used(usual)),
                        false));
    }

    private int seconds(Round r, double usual) {
        return (int)
                r.slices().stream()
                        .filter(s -> s.takenCores().isPresent())
                        .filter(s ->
                                Math.abs(s.takenCores().get() - perRequest * s.qps() - usual)
                                        > limit(use(r)))
                        .count();
    }

    /// Mean CPU use of each process over the usual rounds.
    private static Map<Long, Neighbour> used(Usual usual) {
        Map<Long, Neighbour> used = new HashMap<>();
        double all = usual.rounds().size();
        for (Round r : usual.rounds()) {
            for (Neighbour n : use(r).neighbours()) {
                used.merge(
                        n.pid(),
                        new Neighbour(n.name(), n.pid(), n.cores() / all),
                        (a, b) -> new Neighbour(b.name(), b.pid(), a.cores() + b.cores()));
            }
        }
        return used;
    }

    private static List<Neighbour> beyond(List<Neighbour> now, Map<Long, Neighbour> used) {
        return largest(
                now.stream()
                        .filter(n -> n.cores() - cores(used, n.pid()) >= Neighbour.NAMED_FROM)
                        .sorted(Comparator.comparingDouble(n -> cores(used, n.pid()) - n.cores()))
                        .toList());
    }

    private static List<Neighbour> missing(Round r, Map<Long, Neighbour> used) {
        Map<Long, Neighbour> now = new HashMap<>();
        use(r).neighbours().forEach(n -> now.put(n.pid(), n));
        return beyond(new ArrayList<>(used.values()), now);
    }

    private static double cores(Map<Long, Neighbour> of, long pid) {
        return Optional.ofNullable(of.get(pid)).map(Neighbour::cores).orElse(0.0);
    }

    private static List<Neighbour> largest(List<Neighbour> sorted) {
        return sorted.stream().limit(Neighbour.NAMED).toList();
    }
}
