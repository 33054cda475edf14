package dev.jdyno.measure;

import dev.jdyno.measure.statistics.Quantiles;
import dev.jdyno.measure.statistics.TheilSen;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Which rounds others disturbed. A neighbour that is there in all of them is a part of the
/// machine; what spoils a comparison is one that is there in some.
///
/// What others take is a part that is there anyway and a part per request (a downstream or a
/// database on this machine, the kernel's network work): the second is taken off first, for the
/// load brings it about. Then a round is compared with those that lack CPU as it does: where the
/// scheduler is fair to threads, the same neighbour gets less beside a busy service than beside an
/// idle one.
public final class DisturbedRounds {
    /// Share of the cores that the target may use by which what others took may differ. Where CPU
    /// is used up, throughput is in proportion to the cores, so a knee is as wrong as this share; a
    /// search for the knee ends when it is known to a tenth.
    public static final double LIMIT = 0.10;

    /// Times that what the machine or its neighbours spoilt is measured again: more of them would
    /// make a run on a busy machine more than three times as long.
    public static final int MOST_AGAIN = 2;

    /// Share of the cores left to it that the target used from which a neighbour can hold it up: in
    /// a round with less, a core is free whenever a request wants one.
    static final double TOUCHED_FROM = 0.5;

    /// Share of the time of such rounds from which a quieter state of the machine is the usual one:
    /// a moment in which a neighbour paused is not, and rounds before it left need not be the
    /// fewer.
    private static final double USUAL_FROM = 1.0 / 3;

    /// The part per request needs rounds whose throughputs are this far apart.
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

    /// The same rounds, each with what others did to it.
    public static List<Round> marked(List<Round> rounds) {
        List<Optional<Disturbance>> by = of(rounds);
        List<Round> marked = new ArrayList<>();
        for (int i = 0; i < rounds.size(); i++) {
            marked.add(rounds.get(i).disturbed(by.get(i)));
        }
        return marked;
    }

    /// What others did to a time that is laid beside a round of the same load: that they took
    /// clearly more. That they took less makes it no worse.
    ///
    /// @param now of that time
    /// @param round of the round
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

    /// @param rounds all that were measured under one kind of load, in any order
    /// @return for each of them, in their order, what others did to it; empty where they did not
    ///   disturb it, or the target's CPU was not seen
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

    /// Cores that others usually take while the target has no load: without the part that requests
    /// bring about. A neighbour that stays may take more then than beside a busy service, so the
    /// larger of both counts.
    ///
    /// @param rounds all that were measured under one kind of load, in any order
    /// @return 0 where the target's CPU was not seen
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

    /// What they take while the service leaves cores over.
    private Optional<Usual> idle() {
        return usual(r -> !isShort(r), Optional.empty());
    }

    /// What they take while it uses up what is left to it.
    private Optional<Usual> busy(Optional<Usual> idle) {
        return usual(DisturbedRounds::isShort, idle);
    }

    private static boolean isShort(Round r) {
        return use(r).isUsedUp();
    }

    private static CpuUse use(Round r) {
        return r.cpu().orElseThrow();
    }

    /// What is taken beside the part that requests bring about.
    private double beside(Round r) {
        return takenCores(use(r)) - perRequest * r.qps();
    }

    /// A line through rounds of which a few were disturbed, and no steeper than the round with the
    /// least per request allows.
    private static double perRequest(List<Round> seen) {
        List<Round> served = seen.stream().filter(r -> r.qps() > 0).toList();
        double[] qps = served.stream().mapToDouble(Round::qps).toArray();
        double[] taken = served.stream().mapToDouble(r -> takenCores(use(r))).toArray();
        OptionalDouble slope = TheilSen.slope(qps, taken, SPREAD);
        double most =
                served.stream().mapToDouble(r -> takenCores(use(r)) / r.qps()).min().orElse(0);
        return Math.clamp(slope.orElse(0), 0, Math.max(0, most));
    }

    /// @param rounds those that are alike in what others took
    private record Usual(double cores, List<Round> rounds) {
        static double seconds(List<Round> rounds) {
            return rounds.stream().mapToDouble(Round::seconds).sum();
        }
    }

    /// Of the groups of rounds beside which others took about the same the quietest that is no
    /// exception.
    ///
    /// @param idle what they take while the service leaves cores over: beside a busy one a
    ///   neighbour that stays gets no more, so a group beside which they take more is not the usual
    ///   one as long as there is another
    private Optional<Usual> usual(Predicate<Round> which, Optional<Usual> idle) {
        List<Round> alike = seen.stream().filter(which).toList();
        List<Round> likely =
                alike.stream()
                        .filter(r ->
                                idle.isEmpty() || beside(r) <= idle.get().cores() + limit(use(r)))
                        .toList();
        if (likely.isEmpty() && alike.size() == 1) {
            // whether they stay is not known of one round: a second one would bear it out
            return idle;
        }
        List<Usual> groups =
                (likely.isEmpty() ? alike : likely).stream().map(r -> around(r, alike)).toList();
        double all = Usual.seconds(alike);
        return groups.stream()
                .filter(u -> Usual.seconds(u.rounds()) >= USUAL_FROM * all)
                .min(Comparator.comparingDouble(Usual::cores))
                .or(() ->
                        groups.stream()
                                .max(Comparator.comparingDouble(u -> Usual.seconds(u.rounds()))));
    }

    private Usual around(Round r, List<Round> alike) {
        List<Round> near =
                alike.stream()
                        .filter(o -> Math.abs(beside(o) - beside(r)) <= limit(use(r)))
                        .toList();
        return new Usual(Quantiles.median(near.stream().mapToDouble(this::beside).toArray()), near);
    }

    private Optional<Disturbance> against(Usual usual, Round r) {
        CpuUse cpu = use(r);
        if (cpu.utilisation() < TOUCHED_FROM || Math.abs(beside(r) - usual.cores()) <= limit(cpu)) {
            return Optional.empty();
        }
        double expected = Math.max(0, usual.cores() + perRequest * r.qps());
        boolean more = takenCores(cpu) > expected;
        if (!more && !isShort(r)) {
            // it had a core when it wanted one, as beside the neighbour that is missing
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

    /// Mean use of each process over the usual rounds.
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
