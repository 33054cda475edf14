package dev.jdyno.report.json;

import dev.jdyno.measure.ChildProgram;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Neighbour;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.gc.GcDetail;
import dev.jdyno.measure.load.FailureCount;
import dev.jdyno.measure.load.FailureReason;
import dev.jdyno.measure.load.FailureText;
import dev.jdyno.measure.statistics.CurvePoint;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.DiskUse;
import dev.jdyno.measure.thread.LayerLimit;
import dev.jdyno.measure.thread.PoolQueue;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.FigureId;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.Layer;
import dev.jdyno.measure.verdict.PointFigure;
import dev.jdyno.measure.verdict.PredictedChange;
import dev.jdyno.report.words.LayerText;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.util.StdConverter;

/// The JSON forms of records that are not written component by component. The components of each
/// form are the documented keys (docs/json.md).
final class Converted {
    private Converted() {}

    /// Counts by key, in the alphabetical order of the keys.
    static final class Sorted extends StdConverter<Map<String, Long>, Map<String, Long>> {
        @Override
        public Map<String, Long> convert(Map<String, Long> counts) {
            return new TreeMap<>(counts);
        }
    }

    record FailureForm(
            String kind, FailureReason reason, long count, Optional<String> example, String says) {}

    /// A figure with its unit. The unit is written so that an older jdyno can show a figure that it
    /// does not know.
    record FigureForm(
            String id,
            String unit,
            Optional<Double> measured,
            double value,
            double standardError,
            boolean leftOut) {}

    static final class WriteFigure extends StdConverter<PointFigure, FigureForm> {
        @Override
        public FigureForm convert(PointFigure f) {
            return new FigureForm(
                    f.id().id(),
                    f.id().unit(),
                    f.measured(),
                    f.value(),
                    f.standardError(),
                    f.leftOut());
        }
    }

    static final class ReadFigure extends StdConverter<FigureForm, PointFigure> {
        @Override
        public PointFigure convert(FigureForm f) {
            return new PointFigure(
                    FigureId.of(f.id, f.unit), f.measured, f.value, f.standardError, f.leftOut);
        }
    }

    static final class WriteChange extends StdConverter<PredictedChange, String> {
        @Override
        public String convert(PredictedChange c) {
            return c.says();
        }
    }

    static final class ReadChange extends StdConverter<String, PredictedChange> {
        @Override
        public PredictedChange convert(String says) {
            return PredictedChange.of(says);
        }
    }

    static final class WriteFailure extends StdConverter<FailureCount, FailureForm> {
        @Override
        public FailureForm convert(FailureCount f) {
            return new FailureForm(
                    f.kind(), f.reason(), f.count(), f.example(), FailureText.says(f.reason()));
        }
    }

    /// @param leftCores cores that the client and other processes leave; empty in a file of an
    ///   earlier version
    record CpuForm(
            double processCores,
            double systemCores,
            double clientCores,
            double otherCores,
            double availableCores,
            Optional<Double> leftCores,
            double machinePct,
            double stealPct,
            double throttledPct,
            Optional<Double> throttledPeriodsPct,
            Optional<List<Neighbour>> neighbours,
            Optional<List<ChildProgram>> children) {}

    static final class ReadCpu extends StdConverter<CpuForm, CpuUse> {
        @Override
        public CpuUse convert(CpuForm c) {
            return new CpuUse(
                    c.processCores,
                    c.systemCores,
                    c.clientCores,
                    c.otherCores,
                    c.availableCores,
                    c.leftCores.orElse(c.availableCores - c.clientCores - c.otherCores),
                    c.machinePct,
                    c.stealPct,
                    c.throttledPct,
                    c.throttledPeriodsPct.orElse(c.throttledPct),
                    c.neighbours.orElse(List.of()),
                    c.children.orElse(List.of()));
        }
    }

    record GcForm(
            GcActivity.Count young,
            GcActivity.Count full,
            double pauseShare,
            Optional<Double> allocBytesPerS,
            Optional<Double> promotedBytesPerS,
            Optional<Double> requestBytes,
            Optional<Double> oldUsedBytes,
            Optional<Double> oldCapacityBytes,
            Optional<GcDetail> detail) {}

    static final class ReadGc extends StdConverter<GcForm, GcActivity> {
        @Override
        public GcActivity convert(GcForm g) {
            return new GcActivity(
                    g.young,
                    g.full,
                    g.pauseShare,
                    g.allocBytesPerS,
                    g.promotedBytesPerS,
                    g.requestBytes,
                    g.oldUsedBytes,
                    g.oldCapacityBytes,
                    g.detail,
                    GcActivity.Why.UNKNOWN);
        }
    }

    record GcDetailForm(double longestPauseMs, Map<String, Long> causes, double stalledThreads) {}

    static final class WriteGcDetail extends StdConverter<GcDetail, GcDetailForm> {
        @Override
        public GcDetailForm convert(GcDetail d) {
            return new GcDetailForm(
                    d.longestPauseMs(), new TreeMap<>(d.causes()), d.stalledThreads());
        }
    }

    static final class ReadGcDetail extends StdConverter<GcDetailForm, GcDetail> {
        @Override
        public GcDetail convert(GcDetailForm d) {
            return new GcDetail(d.longestPauseMs, d.causes, d.stalledThreads, List.of());
        }
    }

    /// A file has a key for every cause. A file of an earlier version has fewer keys.
    record BreakdownForm(
            Map<String, Double> perRequestMs,
            List<Breakdown.Spot> topN,
            double unexplainedMs,
            Optional<Breakdown.Errors> errors) {}

    static final class WriteBreakdown extends StdConverter<Breakdown, BreakdownForm> {
        @Override
        public BreakdownForm convert(Breakdown b) {
            Map<String, Double> all = new LinkedHashMap<>();
            for (Cause cause : Cause.values()) {
                all.put(cause.key(), b.ms(cause));
            }
            return new BreakdownForm(all, b.topN(), b.unexplainedMs(), b.errors());
        }
    }

    static final class ReadBreakdown extends StdConverter<BreakdownForm, Breakdown> {
        @Override
        public Breakdown convert(BreakdownForm b) {
            Map<Cause, Double> found = byCause(b.perRequestMs);
            found.values().removeIf(ms -> ms == 0);
            return new Breakdown(found, b.topN, b.unexplainedMs, b.errors);
        }
    }

    private static Map<Cause, Double> byCause(Map<String, Double> byKey) {
        Map<Cause, Double> found = new EnumMap<>(Cause.class);
        for (Cause cause : Cause.values()) {
            Double value = byKey.get(cause.key());
            if (value != null) {
                found.put(cause, value);
            }
        }
        return found;
    }

    record PoolForm(
            String name,
            double size,
            double busy,
            double idle,
            int minIdle,
            boolean serving,
            boolean loop,
            boolean virtual,
            double cores,
            Map<String, Double> doing) {}

    static final class WritePool extends StdConverter<ThreadSamples.Pool, PoolForm> {
        @Override
        public PoolForm convert(ThreadSamples.Pool p) {
            Map<String, Double> doing = new LinkedHashMap<>();
            for (Cause cause : Cause.values()) {
                if (p.doing(cause) > 0) {
                    doing.put(cause.key(), p.doing(cause));
                }
            }
            return new PoolForm(
                    p.name(),
                    p.size(),
                    p.busy(),
                    p.idle(),
                    p.minIdle(),
                    p.serving(),
                    p.loop(),
                    p.virtual(),
                    p.cores(),
                    doing);
        }
    }

    static final class ReadPool extends StdConverter<PoolForm, ThreadSamples.Pool> {
        @Override
        public ThreadSamples.Pool convert(PoolForm p) {
            return new ThreadSamples.Pool(
                    p.name,
                    p.size,
                    p.busy,
                    p.idle,
                    p.minIdle,
                    p.serving,
                    p.loop,
                    p.cores,
                    byCause(p.doing),
                    p.virtual);
        }
    }

    record SignalForm(Signals.Sign id, double value, String unit, Optional<String> where) {}

    record SamplesForm(
            int concurrency,
            double qps,
            int dumps,
            double longestPauseMs,
            List<ThreadSamples.Pool> pools,
            List<ThreadSamples.Busy> busy,
            List<PoolQueue> queues,
            List<LayerLimit> limits,
            double waitingSockets,
            double listenQueue,
            List<Calls> calls,
            List<SignalForm> signals,
            List<DiskUse> disks) {}

    static final class WriteSamples extends StdConverter<ThreadSamples, SamplesForm> {
        @Override
        public SamplesForm convert(ThreadSamples c) {
            return new SamplesForm(
                    c.concurrency(),
                    c.qps(),
                    c.dumps(),
                    c.longestPauseMs(),
                    c.pools(),
                    c.busy(),
                    c.queues(),
                    c.limits(),
                    c.waitingSockets(),
                    c.listenQueue(),
                    c.calls(),
                    c.signals().values().entrySet().stream()
                            .sorted(Map.Entry.comparingByKey())
                            .map(e ->
                                    new SignalForm(
                                            e.getKey(),
                                            e.getValue(),
                                            e.getKey().unit(),
                                            c.signals().place(e.getKey())))
                            .toList(),
                    c.signals().disks());
        }
    }

    static final class ReadSamples extends StdConverter<SamplesForm, ThreadSamples> {
        @Override
        public ThreadSamples convert(SamplesForm c) {
            Map<Signals.Sign, Double> values = new EnumMap<>(Signals.Sign.class);
            Map<Signals.Sign, String> places = new EnumMap<>(Signals.Sign.class);
            for (SignalForm signal : c.signals) {
                values.put(signal.id, signal.value);
                signal.where.ifPresent(where -> places.put(signal.id, where));
            }
            return new ThreadSamples(
                    c.concurrency,
                    c.qps,
                    c.dumps,
                    c.longestPauseMs,
                    c.pools,
                    c.busy,
                    c.waitingSockets,
                    c.listenQueue,
                    c.calls,
                    new Signals(values, places, c.disks),
                    c.queues,
                    c.limits);
        }
    }

    record PredictedForm(
            double concurrency,
            double qps,
            Optional<Boolean> ofTheLimit,
            String formula,
            Optional<Interval> qpsRange) {}

    static final class ReadPredicted extends StdConverter<PredictedForm, Knee.Predicted> {
        @Override
        public Knee.Predicted convert(PredictedForm p) {
            return new Knee.Predicted(
                    p.concurrency, p.qps, p.ofTheLimit.orElse(true), p.formula, p.qpsRange);
        }
    }

    record KneeForm(
            double concurrency,
            Interval ci95,
            boolean determinable,
            double qps,
            double qpsAtKnee,
            double rtMs,
            String method,
            double loadSeconds,
            Optional<Knee.Predicted> predicted,
            List<CurvePoint> model) {}

    static final class ReadKnee extends StdConverter<KneeForm, Knee> {
        @Override
        public Knee convert(KneeForm k) {
            return new Knee(
                    k.concurrency,
                    k.ci95,
                    k.qps,
                    k.rtMs,
                    k.method,
                    k.loadSeconds,
                    k.predicted,
                    k.model);
        }
    }

    /// @param kind empty in results of versions that did not write it
    record LayerForm(
            String layer,
            Optional<Layer.Kind> kind,
            String of,
            double atOnce,
            boolean atLeast,
            String from,
            boolean waits,
            boolean smallest) {
        Optional<Layer> read() {
            return kind.map(k -> new Layer(k, of, atOnce, atLeast, from, smallest));
        }
    }

    static final class WriteLayer extends StdConverter<Layer, LayerForm> {
        @Override
        public LayerForm convert(Layer l) {
            return new LayerForm(
                    LayerText.name(l),
                    Optional.of(l.kind()),
                    l.of(),
                    l.atOnce(),
                    l.atLeast(),
                    l.from(),
                    l.waits(),
                    l.smallest());
        }
    }

    /// Writes a value that was not measured (NaN) as null.
    static final class WriteKnown extends ValueSerializer<Double> {
        @Override
        public void serialize(Double value, JsonGenerator json, SerializationContext context) {
            if (value.isNaN()) {
                json.writeNull();
            } else {
                json.writeTree(JsonNumber.of(value));
            }
        }
    }

    static final class ReadKnown extends ValueDeserializer<Double> {
        @Override
        public Double deserialize(JsonParser json, DeserializationContext context) {
            return context.readValue(json, Double.class);
        }

        @Override
        public Object getNullValue(DeserializationContext context) {
            return Double.NaN;
        }
    }
}
