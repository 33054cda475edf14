package dev.jdyno.measure;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Latency;
import java.util.List;
import java.util.Optional;

/// Makes rounds with different available cores comparable: computes the result of a round with the
/// usual number of available cores. If CPU is saturated, throughput is proportional to the cores,
/// and so is the response time of a closed loop by Little's law.
///
/// Only disturbed rounds that are used nevertheless are changed, and only if they saturated the
/// cores left to them. If a core was free, more cores would not change the result.
public final class SameCores {
    private SameCores() {}

    /// The same recording with comparable rounds.
    public static Recording of(Recording recording) {
        return recording.rounds().stream().allMatch(r -> r.disturbance().isEmpty())
                ? recording
                : recording.withRounds(of(recording.rounds()));
    }

    /// @param rounds the rounds of the result
    public static List<Round> of(List<Round> rounds) {
        return rounds.stream().map(r -> of(r, rounds)).toList();
    }

    /// True if throughput and response time of a round change when it is scaled to the usual cores.
    public static boolean isScaled(Round round, List<Round> rounds) {
        return of(round, rounds).qps() != round.qps();
    }

    private static Round of(Round round, List<Round> rounds) {
        if (round.disturbance().isEmpty()
                || round.ratePerS().isPresent()
                || round.qps() <= 0
                || round.cpu().filter(CpuUse::isSaturated).isEmpty()) {
            return round;
        }
        CpuUse cpu = round.cpu().orElseThrow();
        Disturbance by = round.disturbance().get();
        double cores = cpu.coresForTarget();
        CpuUse usually = usualUse(by, cpu);
        double usual =
                Math.clamp(cores + by.takenCores() - by.usualCores(), 0, cpu.availableCores());
        if (cores <= 0 || usual <= 0) {
            return round;
        }
        double factor = Math.min(usual / cores, most(round, rounds) / round.qps());
        return scaled(round, usually, by.more() ? Math.max(1, factor) : factor);
    }

    /// Maximum throughput that limits other than CPU allow. It has two bounds: the throughput that
    /// undisturbed rounds reached at this or a higher load, and concurrency ÷ the shortest measured
    /// response time.
    private static double most(Round round, List<Round> rounds) {
        List<Round> quiet =
                rounds.stream()
                        .filter(r ->
                                r.disturbance().isEmpty() && r.ratePerS().isEmpty() && r.qps() > 0)
                        .toList();
        double seen =
                quiet.stream()
                        .filter(r -> r.concurrency() >= round.concurrency())
                        .mapToDouble(Round::qps)
                        .max()
                        .orElse(Double.POSITIVE_INFINITY);
        double alone =
                quiet.stream().mapToDouble(Round::rtMsByLittle).min().orElse(round.rtMsByLittle());
        return Math.min(seen, alone <= 0 ? seen : round.concurrency() / alone * 1000);
    }

    /// @param usually CPU use with the usual neighbour load; the target's own part is unchanged
    private static Round scaled(Round r, CpuUse usually, double factor) {
        Latency rt = r.rtMs();
        return new Round(
                r.concurrency(),
                r.ratePerS(),
                r.seconds(),
                r.qps() * factor,
                new Interval(r.qpsCi95().lo() * factor, r.qpsCi95().hi() * factor),
                Math.round(r.requests() * factor),
                Math.round(r.errors() * factor),
                r.errorKinds(),
                r.failures(),
                r.bytesRead().map(b -> Math.round(b * factor)),
                new Latency(
                        rt.mean() / factor,
                        rt.p50() / factor,
                        rt.p90() / factor,
                        rt.p99() / factor,
                        rt.p999() / factor,
                        rt.max() / factor),
                r.latencyCurve(),
                r.client(),
                Optional.of(withProcess(usually, factor)),
                r.threads(),
                r.gc(),
                r.anatomy(),
                r.slices().stream()
                        .map(s ->
                                new Slice(
                                        s.qps() * factor,
                                        s.rtMeanMs() / factor,
                                        s.processCores().map(c -> c * factor),
                                        s.takenCores()))
                        .toList(),
                r.disturbance(),
                r.replies());
    }

    /// CPU use with the usual neighbour load. The difference is divided between processes and
    /// hypervisor in proportion to what each of them took.
    private static CpuUse usualUse(Disturbance by, CpuUse c) {
        double given = by.takenCores() - by.usualCores();
        double stolen =
                by.takenCores() <= 0 ? 0 : Math.min(1, by.stolenCores() / by.takenCores()) * given;
        double processes = given - stolen;
        return new CpuUse(
                c.processCores(),
                c.systemCores(),
                c.clientCores(),
                Math.max(0, c.otherCores() - processes),
                c.availableCores(),
                Math.clamp(c.leftCores() + processes, 0, c.availableCores()),
                c.machinePct(),
                c.availableCores() <= 0
                        ? c.stealPct()
                        : Math.max(0, c.stealPct() - 100 * stolen / c.availableCores()),
                c.throttledPct(),
                c.throttledPeriodsPct(),
                c.neighbours(),
                c.children());
    }

    /// CPU use with the target's part scaled by the same factor as throughput, so CPU per request
    /// stays the same. Cores that the target left unused stay unused, so that a limit other than
    /// CPU remains visible.
    private static CpuUse withProcess(CpuUse c, double factor) {
        return new CpuUse(
                c.processCores() * factor,
                c.systemCores() * factor,
                c.clientCores(),
                c.otherCores(),
                c.availableCores(),
                c.leftCores(),
                c.machinePct(),
                c.stealPct(),
                c.throttledPct(),
                c.throttledPeriodsPct(),
                c.neighbours(),
                c.children().stream()
                        .map(child -> new ChildProgram(child.name(), child.cores() * factor))
                        .toList());
    }
}
