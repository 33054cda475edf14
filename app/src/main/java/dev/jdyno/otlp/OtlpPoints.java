package dev.jdyno.otlp;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.statistics.Latency;
import dev.jdyno.measure.text.Secrets;
import dev.jdyno.measure.verdict.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The values of rounds and of a result. A value that was not measured, or that a load tool does
/// not report, has no point.
final class OtlpPoints {
    private static final String PLAN = "jdyno.plan";
    private static final String QUANTILE = "quantile";
    private static final String OUTCOME = "jdyno.outcome";
    private static final String ERROR_TYPE = "error.type";
    private static final String CPU_USER = "jdyno.cpu.user";
    private static final String GC_KIND = "jdyno.gc.kind";
    private static final String VERDICT = "jdyno.verdict";
    private static final String WHERE = "jdyno.verdict.where";

    private static final double MS_PER_S = 1000;
    private static final double NANOS_PER_S = 1e9;

    private final String plan;
    private Optional<Instant> first = Optional.empty();
    private long good;
    private final Map<String, Long> failed = new TreeMap<>();

    /// @param plan name of the run
    OtlpPoints(String plan) {
        this.plan = Secrets.text(plan);
    }

    /// The values of a round that has just ended. The counts include all rounds before it.
    List<OtlpPoint> of(Round round, Instant end) {
        Instant start = end.minusNanos(Math.round(round.seconds() * NANOS_PER_S));
        var points = new Points(start, end);
        points.add(OtlpMetric.THROUGHPUT, round.qps());
        points.add(OtlpMetric.CONCURRENCY, round.concurrency());
        responseTimes(points, round.rtMs());
        points.add(OtlpMetric.ERROR_SHARE, round.errorShare());
        round.cpu().ifPresent(c -> cpu(points, c));
        round.cpuMsPerRequest()
                .ifPresent(ms -> points.add(OtlpMetric.CPU_PER_REQUEST, ms / MS_PER_S));
        round.gc().ifPresent(g -> gc(points, g));
        points.add(OtlpMetric.DISTURBED, flag(round.disturbance().isPresent()));
        points.add(OtlpMetric.CLIENT_SATURATED, flag(round.client().saturated()));
        counts(points, round, start);
        return points.all;
    }

    private static void responseTimes(Points points, Latency ms) {
        points.add(OtlpMetric.RESPONSE_TIME_MEAN, ms.mean() / MS_PER_S);
        Map<String, Double> quantiles =
                Map.of(
                        "0.5", ms.p50(),
                        "0.9", ms.p90(),
                        "0.99", ms.p99(),
                        "0.999", ms.p999(),
                        "1", ms.max());
        quantiles.forEach((quantile, value) ->
                points.add(OtlpMetric.RESPONSE_TIME, value / MS_PER_S, QUANTILE, quantile));
    }

    private static void cpu(Points points, CpuUse cpu) {
        points.add(OtlpMetric.CPU, cpu.processCores(), CPU_USER, "service");
        points.add(OtlpMetric.CPU, cpu.clientCores(), CPU_USER, "client");
        points.add(OtlpMetric.CPU, cpu.otherCores(), CPU_USER, "other");
        points.add(OtlpMetric.CPU_AVAILABLE, cpu.coresForTarget());
    }

    private static void gc(Points points, GcActivity gc) {
        points.add(OtlpMetric.GC_PAUSE_SHARE, gc.pauseShare());
        points.add(OtlpMetric.GC_COLLECTIONS, (double) gc.young().count(), GC_KIND, "young");
        points.add(OtlpMetric.GC_COLLECTIONS, (double) gc.full().count(), GC_KIND, "full");
        gc.allocBytesPerS().ifPresent(b -> points.add(OtlpMetric.GC_ALLOCATION_RATE, b));
        gc.requestBytes().ifPresent(b -> points.add(OtlpMetric.GC_ALLOCATED_PER_REQUEST, b));
    }

    private void counts(Points points, Round round, Instant start) {
        Instant zero = first.orElse(start);
        first = Optional.of(zero);
        good += round.requests();
        round.errorKinds().forEach((kind, count) -> failed.merge(kind, count, Long::sum));
        var counts = new Points(zero, points.end);
        counts.add(OtlpMetric.REQUESTS, (double) good, OUTCOME, "good");
        failed.forEach((kind, count) ->
                counts.add(
                        OtlpMetric.REQUESTS,
                        (double) count,
                        OUTCOME,
                        "failed",
                        ERROR_TYPE,
                        Secrets.text(kind)));
        points.all.addAll(counts.all);
    }

    /// The values of the whole run. The verdict is in attributes of its confidence.
    List<OtlpPoint> of(RunResult result, Instant end) {
        var points = new Points(first.orElse(end), end);
        Verdict verdict = result.verdict();
        List<String> attributes = new ArrayList<>(List.of(VERDICT, verdict.bottleneck().key()));
        if (!verdict.where().isEmpty()) {
            attributes.addAll(List.of(WHERE, Secrets.text(verdict.where())));
        }
        points.add(OtlpMetric.VERDICT, verdict.confidence(), attributes.toArray(String[]::new));
        points.add(OtlpMetric.VALID, flag(result.validity().ok()));
        result.knee()
                .ifPresent(k -> {
                    points.add(OtlpMetric.KNEE_CONCURRENCY, k.concurrency());
                    points.add(OtlpMetric.KNEE_THROUGHPUT, k.qps());
                });
        result.goal()
                .flatMap(g -> g.good())
                .ifPresent(rate -> points.add(OtlpMetric.GOAL_RATE, rate));
        return points.all;
    }

    private static double flag(boolean set) {
        return set ? 1 : 0;
    }

    /// The points of one time.
    private final class Points {
        private final Instant start;
        private final Instant end;
        private final List<OtlpPoint> all = new ArrayList<>();

        Points(Instant start, Instant end) {
            this.start = start;
            this.end = end;
        }

        /// Adds a value if it is known.
        ///
        /// @param value NaN if a load tool does not report it
        /// @param attributes keys, each with its value
        void add(OtlpMetric metric, double value, String... attributes) {
            if (!Double.isFinite(value)) {
                return;
            }
            Map<String, String> named = new HashMap<>(Map.of(PLAN, plan));
            for (int i = 0; i < attributes.length; i += 2) {
                named.put(attributes[i], attributes[i + 1]);
            }
            all.add(new OtlpPoint(metric, named, start, end, value));
        }
    }
}
