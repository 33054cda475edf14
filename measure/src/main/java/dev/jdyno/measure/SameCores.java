package dev.jdyno.measure;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Latency;
import java.util.List;

/// Rounds that had different cores available, put on the same: what a round would have given with
/// the cores that others usually left. Where CPU is used up, throughput is in proportion to the
/// cores, and so is the response time of a closed loop by Little's law.
///
/// Only rounds that others disturbed and that count all the same are changed, and of these only the
/// ones that used up what was left to them: where a core was free, more of them give nothing.
public final class SameCores {
    private SameCores() {}

    /// The same recording with comparable rounds.
    public static Recording of(Recording recording) {
        return recording.rounds().stream().allMatch(r -> r.disturbance().isEmpty())
                ? recording
                : recording.withRounds(of(recording.rounds()));
    }

    /// @param rounds those that count
    public static List<Round> of(List<Round> rounds) {
        return rounds.stream().map(r -> of(r, rounds)).toList();
    }

    /// Whether the figures of a round are put on other cores.
    public static boolean isScaled(Round round, List<Round> rounds) {
        return !of(round, rounds).equals(round);
    }

    private static Round of(Round round, List<Round> rounds) {
        if (round.disturbance().isEmpty()
                || round.ratePerS().isPresent()
                || round.qps() <= 0
                || round.cpu().filter(c -> c.utilisation() >= Saturation.CPU_USED_UP).isEmpty()) {
            return round;
        }
        CpuUse cpu = round.cpu().orElseThrow();
        Disturbance by = round.disturbance().get();
        double cores = cpu.coresForTarget();
        double usual =
                Math.clamp(cores + by.takenCores() - by.usualCores(), 0, cpu.availableCores());
        if (cores <= 0 || usual <= 0) {
            return round;
        }
        double factor = Math.min(usual / cores, most(round, rounds) / round.qps());
        return scaled(round, by.more() ? Math.max(1, factor) : factor);
    }

    /// Throughput that a limit other than CPU allows: more load gave no more in an undisturbed
    /// round, and a request takes at least the least time that was measured.
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

    private static Round scaled(Round r, double factor) {
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
                r.cpu().map(c -> scaled(c, factor)),
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
                r.disturbance());
    }

    /// CPU per request stays what it was, and so does the share of its cores that it used.
    private static CpuUse scaled(CpuUse c, double factor) {
        double more = c.coresForTarget() * (factor - 1);
        return new CpuUse(
                c.processCores() * factor,
                c.systemCores() * factor,
                c.clientCores(),
                Math.max(0, c.otherCores() - more),
                c.availableCores(),
                Math.min(c.availableCores(), c.leftCores() + more),
                c.machinePct(),
                c.stealPct(),
                c.throttledPct(),
                c.throttledPeriodsPct(),
                c.neighbours());
    }
}
