package dev.jdyno.capacity;

import static dev.jdyno.capacity.RequestPath.number;

import dev.jdyno.capacity.RequestPath.Held;
import dev.jdyno.measure.Anatomy;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Demand;
import dev.jdyno.measure.Knee;
import dev.jdyno.measure.Latency;
import dev.jdyno.measure.Problems;
import dev.jdyno.measure.Round;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/// A service as a model that changes can be tried on: its stations and delays, how many requests it
/// lets in, and what was measured of it.
///
/// Built from a run it is *calibrated*: the bottleneck's demand is set so that the model's X_max is
/// the measured plateau. What no model knows (the share of the cores that a service really reaches)
/// is then in the figures before and after a change alike.
///
/// @param path what a request occupies and waits for; the station `cpu` holds, beside the target's
///   own CPU, what client and others spend per request on the same cores
/// @param othersCpuMs that part of the station `cpu`; no change to the target makes it less
/// @param places the most requests inside at once (threads); empty when nobody limits them
/// @param measured empty when the demands were only given
public record ServiceModel(
        RequestPath path, double othersCpuMs, OptionalInt places, Optional<Measured> measured) {
    /// A station whose F2 limit is so much above the measured plateau does not explain it.
    private static final double EXPLAINS = 1.15;

    /// Highest number of threads that a model with unknown threads is searched for.
    private static final int MOST_PLACES = 5000;

    static final String CPU = "cpu";
    static final String UNKNOWN = "unknown limit";

    /// What was measured of the unchanged service.
    ///
    /// @param mostQps the highest throughput of any round; predictions far beyond are marked
    /// @param mostConcurrency the highest concurrency of any round
    /// @param p99PerMean p99 / mean of the response time in the round nearest to the knee
    /// @param cores the cores the target could have used, before client and others took theirs
    /// @param queueingShare measured queueing at the knee over the exact model's
    public record Measured(
            double mostQps,
            double mostConcurrency,
            double p99PerMean,
            double cores,
            double queueingShare) {}

    /// Demands that a user gave: nothing to calibrate with.
    public static ServiceModel of(RequestPath path) {
        return new ServiceModel(path, 0, OptionalInt.empty(), Optional.empty());
    }

    /// @param demands as {@link CapacityAnalysis} gives them
    /// @param rounds at least one
    /// @param threadsLimit whether the number of threads is known to be what limits
    public static ServiceModel of(
            Knee knee,
            List<Demand> demands,
            List<Round> rounds,
            double machineCores,
            boolean threadsLimit) {
        List<Resource> stations = new ArrayList<>();
        List<Delay> delays = new ArrayList<>();
        double others = 0;
        for (Demand d : demands) {
            if (d.isDelay()) {
                if (!d.resource().equals(CapacityAnalysis.REST)) {
                    delays.add(new Delay(d.resource(), d.ms()));
                }
            } else if (d.resource().equals(CPU)) {
                others = othersCpuMs(d, rounds, machineCores);
                double whole = d.ms() + others;
                stations.add(new Resource(CPU, whole, d.units() * whole / d.ms()));
            } else {
                double handOver = LockHandOver.ms(d, busiest(rounds));
                stations.add(new Resource(d.resource(), d.ms(), d.units(), handOver));
            }
        }
        double minRt = knee.concurrency() / knee.qps() * 1000;
        Optional<Resource> limit =
                stations.stream()
                        .min(Comparator.comparingDouble(Resource::maxQps))
                        .filter(r -> r.maxQps() <= EXPLAINS * knee.qps());
        if (limit.isPresent()) {
            Resource r = limit.get();
            double scale = r.maxQps() / knee.qps();
            stations.set(stations.indexOf(r), r.withMs(r.ms() * scale));
            others = r.name().equals(CPU) ? others * scale : others;
        } else if (!threadsLimit) {
            stations.add(unknown(knee.qps(), minRt - sum(stations, delays)));
        }
        double rest = minRt - sum(stations, delays);
        if (rest > 0) {
            delays.add(new Delay(CapacityAnalysis.REST, rest));
        }
        List<Held> held = HeldTimes.of(stations, delays, busiest(rounds), others, minRt);
        RequestPath path =
                fitted(new RequestPath(stations, delays, List.of(), held), minRt + others);
        OptionalInt places =
                limit.isEmpty() && threadsLimit ? places(path, knee.qps()) : OptionalInt.empty();
        var bare = new ServiceModel(path, others, places, Optional.empty());
        double share = queueingShare(knee.rtMs() - minRt, bare.queueingMs(knee.concurrency()));
        return new ServiceModel(
                path,
                others,
                places,
                Optional.of(measured(knee, rounds, cores(rounds, machineCores), share)));
    }

    /// Tries changes on a copy. A name that the service does not have goes into `problems`.
    public ServiceModel with(List<Change> changes, Problems problems) {
        ServiceModel changed = this;
        // a pool turns waits into something occupied: what changes or overlaps waits comes first
        for (Change change :
                changes.stream().sorted(Comparator.comparingInt(ServiceModel::turn)).toList()) {
            changed =
                    switch (change) {
                        case Change.Threads(int most) ->
                                new ServiceModel(
                                        changed.path,
                                        changed.othersCpuMs,
                                        OptionalInt.of(most),
                                        measured);
                        case Change.Scale s -> new PathEdit(changed, problems).scale(s);
                        case Change.Units u -> new PathEdit(changed, problems).units(u);
                        case Change.Parallel p -> new PathEdit(changed, problems).parallel(p);
                    };
        }
        return changed;
    }

    private static int turn(Change change) {
        return switch (change) {
            case Change.Scale _ -> 0;
            case Change.Parallel _ -> 1;
            case Change.Units _ -> 2;
            case Change.Threads _ -> 3;
        };
    }

    ServiceModel withPath(RequestPath newPath) {
        return new ServiceModel(newPath, othersCpuMs, places, measured);
    }

    /// Throughput and response time for 1…`most` requests in flight, by the exact closed model;
    /// more than `places` of them wait outside.
    public List<Bounds.LoadPoint> curve(int most) {
        List<Bounds.LoadPoint> inside = inside(path, Math.min(most, places.orElse(most)));
        List<Bounds.LoadPoint> all = new ArrayList<>(inside);
        double qps = inside.getLast().qps();
        for (int n = inside.size() + 1; n <= most; n++) {
            all.add(new Bounds.LoadPoint(n, qps, n / qps * 1000));
        }
        return all;
    }

    /// The exact model, and never more than F2: its stations leave out what is done while another
    /// one is held.
    private static List<Bounds.LoadPoint> inside(RequestPath path, int most) {
        double bound = path.bottleneck().maxQps();
        return ClosedNetwork.of(path).curve(most).stream()
                .map(p ->
                        p.qps() <= bound
                                ? p
                                : new Bounds.LoadPoint(p.n(), bound, p.n() / bound * 1000))
                .toList();
    }

    /// X_max, the knee and the response time there.
    public Prediction predict() {
        Bounds bounds = Bounds.of(path);
        double qps = bounds.maxQps();
        String bottleneck = bounds.bottleneck().name();
        String formula = bounds.formula() + LockHandOver.says(bounds.bottleneck());
        if (places.isPresent()) {
            int k = places.getAsInt();
            double inside = inside(path, k).getLast().qps();
            if (inside < qps / EXPLAINS) {
                bottleneck = "threads";
                formula =
                        "exact closed model with %d inside: X_max = %s/s; F1: N* = X_max · T = %s"
                                .formatted(
                                        k, number(inside), number(inside * bounds.rtMs() / 1000));
            }
            qps = Math.min(qps, inside);
        }
        double knee = qps * bounds.rtMs() / 1000;
        double share = measured.map(Measured::queueingShare).orElse(1.0);
        double rt = bounds.rtMs() + share * queueingMs(knee);
        Optional<Double> p99 = measured.map(m -> rt * m.p99PerMean());
        return new Prediction(
                qps,
                rt,
                p99,
                knee,
                bottleneck,
                extrapolation(qps, knee),
                formula + "; RT at the knee: exact closed model",
                bounds.rtMs());
    }

    /// Queueing at the knee by the exact closed model.
    private double queueingMs(double knee) {
        int n = (int) Math.max(1, Math.round(knee));
        return Math.max(0, curve(n).getLast().rtMs() - path.totalMs());
    }

    /// Kept within a factor of 3, for near the knee both are small differences of large numbers.
    private static double queueingShare(double measuredMs, double modelMs) {
        return modelMs <= 0 ? 1 : Math.clamp(measuredMs / modelMs, 1 / 3.0, 3);
    }

    private Optional<String> extrapolation(double qps, double knee) {
        return measured.flatMap(m -> {
            double byQps = qps / m.mostQps();
            double byLoad = knee / m.mostConcurrency();
            double far = Math.max(byQps, byLoad);
            return far > Prediction.MEASURED_RANGE
                    ? Optional.of(
                            "extrapolated: %s × the measured %s"
                                    .formatted(
                                            number(far),
                                            byQps >= byLoad ? "throughput" : "concurrency"))
                    : Optional.empty();
        });
    }

    private static double othersCpuMs(Demand cpu, List<Round> rounds, double machineCores) {
        List<Round> seen = rounds.stream().filter(r -> r.cpu().isPresent()).toList();
        if (seen.isEmpty()) {
            return 0;
        }
        CpuSupply supply = CpuSupply.of(machineCores, seen);
        boolean ownCoresFirst =
                supply.availableCores() / cpu.ms()
                        < supply.freeCores() / (cpu.ms() + supply.othersMs());
        return ownCoresFirst ? 0 : supply.othersMs();
    }

    private static Optional<Anatomy> busiest(List<Round> rounds) {
        return rounds.stream()
                .filter(r -> r.anatomy().isPresent())
                .max(Comparator.comparingInt(Round::concurrency))
                .flatMap(Round::anatomy);
    }

    /// Waits are known from a few looks, R_min from every request: together they take no longer.
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

    /// Something lets X_max through and nobody knows what: as long as it can be, within what is
    /// left of the response time.
    private static Resource unknown(double qps, double restMs) {
        double oneAtATime = 1000 / qps;
        return restMs >= oneAtATime
                ? new Resource(UNKNOWN, oneAtATime, 1)
                : new Resource(
                        UNKNOWN, Math.max(restMs, 1e-3), Math.max(restMs, 1e-3) * qps / 1000);
    }

    /// The least number of places with which the model gives the measured throughput.
    private static OptionalInt places(RequestPath path, double qps) {
        List<Bounds.LoadPoint> curve = inside(path, 1);
        for (int most = 64; ; most *= 4) {
            for (Bounds.LoadPoint p : curve) {
                if (p.qps() >= qps) {
                    return OptionalInt.of((int) p.n());
                }
            }
            if (most > MOST_PLACES) {
                return OptionalInt.empty();
            }
            curve = inside(path, most);
        }
    }

    private static double cores(List<Round> rounds, double machineCores) {
        return rounds.stream()
                .flatMap(r -> r.cpu().stream())
                .mapToDouble(CpuUse::availableCores)
                .min()
                .orElse(machineCores);
    }

    private static Measured measured(
            Knee knee, List<Round> rounds, double cores, double queueingShare) {
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
                cores,
                queueingShare);
    }

    private static double sum(List<Resource> stations, List<Delay> delays) {
        return stations.stream().mapToDouble(Resource::ms).sum()
                + delays.stream().mapToDouble(Delay::ms).sum();
    }

    Set<String> names() {
        return new LinkedHashSet<>(path.names().toList());
    }
}
