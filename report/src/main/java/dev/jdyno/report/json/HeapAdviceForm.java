package dev.jdyno.report.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.heapmodel.advice.Footprint;
import dev.jdyno.heapmodel.advice.HeapAdvice;
import dev.jdyno.heapmodel.advice.HeapGoal;
import dev.jdyno.heapmodel.forecast.HeapForecast;
import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.sizing.HeapReading;
import dev.jdyno.sizing.LiveHeap;
import java.util.List;
import java.util.Optional;

/// Sizing advice as JSON: the `advice` object of `jdyno gc --advise --json` and `jdyno heap --pid`.
/// The names of components are keys that scripts read.
public record HeapAdviceForm(
        Goal goal,
        Observed observed,
        List<Choice> choices,
        Optional<Choice> chosen,
        boolean pauseMetNow,
        HeapForecast.MedianError medianErrorPct,
        HeapForecast.MedianError medianErrorNearPct,
        String says) {

    public static HeapAdviceForm of(
            HeapReading read, HeapGoal goal, HeapAdvice advice, Optional<Bytes> container) {
        HeapObservation seen = read.seen();
        return new HeapAdviceForm(
                new Goal(goal.pauseMs(), goal.gcShare() * 100, container.map(Bytes::value)),
                Observed.of(read.analysis(), seen),
                advice.choices().stream().map(c -> Choice.of(seen, goal, c, container)).toList(),
                advice.chosen().map(c -> Choice.of(seen, goal, c, container)),
                advice.now().pauseMet(),
                HeapForecast.MedianError.far(seen),
                HeapForecast.MedianError.near(seen),
                advice.chosen()
                        .map(c ->
                                "the smallest heap tried that meets the goal is "
                                        + c.forecast().heap())
                        .orElse("no size tried meets the goal: allocate less or change collector"));
    }

    /// `jdyno/heap-advice/1`: the advice for a JVM that was watched.
    public static Live of(LiveHeap live) {
        return new Live(
                "jdyno/heap-advice/1",
                live.pid(),
                of(live.read(), live.goal(), live.advice(), live.container()));
    }

    public record Live(String schema, long pid, HeapAdviceForm advice) {}

    record Goal(Optional<Double> pauseMs, double gcSharePct, Optional<Long> containerBytes) {}

    /// The observed heap. Figures that do not apply to the collector are left out.
    record Observed(
            long heapBytes,
            long liveBytes,
            boolean liveIsUpperBound,
            long allocBytesPerS,
            long promotedBytesPerS,
            Optional<Long> edenBytes,
            Optional<Long> survivedPerYoungGcBytes,
            Optional<Long> promotedPerYoungGcBytes,
            @JsonInclude(Include.NON_ABSENT) Optional<Long> zgcYoungGcs,
            @JsonInclude(Include.NON_ABSENT) Optional<Integer> zgcYoungGcsReplayed,
            @JsonInclude(Include.NON_ABSENT) Optional<Long> shenandoahCycles,
            @JsonInclude(Include.NON_ABSENT) Optional<Integer> shenandoahCyclesReplayed,
            long collections,
            double pauseMs,
            double spanS) {
        private static Observed of(Analysis a, HeapObservation seen) {
            Optional<HeapObservation> zgc =
                    Optional.of(seen).filter(s -> s.kind() == HeapObservation.Kind.ZGC);
            Optional<HeapObservation> shenandoah =
                    Optional.of(seen).filter(_ -> a.shenandoahCyclesLogged() > 0);
            return new Observed(
                    Math.round(seen.heapBytes()),
                    Math.round(seen.liveBytes()),
                    seen.liveIsBound(),
                    Math.round(seen.allocatedBytes() / seen.spanS()),
                    Math.round(seen.promotedBytes() / seen.spanS()),
                    seen.copying().map(c -> Math.round(c.edenBytes())),
                    seen.copying().map(c -> Math.round(c.survivedBytes())),
                    seen.copying().map(c -> Math.round(c.promotedBytes())),
                    zgc.map(_ -> a.zgcYoungLogged()),
                    zgc.map(s -> s.zgcYoung().size()),
                    shenandoah.map(_ -> a.shenandoahCyclesLogged()),
                    shenandoah.map(s -> s.shenandoahCycles().size()),
                    seen.gcs(),
                    Documents.rounded(seen.pauseMs()),
                    Documents.rounded(seen.spanS()));
        }
    }

    record Choice(
            long heapBytes,
            Optional<Long> youngBytes,
            Optional<Long> survivorBytes,
            Optional<Long> oldBytes,
            boolean sharesAsSeen,
            boolean tooSmall,
            double collections,
            double youngGcs,
            double fullGcs,
            double cycles,
            double pauseMs,
            double pauseMeanMs,
            double pauseMaxMs,
            double pauseSharePct,
            Memory memory,
            boolean pauseMet,
            boolean fitsContainer,
            boolean meets,
            List<String> flags) {
        private static Choice of(
                HeapObservation seen,
                HeapGoal goal,
                HeapAdvice.Choice c,
                Optional<Bytes> container) {
            HeapForecast f = c.forecast();
            return new Choice(
                    f.heap().value(),
                    c.split().map(s -> s.young().value()),
                    c.split().map(s -> s.survivor().value()),
                    c.split().map(s -> s.old().value()),
                    c.sharesAsSeen(),
                    f.tooSmall(),
                    Documents.rounded(f.gcs()),
                    Documents.rounded(f.youngGcs()),
                    Documents.rounded(f.fullGcs()),
                    Documents.rounded(f.cycles()),
                    Documents.rounded(f.pauseMs()),
                    Documents.rounded(f.shortPauseMeanMs()),
                    Documents.rounded(c.longestPauseMs()),
                    Documents.rounded(f.pauseShare() * 100),
                    Memory.of(c.memory(), container),
                    c.pauseMet(),
                    c.fits(),
                    c.meets(),
                    c.flags(seen.kind(), goal));
        }
    }

    /// @param threadsPossible number of threads that fit into the container; left out if its size
    ///   is unknown
    record Memory(
            long totalBytes,
            long heapBytes,
            long collectorBytes,
            long metaspaceBytes,
            long codeBytes,
            long stackBytes,
            long directBytes,
            @JsonInclude(Include.NON_ABSENT) Optional<Long> threadsPossible) {
        private static Memory of(Footprint m, Optional<Bytes> container) {
            return new Memory(
                    m.total().value(),
                    m.heap().value(),
                    m.tables().value(),
                    m.metaspace().value(),
                    m.code().value(),
                    m.stacks().value(),
                    m.direct().value(),
                    container.map(limit -> m.threadsWithin(limit).orElse(0)));
        }
    }
}
