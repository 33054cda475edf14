package dev.jdyno.cli.heap;

import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.heapmodel.advice.Footprint;
import dev.jdyno.heapmodel.advice.HeapAdvice;
import dev.jdyno.heapmodel.advice.HeapGoal;
import dev.jdyno.heapmodel.forecast.HeapForecast;
import dev.jdyno.measure.Bytes;
import dev.jdyno.measure.HeapObservation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Sizing advice as JSON: the `advice` object of `jdyno gc --advise --json` and `jdyno heap --pid`.
public final class HeapAdviceJson {
    private HeapAdviceJson() {}

    public static Map<String, @Nullable Object> of(
            HeapReading read, HeapGoal goal, HeapAdvice advice, Optional<Bytes> container) {
        HeapObservation seen = read.seen();
        Map<String, @Nullable Object> doc = new LinkedHashMap<>();
        Map<String, @Nullable Object> asked = new LinkedHashMap<>();
        asked.put("pauseMs", goal.pauseMs().orElse(null));
        asked.put("gcSharePct", goal.gcShare() * 100);
        asked.put("containerBytes", container.map(Bytes::value).orElse(null));
        doc.put("goal", asked);
        doc.put("observed", observed(read.analysis(), seen));
        doc.put(
                "choices",
                advice.choices().stream().map(c -> choice(seen, goal, c, container)).toList());
        doc.put("chosen", advice.chosen().map(c -> choice(seen, goal, c, container)).orElse(null));
        doc.put("pauseMetNow", advice.now().pauseMet());
        doc.put("medianErrorPct", error(HeapForecast.MedianError.far(seen)));
        doc.put("medianErrorNearPct", error(HeapForecast.MedianError.near(seen)));
        doc.put(
                "says",
                advice.chosen()
                        .map(c ->
                                "the smallest heap tried that meets the goal is "
                                        + c.forecast().heap())
                        .orElse("no size tried meets the goal: allocate less or change collector"));
        return doc;
    }

    private static Map<String, Integer> error(HeapForecast.MedianError error) {
        return Map.of("collections", error.collectionsPct(), "pauseMs", error.pausePct());
    }

    private static Map<String, @Nullable Object> observed(Analysis a, HeapObservation seen) {
        Map<String, @Nullable Object> o = new LinkedHashMap<>();
        o.put("heapBytes", Math.round(seen.heapBytes()));
        o.put("liveBytes", Math.round(seen.liveBytes()));
        o.put("liveIsUpperBound", seen.liveIsBound());
        o.put("allocBytesPerS", Math.round(seen.allocatedBytes() / seen.spanS()));
        o.put("promotedBytesPerS", Math.round(seen.promotedBytes() / seen.spanS()));
        o.put("edenBytes", seen.copying().map(c -> Math.round(c.edenBytes())).orElse(null));
        o.put(
                "survivedPerYoungGcBytes",
                seen.copying().map(c -> Math.round(c.survivedBytes())).orElse(null));
        o.put(
                "promotedPerYoungGcBytes",
                seen.copying().map(c -> Math.round(c.promotedBytes())).orElse(null));
        if (seen.kind() == HeapObservation.Kind.ZGC) {
            o.put("zgcYoungGcs", a.zgcYoungTold());
            o.put("zgcYoungGcsReplayed", seen.zgcYoung().size());
        }
        if (a.shenandoahCyclesTold() > 0) {
            o.put("shenandoahCycles", a.shenandoahCyclesTold());
            o.put("shenandoahCyclesReplayed", seen.shenandoahCycles().size());
        }
        o.put("collections", seen.gcs());
        o.put("pauseMs", round(seen.pauseMs()));
        o.put("spanS", round(seen.spanS()));
        return o;
    }

    private static Map<String, @Nullable Object> choice(
            HeapObservation seen, HeapGoal goal, HeapAdvice.Choice c, Optional<Bytes> container) {
        HeapForecast f = c.forecast();
        Map<String, @Nullable Object> o = new LinkedHashMap<>();
        o.put("heapBytes", f.heap().value());
        o.put("youngBytes", c.split().map(s -> s.young().value()).orElse(null));
        o.put("survivorBytes", c.split().map(s -> s.survivor().value()).orElse(null));
        o.put("oldBytes", c.split().map(s -> s.old().value()).orElse(null));
        o.put("sharesAsSeen", c.sharesAsSeen());
        o.put("tooSmall", f.tooSmall());
        o.put("collections", round(f.gcs()));
        o.put("youngGcs", round(f.youngGcs()));
        o.put("fullGcs", round(f.fullGcs()));
        o.put("cycles", round(f.cycles()));
        o.put("pauseMs", round(f.pauseMs()));
        o.put("pauseMeanMs", round(f.shortPauseMeanMs()));
        o.put("pauseMaxMs", round(c.longestPauseMs()));
        o.put("pauseSharePct", round(f.pauseShare() * 100));
        o.put("memory", memory(c.memory(), container));
        o.put("pauseMet", c.pauseMet());
        o.put("fitsContainer", c.fits());
        o.put("meets", c.meets());
        o.put("flags", HeapAdviceText.flags(seen.kind(), goal, c));
        return o;
    }

    private static Map<String, @Nullable Object> memory(Footprint m, Optional<Bytes> container) {
        Map<String, @Nullable Object> o = new LinkedHashMap<>();
        o.put("totalBytes", m.total().value());
        o.put("heapBytes", m.heap().value());
        o.put("collectorBytes", m.tables().value());
        o.put("metaspaceBytes", m.metaspace().value());
        o.put("codeBytes", m.code().value());
        o.put("stackBytes", m.stacks().value());
        o.put("directBytes", m.direct().value());
        container.ifPresent(limit -> {
            var threads = m.threadsWithin(limit);
            o.put("threadsPossible", threads.isPresent() ? threads.getAsLong() : 0);
        });
        return o;
    }

    private static double round(double v) {
        return Math.round(v * 1e3) / 1e3;
    }
}
