package dev.jdyno.capacity;

import static dev.jdyno.capacity.RequestPath.number;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.verdict.Demand;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.WhatIfChange;
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
    static final double EXPLAINS = 1.15;

    static final String CPU = "cpu";

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

    /// Built from a run.
    ///
    /// @param demands as {@link CapacityAnalysis} gives them
    /// @param rounds at least one
    /// @param threadsLimit whether the number of threads is known to be what limits
    public static ServiceModel of(
            Knee knee,
            List<Demand> demands,
            List<Round> rounds,
            double machineCores,
            boolean threadsLimit) {
        return new Calibration(knee, demands, rounds, machineCores).model(threadsLimit);
    }

    /// Tries changes on a copy. A name that the service does not have goes into `problems`.
    public ServiceModel with(List<WhatIfChange> changes, Problems problems) {
        ServiceModel changed = this;
        // a pool turns waits into something occupied: what changes or overlaps waits comes first
        for (WhatIfChange change :
                changes.stream().sorted(Comparator.comparingInt(ServiceModel::turn)).toList()) {
            changed =
                    switch (change) {
                        case WhatIfChange.Threads(int most) ->
                                new ServiceModel(
                                        changed.path,
                                        changed.othersCpuMs,
                                        OptionalInt.of(most),
                                        measured);
                        case WhatIfChange.Scale s -> new PathEdit(changed, problems).scale(s);
                        case WhatIfChange.Units u -> new PathEdit(changed, problems).units(u);
                        case WhatIfChange.Parallel p -> new PathEdit(changed, problems).parallel(p);
                    };
        }
        return changed;
    }

    private static int turn(WhatIfChange change) {
        return switch (change) {
            case WhatIfChange.Scale _ -> 0;
            case WhatIfChange.Parallel _ -> 1;
            case WhatIfChange.Units _ -> 2;
            case WhatIfChange.Threads _ -> 3;
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
    static List<Bounds.LoadPoint> inside(RequestPath path, int most) {
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
        String formula =
                bottleneck.equals(Calibration.UNKNOWN)
                        ? "what limits was not found; it is taken to let %s/s through after the change, too: N* = X_max · T = %s"
                                .formatted(number(qps), number(qps * bounds.rtMs() / 1000))
                        : bounds.formula() + LockHandOver.says(bounds.bottleneck());
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

    /// Queueing at the knee by the exact closed model, linear between whole numbers of requests as
    /// the measured response time is linear between its rounds.
    double queueingMs(double knee) {
        double n = Math.max(1, knee);
        int above = (int) Math.ceil(n);
        List<Bounds.LoadPoint> curve = curve(above);
        double share = above - n;
        double rt =
                (1 - share) * curve.getLast().rtMs()
                        + share * curve.get(Math.max(0, above - 2)).rtMs();
        return Math.max(0, rt - path.totalMs());
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

    Set<String> names() {
        return new LinkedHashSet<>(path.names().toList());
    }
}
