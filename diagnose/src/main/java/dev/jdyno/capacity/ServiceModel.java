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

/// A model of a service on which changes can be tried: its stations and delays, the number of
/// requests that it admits, and its measurements.
///
/// A model built from a run is *calibrated*: the bottleneck's demand is set so that the model's
/// X_max is the measured plateau. Some effects are unknown to the model, such as the share of the
/// cores that a service can really use. By calibration they are part of the figures both before and
/// after a change.
///
/// @param path what a request occupies and waits for. The station `cpu` contains the target's own
///   CPU, and that of client and others per request on the same cores
/// @param othersCpuMs the others' part of the station `cpu`; changes of the target do not reduce it
/// @param places maximum number of requests inside at once (threads); empty if unlimited
/// @param measured empty if only demands were given
public record ServiceModel(
        RequestPath path, double othersCpuMs, OptionalInt places, Optional<Measured> measured) {
    /// Maximum ratio of a station's throughput at saturation (F2) to the measured plateau at which
    /// the station explains the plateau.
    static final double EXPLAINS = 1.15;

    static final String CPU = "cpu";

    /// The measurements of the unchanged service.
    ///
    /// @param mostQps the highest throughput of any round; predictions far above it are marked as
    ///   extrapolated
    /// @param mostConcurrency the highest concurrency of any round
    /// @param p99PerMean p99 / mean of the response time in the round nearest to the knee
    /// @param cores the cores that the target could have used, before client and others used theirs
    /// @param queueingShare measured queueing at the knee ÷ that of the exact model
    public record Measured(
            double mostQps,
            double mostConcurrency,
            double p99PerMean,
            double cores,
            double queueingShare) {}

    /// A model of demands that a user gave, without calibration.
    public static ServiceModel of(RequestPath path) {
        return new ServiceModel(path, 0, OptionalInt.empty(), Optional.empty());
    }

    /// A model built from a run.
    ///
    /// @param demands demands from {@link CapacityAnalysis}
    /// @param rounds rounds of the run, at least one
    /// @param threadsLimit true if the number of threads is known to be the limit
    public static ServiceModel of(
            Knee knee,
            List<Demand> demands,
            List<Round> rounds,
            double machineCores,
            boolean threadsLimit) {
        return new Calibration(knee, demands, rounds, machineCores).model(threadsLimit);
    }

    /// Applies changes to a copy. A name that the service does not have goes into `problems`.
    public ServiceModel with(List<WhatIfChange> changes, Problems problems) {
        ServiceModel changed = this;
        // `pool` turns waits into an occupied resource, so changes of waits and overlaps are
        // applied first
        for (WhatIfChange change :
                changes.stream().sorted(Comparator.comparingInt(ServiceModel::turn)).toList()) {
            changed =
                    switch (change) {
                        case WhatIfChange.Threads(int max) ->
                                new ServiceModel(
                                        changed.path,
                                        changed.othersCpuMs,
                                        OptionalInt.of(max),
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

    /// Returns throughput and response time for 1…`max` requests in flight, by the exact closed
    /// model. Requests beyond `places` wait outside the service.
    public List<Bounds.LoadPoint> curve(int max) {
        List<Bounds.LoadPoint> inside = inside(path, Math.min(max, places.orElse(max)));
        List<Bounds.LoadPoint> all = new ArrayList<>(inside);
        double qps = inside.getLast().qps();
        for (int n = inside.size() + 1; n <= max; n++) {
            all.add(new Bounds.LoadPoint(n, qps, n / qps * 1000));
        }
        return all;
    }

    /// Returns the exact model's curve, limited to the throughput at saturation (F2). The limit is
    /// needed because the model's stations leave out work that is done while another station is
    /// held.
    static List<Bounds.LoadPoint> inside(RequestPath path, int max) {
        double bound = path.bottleneck().maxQps();
        return ClosedNetwork.of(path).curve(max).stream()
                .map(p ->
                        p.qps() <= bound
                                ? p
                                : new Bounds.LoadPoint(p.n(), bound, p.n() / bound * 1000))
                .toList();
    }

    /// Predicts X_max, the knee and the response time there.
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

    /// Returns the queueing time at the knee by the exact closed model. It is interpolated linearly
    /// between whole numbers of requests, as the measured response time is between rounds.
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
