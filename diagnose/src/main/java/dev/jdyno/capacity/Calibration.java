package dev.jdyno.capacity;

import dev.jdyno.capacity.RequestPath.Held;
import dev.jdyno.capacity.ServiceModel.Measured;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.statistics.Latency;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.verdict.Demand;
import dev.jdyno.measure.verdict.Knee;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// Builds a model from the measurements of a run, and calibrates it to the measured plateau and
/// response time.
///
/// @param rounds rounds of the run, at least one
record Calibration(Knee knee, List<Demand> demands, List<Round> rounds, double machineCores) {
    /// Maximum number of threads tried for a model whose number of threads is unknown.
    private static final int MAX_PLACES = 5000;

    static final String UNKNOWN = "unknown limit";

    /// @param threadsLimit true if the number of threads is known to be the limit
    ServiceModel model(boolean threadsLimit) {
        List<Resource> stations = new ArrayList<>();
        List<Delay> delays = new ArrayList<>();
        double others = 0;
        for (Demand d : demands) {
            if (d.isDelay()) {
                if (!d.resource().equals(Demands.REST)) {
                    delays.add(new Delay(d.resource(), d.ms()));
                }
            } else if (d.resource().equals(ServiceModel.CPU)) {
                others = othersCpuMs(d);
                double whole = d.ms() + others;
                stations.add(new Resource(ServiceModel.CPU, whole, d.units() * whole / d.ms()));
            } else {
                double handOver = LockHandOver.ms(d, busiest(), calm());
                stations.add(new Resource(d.resource(), d.ms(), d.units(), handOver));
            }
        }
        double minRt = knee.concurrency() / knee.qps() * 1000;
        Optional<Resource> limit =
                stations.stream()
                        .min(Comparator.comparingDouble(Resource::maxQps))
                        .filter(r -> r.maxQps() <= ServiceModel.EXPLAINS * knee.qps())
                        // the limit by threads was observed; a CPU near its limit is only computed
                        .filter(r -> !threadsLimit || !r.name().equals(ServiceModel.CPU));
        if (limit.isPresent()) {
            Resource r = limit.get();
            double scale = r.maxQps() / knee.qps();
            stations.set(stations.indexOf(r), r.withMs(r.ms() * scale));
            others = r.name().equals(ServiceModel.CPU) ? others * scale : others;
        } else if (!threadsLimit) {
            stations.add(unknown(knee.qps(), minRt - sum(stations, delays)));
        }
        double rest = minRt - sum(stations, delays);
        if (rest > 0) {
            delays.add(new Delay(Demands.REST, rest));
        }
        Optional<Resource> tasks =
                stations.stream().filter(r -> HeldTimes.isTasks(r.name())).findFirst();
        List<Held> held =
                tasks.isPresent()
                        ? HeldTimes.inTasks(tasks.get(), delays)
                        : HeldTimes.of(stations, delays, busiest(), others, minRt);
        if (rest <= 0) {
            double parts =
                    sum(stations, delays) - others - held.stream().mapToDouble(Held::ms).sum();
            stations.replaceAll(r -> LockHandOver.atMost(r, parts, minRt));
        }
        RequestPath path =
                fitted(new RequestPath(stations, delays, List.of(), held), minRt + others);
        OptionalInt places =
                limit.isEmpty() && threadsLimit ? places(path, knee.qps()) : OptionalInt.empty();
        var bare = new ServiceModel(path, others, places, Optional.empty());
        double share = queueingShare(knee.rtMs() - minRt, bare.queueingMs(knee.concurrency()));
        return new ServiceModel(path, others, places, Optional.of(measured(share)));
    }

    /// Returns measured queueing ÷ queueing in the model. The ratio is limited to a factor of 3,
    /// because near the knee both are small differences of large numbers.
    private static double queueingShare(double measuredMs, double modelMs) {
        return modelMs <= 0 ? 1 : Math.clamp(measuredMs / modelMs, 1 / 3.0, 3);
    }

    private double othersCpuMs(Demand cpu) {
        List<Round> seen = rounds.stream().filter(r -> r.cpu().isPresent()).toList();
        if (seen.isEmpty()) {
            return 0;
        }
        CpuSupply supply = CpuSupply.of(machineCores, seen);
        return supply.ownCoresFirst(cpu.ms()) ? 0 : supply.othersMs();
    }

    /// Returns the breakdown at the lowest load; empty if thread samples were taken at only one
    /// load.
    private Optional<Breakdown> calm() {
        List<Round> seen = rounds.stream().filter(r -> r.anatomy().isPresent()).toList();
        return seen.stream()
                .min(Comparator.comparingInt(Round::concurrency))
                .filter(_ -> seen.size() > 1)
                .flatMap(Round::anatomy);
    }

    private Optional<Breakdown> busiest() {
        return rounds.stream()
                .filter(r -> r.anatomy().isPresent())
                .max(Comparator.comparingInt(Round::concurrency))
                .flatMap(Round::anatomy);
    }

    /// Scales the waits down so that their sum does not exceed R_min. R_min is more exact, because
    /// it comes from every request, and waits come from a few samples.
    private static RequestPath fitted(RequestPath path, double mostMs) {
        double over = path.totalMs() - mostMs;
        double free =
                path.delays().stream().filter(d -> !path.isHeld(d)).mapToDouble(Delay::ms).sum();
        if (over <= 0 || free <= over) {
            return path;
        }
        return new RequestPath(
                path.resources(),
                path.delays().stream()
                        .map(d ->
                                path.isHeld(d)
                                        ? d
                                        : new Delay(d.name(), d.ms() * (1 - over / free)))
                        .toList(),
                path.parallel(),
                path.held());
    }

    /// Returns an unknown resource whose maximum throughput is X_max. Its demand is as long as the
    /// rest of the response time allows.
    private static Resource unknown(double qps, double restMs) {
        double oneAtATime = 1000 / qps;
        return restMs >= oneAtATime
                ? new Resource(UNKNOWN, oneAtATime, 1)
                : new Resource(
                        UNKNOWN, Math.max(restMs, 1e-3), Math.max(restMs, 1e-3) * qps / 1000);
    }

    /// Returns the smallest number of threads for which the model gives the measured throughput.
    private static OptionalInt places(RequestPath path, double qps) {
        List<Bounds.LoadPoint> curve = ServiceModel.inside(path, 1);
        for (int max = 64; ; max *= 4) {
            for (Bounds.LoadPoint p : curve) {
                if (p.qps() >= qps) {
                    return OptionalInt.of((int) p.n());
                }
            }
            if (max > MAX_PLACES) {
                return OptionalInt.empty();
            }
            curve = ServiceModel.inside(path, max);
        }
    }

    private double cores() {
        return rounds.stream()
                .flatMap(r -> r.cpu().stream())
                .mapToDouble(CpuUse::availableCores)
                .min()
                .orElse(machineCores);
    }

    private Measured measured(double queueingShare) {
        Latency nearest =
                rounds.stream()
                        .min(
                                Comparator.comparingDouble(r ->
                                        Math.abs(Math.log(r.concurrency() / knee.concurrency()))))
                        .map(Round::rtMs)
                        .orElse(Latency.NONE);
        return new Measured(
                rounds.stream().mapToDouble(Round::qps).max().orElse(knee.qps()),
                rounds.stream().mapToDouble(Round::concurrency).max().orElse(knee.concurrency()),
                nearest.mean() > 0 ? nearest.p99() / nearest.mean() : 1,
                cores(),
                queueingShare);
    }

    private static double sum(List<Resource> stations, List<Delay> delays) {
        return stations.stream().mapToDouble(Resource::ms).sum()
                + delays.stream().mapToDouble(Delay::ms).sum();
    }
}
