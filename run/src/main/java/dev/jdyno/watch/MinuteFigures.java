package dev.jdyno.watch;

import dev.jdyno.diagnose.breakdown.ClosedPoint;
import dev.jdyno.diagnose.breakdown.RoundBreakdowns;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.Standstill;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.service.ServiceFigures;
import dev.jdyno.measure.service.ServicePool;
import dev.jdyno.measure.statistics.Throughput;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Headroom;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.measure.watch.WatchedMinute;
import dev.jdyno.measure.watch.WatchedMinute.Cpu;
import dev.jdyno.measure.watch.WatchedMinute.Detail;
import dev.jdyno.measure.watch.WatchedMinute.Dumps;
import dev.jdyno.measure.watch.WatchedMinute.Gc;
import dev.jdyno.measure.watch.WatchedMinute.Named;
import dev.jdyno.measure.watch.WatchedMinute.PoolFigures;
import dev.jdyno.measure.watch.WatchedMinute.Requests;
import dev.jdyno.measure.watch.WatchedMinute.Room;
import dev.jdyno.measure.watch.WatchedMinute.Route;
import dev.jdyno.trial.watch.LiveDiagnosis.Seen;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Selects the figures of a minute from its observation.
final class MinuteFigures {
    private MinuteFigures() {}

    /// @param at begin of the minute on the wall clock
    /// @param clockJumpS seconds by which the wall clock was set forward
    record When(Instant at, double clockJumpS, String service, long pid) {}

    /// @param routes of the minute
    static WatchedMinute of(
            When when, Seen seen, Verdict verdict, Headroom headroom, List<Route> routes) {
        Round round = seen.recording().rounds().getFirst();
        List<PoolFigures> pools = pools(seen.recording().insight().service());
        return new WatchedMinute(
                when.at(),
                round.seconds(),
                when.clockJumpS(),
                stoppedS(seen.recording().target().standstills(), round.seconds()),
                when.service(),
                when.pid(),
                round.cpu().map(MinuteFigures::cpu),
                seen.throughput().map(x -> requests(x, round, seen.inFlight())),
                seen.inFlight(),
                round.gc().map(MinuteFigures::gc),
                pools.stream().limit(WatchedMinute.MAX_POOLS).toList(),
                Math.max(0, pools.size() - WatchedMinute.MAX_POOLS),
                dumps(seen.recording().census()),
                new Named(verdict.bottleneck(), verdict.where(), verdict.confidence()),
                headroom.first().map(MinuteFigures::room),
                detail(seen.recording(), round, routes));
    }

    /// The breakdown and the routes. A minute in which the service was stopped has no breakdown.
    private static Detail detail(Recording recording, Round round, List<Route> routes) {
        Optional<Breakdown> parts =
                recording.target().standstills().isEmpty()
                        ? RoundBreakdowns.closed(recording, round).map(ClosedPoint::breakdown)
                        : Optional.empty();
        return new Detail(
                parts.map(Breakdown::perRequestMs).orElse(Map.of()),
                parts.map(Breakdown::unexplainedMs).orElse(0.0),
                routes);
    }

    private static Cpu cpu(CpuUse cpu) {
        return new Cpu(
                cpu.processCores(),
                cpu.coresForTarget(),
                Optional.of(cpu.usableCores()),
                cpu.machinePct(),
                cpu.stealPct(),
                cpu.throttledPct());
    }

    private static Requests requests(Throughput counted, Round round, Optional<Double> inFlight) {
        Optional<Double> little =
                inFlight.filter(_ -> counted.perS() > 0).map(n -> n / counted.perS() * 1000);
        return new Requests(
                counted.perS(),
                counted.source().key(),
                counted.containerRtMs().or(() -> little),
                round.cpuMsPerRequest());
    }

    private static Gc gc(GcActivity gc) {
        return new Gc(gc.pauseShare(), gc.allocBytesPerS(), gc.full().count());
    }

    private static List<PoolFigures> pools(List<ServiceFigures> service) {
        return service.stream()
                .flatMap(f -> f.pools().stream())
                .map(MinuteFigures::pool)
                .sorted(
                        Comparator.comparingDouble((PoolFigures p) -> p.use().orElse(0.0))
                                .reversed()
                                .thenComparing(PoolFigures::name))
                .toList();
    }

    private static PoolFigures pool(ServicePool pool) {
        return new PoolFigures(
                pool.pool(), pool.library(), pool.max(), pool.inUse(), pool.waiting());
    }

    private static Dumps dumps(List<ThreadSamples> census) {
        return census.stream()
                .findFirst()
                .map(c -> new Dumps(c.dumps(), c.longestPauseMs()))
                .orElse(new Dumps(0, 0));
    }

    private static Room room(Headroom.First first) {
        Headroom.Known known = first.known();
        return new Room(
                first.resource().kind(),
                first.resource().name(),
                known.timesNow(),
                known.limitPerS(),
                known.ci95());
    }

    /// Seconds of the minute for which the target was stopped.
    private static double stoppedS(List<Standstill> stops, double seconds) {
        double sum =
                stops.stream()
                        .mapToDouble(s ->
                                Math.min(seconds, s.toS().orElse(seconds))
                                        - Math.min(seconds, s.fromS()))
                        .sum();
        return Math.clamp(sum, 0, seconds);
    }
}
