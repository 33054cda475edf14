package dev.jdyno.report.json;

import dev.jdyno.capacity.MachinePlan;
import dev.jdyno.capacity.WhatIfAnswer;
import dev.jdyno.compare.Compared;
import dev.jdyno.compare.Difference;
import dev.jdyno.compare.Effect;
import dev.jdyno.gclog.fleet.GcFleet;
import dev.jdyno.guard.Bisected;
import dev.jdyno.guard.FigureRow;
import dev.jdyno.guard.Guarded;
import dev.jdyno.heapmodel.simulation.HeapAnswer;
import dev.jdyno.heapmodel.simulation.HeapLayout;
import dev.jdyno.heapmodel.simulation.HeapSizing;
import dev.jdyno.instance.InstanceSize;
import dev.jdyno.instance.PoolNeed;
import dev.jdyno.instance.PoolTest;
import dev.jdyno.instance.Price;
import dev.jdyno.instance.SizeDemand;
import dev.jdyno.instance.SizeTest;
import dev.jdyno.instance.Sized;
import dev.jdyno.measure.DiagnoseResult;
import dev.jdyno.measure.load.Goal;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.SourceLine;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Demand;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.report.words.BisectText;
import dev.jdyno.report.words.Commands;
import dev.jdyno.report.words.CompareText;
import dev.jdyno.report.words.GuardText;
import dev.jdyno.report.words.Highlights;
import dev.jdyno.report.words.NoteText;
import dev.jdyno.report.words.SizeText;
import dev.jdyno.report.words.SourceText;
import dev.jdyno.report.words.TuneText;
import dev.jdyno.report.words.WarmText;
import dev.jdyno.report.words.memory.HeapText;
import dev.jdyno.repository.Revision;
import dev.jdyno.trial.ColdStart;
import dev.jdyno.tune.Candidate;
import dev.jdyno.tune.Diagnosed;
import dev.jdyno.tune.Measured;
import dev.jdyno.tune.SearchEnd;
import dev.jdyno.tune.Tuned;
import dev.jdyno.warm.StartFigures;
import dev.jdyno.warm.Warmed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;

/// The keys of the documents with one result each, and of the records in them. They are documented
/// and stable, as is their order (docs/json.md).
final class Documents {
    private static final List<Keys<?>> OF_COMPARE =
            List.of(
                    Keys.document(
                                    "jdyno/compare/1",
                                    Compared.class,
                                    "verdict primary metrics=rows starts pairs discarded"
                                            + " concurrency")
                            .and(
                                    "ratePerS",
                                    c -> Optional.of(c.ratePerS()).filter(rate -> rate > 0))
                            .and("minEffect seconds secondsToDecide restarted partial")
                            .and("where", CompareText::where)
                            .and("difference")
                            .and("notes", c -> NoteText.of(c.notes()))
                            .and("validity", c -> Map.of("ok", !c.partial() && c.starts() > 0)),
                    Keys.of(
                            Compared.Row.class,
                            "name=metric unit=metric.unit a b ratio=effect.ratio"
                                    + " ci95=effect.interval verdict=outcome ratios blocks"),
                    Keys.of(Effect.class, "ratio ci95=interval starts"),
                    Keys.of(Difference.class)
                            .and("breakdown", d -> parts(d.breakdown()))
                            .and("methods"),
                    Keys.of(Difference.Part.class)
                            .and(
                                    "cause",
                                    p -> p.cause().map(Cause::key).orElse(Highlights.UNEXPLAINED))
                            .and("aMs bMs"));

    private static final List<Keys<?>> OF_GUARD =
            List.of(
                    Keys.document(
                                    "jdyno/guard/1",
                                    Guarded.class,
                                    "plan verdict mode confirmed days figures")
                            .and("bottleneck", g -> g.bottleneck().map(Bottleneck::key).orElse(""))
                            .and("movedFrom grew allocates measurements machine partial seconds")
                            .and("says", GuardText::verdict)
                            .and("notes", GuardText::notes),
                    Keys.of(
                            FigureRow.class,
                            "name=metric unit=metric.unit value reference ratio ci95 verdict"
                                    + " since"),
                    Keys.of(FigureRow.Since.class, "run commit=code.hash before=before.hash day"),
                    Keys.document(
                                    "jdyno/bisect/1",
                                    Bisected.class,
                                    "plan verdict good bad commits figure before"
                                            + " ratio=effect.ratio ci95=effect.interval found"
                                            + " suspects grew allocates files=diff.files"
                                            + " diff=diff.lines measured skipped confidence starts"
                                            + " seconds buildSeconds partial")
                            .and("says", BisectText::verdict)
                            .and("notes", BisectText::notes),
                    Keys.of(Bisected.Skipped.class, "commit=commit.hash built why"),
                    Keys.of(Bisected.Suspect.class, "commit=commit.hash probability"),
                    Keys.of(Bisected.Version.class, "commit=commit.hash starts ratio"),
                    Keys.of(Revision.class, "commit=hash subject authored"));

    private static final List<Keys<?>> OF_TUNE =
            List.of(
                    Keys.document("jdyno/tune/1", Tuned.class, "improved baseline rounds")
                            .and("result", foundByTuning()::values)
                            .and(
                                    "ablation next predictionError=predictions.medianError"
                                            + " bounds=predictions.bounds"
                                            + " boundsHeld=predictions.held"
                                            + " predictions=predictions.all"
                                            + " predictionsJudged=predictions.judged searchEnd"
                                            + " seconds resumed partial")
                            .and("notes", TuneText::notes),
                    Keys.of(
                            Diagnosed.class,
                            "qps rtMs concurrency bottleneck where confidence says"),
                    Keys.of(
                            Tuned.Round.class,
                            "qps=diagnosed.qps rtMs=diagnosed.rtMs"
                                    + " concurrency=diagnosed.concurrency"
                                    + " bottleneck=diagnosed.bottleneck where=diagnosed.where"
                                    + " confidence=diagnosed.confidence says=diagnosed.says tried"),
                    gain(
                                    Keys.of(
                                                    Tuned.Tried.class,
                                                    "id=candidate.id says=candidate.says")
                                            .and(
                                                    "changes",
                                                    t -> ChangeForm.of(t.candidate().changes()))
                                            .and(
                                                    "predictedQpsRatio=candidate.predictedQpsRatio"
                                                            + " predictedAtMost=candidate.atMost"),
                                    Tuned.Tried::best)
                            .and("outcome=fate compared why"),
                    gain(
                                    Keys.of(Tuned.Ablated.class)
                                            .and("change", a -> ChangeForm.of(a.change()))
                                            .and("instead", a -> a.instead().map(ChangeForm::of)),
                                    a -> Optional.of(a.measured()))
                            .and("kept"),
                    Keys.of(Diagnosed.Advice.class)
                            .and("says", a -> a.what().says().text())
                            .and(
                                    "predictedQpsRatio=what.predictedQpsRatio"
                                            + " predictedAtMost=what.atMost"
                                            + " expected=what.expected"),
                    Keys.of(SearchEnd.class)
                            .and("budgetSeconds", e -> Durations.seconds(e.budget()))
                            .and("spentSeconds moreSeconds keptSeconds")
                            .and("unseen", e -> e.unseen().size())
                            .and("notCompared diagnosisLeft=anew")
                            .and("nextSeconds", e -> Durations.seconds(e.next()))
                            .and("enoughSeconds", e -> Durations.seconds(e.enough()))
                            .and("unseenCandidates=unseen"),
                    Keys.of(Candidate.class, "id says predictedQpsRatio"));

    private static final List<Keys<?>> OF_WARM =
            List.of(
                    Keys.document(
                                    "jdyno/warm/1",
                                    Warmed.class,
                                    "plan partial inFlight=settings.inFlight")
                            .and("trafficS", w -> w.settings().length().toMillis() / 1e3)
                            .and("limitMs=settings.limitMs fullQps plateauQps")
                            .and("starts", w -> starts(w.asIs()))
                            .and("tried seconds")
                            .and("notes", w -> NoteText.of(w.notes())),
                    Keys.of(Warmed.Tried.Measured.class, "name=way.key outcome=outcome.key")
                            .and("says", WarmText::says)
                            .and("lost firstAnswer to90 fullSpeedRatio=speed")
                            .and("starts", m -> starts(m.starts())),
                    Keys.of(Warmed.Tried.Not.class, "name=way.key")
                            .and("outcome", _ -> Optional.empty())
                            .and("says", WarmText::says)
                            .and("lost", _ -> Optional.empty())
                            .and("firstAnswer", _ -> Optional.empty())
                            .and("to90", _ -> Optional.empty())
                            .and("fullSpeedRatio", _ -> Optional.empty())
                            .and("starts", _ -> List.of()));

    private static final List<Keys<?>> OF_SIZE =
            List.of(
                    Keys.document(
                                    "jdyno/size/1",
                                    Sized.class,
                                    "plan partial end=end.key ratePerS=wish.ratePerS"
                                            + " replicas=wish.replicas"
                                            + " instanceRatePerS=wish.instanceRatePerS"
                                            + " reserve=wish.reserve"
                                            + " testedRatePerS=wish.testedRatePerS")
                            .and("goals", s -> s.wish().goals().stream().map(Goal::name).toList())
                            .and("price=wish.price")
                            .and("budgetSeconds", s -> Durations.seconds(s.wish().budget()))
                            .and("demand proposed found totalCost computedReplicas tests")
                            .and(
                                    "pools=pools.needs poolTests=pools.tests"
                                            + " raisedPools=pools.raised heapOfCommand seconds")
                            .and("says", SizeText::verdict)
                            .and("notes", s -> NoteText.of(s.notes())),
                    Keys.of(Price.class, "perCore perGibibyte"),
                    Keys.of(
                            InstanceSize.class,
                            "milliCpus mebibytes cpu=cpuText memory=memoryText"),
                    Keys.of(
                                    SizeDemand.class,
                                    "cpuMs restMs allocBytesPerS liveBytes=memory.liveBytes"
                                            + " outsideHeapBytes=memory.outsideBytes")
                            .and("peakMebi"),
                    Keys.of(Sized.Found.class, "size flags starts goodStarts")
                            .and("lessCpu=lessCpu.known.key lessCpuTested=lessCpu.tested")
                            .and("lessMemory=lessMemory.known.key")
                            .and("lessMemoryTested=lessMemory.tested cost"),
                    Keys.of(
                                    SizeTest.class,
                                    "size why=why.key outcome=outcome.key reason=reason.key flags")
                            .and("figures oomKills memoryPeakBytes=memoryPeak.value")
                            .and("failure seconds"),
                    Keys.of(
                                    PoolNeed.class,
                                    "pool=seen.pool library=seen.library present inUse=seen.inUse"
                                            + " inUseCi95=seen.ci95 heldMs=seen.heldMs")
                            .and("usesPerRequest least places setting=setting.name")
                            .and("property=setting.property knob=setting.knob")
                            .and("written=setting.written result=holds.key")
                            .and("less lessResult=lessHolds.key"),
                    Keys.of(PoolTest.class, "places test"),
                    Keys.of(
                            SizeTest.Figures.class,
                            "qps rtP99Ms aloneMs maxQps misses cpuCores cpuMsPerRequest"
                                    + " throttledPct throttledPeriodsPct gcPauseShare fullGcShare"
                                    + " allocBytesPerS clientShort heldByOthers warm"));

    private static final List<Keys<?>> OF_HEAP =
            List.of(
                    Keys.document(
                                    "jdyno/heap/1",
                                    HeapAnswer.class,
                                    "youngGcs=run.youngGcs fullGcs=run.fullGcs"
                                            + " promotedBytes=run.promotedBytes"
                                            + " directOldBytes=run.directBytes")
                            .and("gcTimeMs", a -> rounded(a.run().gcSeconds() * 1e3))
                            .and("gcSharePct", a -> rounded(a.run().gcShare() * 100))
                            .and(
                                    "youngIntervalMs",
                                    a -> scaled(a.run().youngIntervalSeconds(), 1e3))
                            .and("fullGcIntervalS", a -> scaled(a.run().fullGcIntervalSeconds(), 1))
                            .and(
                                    "fullGcsFrequent=run.fullGcsFrequent"
                                            + " outOfMemory=run.outOfMemory requests=run.requests")
                            .and("elapsedS", a -> rounded(a.run().elapsedSeconds()))
                            .and("qps", a -> rounded(a.run().requestsPerSecond()))
                            .and("safeConcurrency youngEnoughBytes=youngEnough.value")
                            .and("layout=run.layout")
                            .and("assumptions", a -> new HeapText(a).assumptions())
                            .and("sweep?")
                            .and("says", a -> new HeapText(a).says()),
                    Keys.of(HeapLayout.class, "edenBytes survivorBytes survivorBytesMax oldBytes"),
                    Keys.of(
                                    HeapSizing.Step.class,
                                    "youngBytes=young.value requests=prediction.requests"
                                            + " youngGcs=prediction.youngGcs"
                                            + " fullGcs=prediction.fullGcs")
                            .and("gcSharePct", s -> rounded(s.prediction().gcShare() * 100))
                            .and("qps", s -> rounded(s.prediction().requestsPerSecond())));

    /// The demand of a request on one resource.
    private static final Keys<Demand> TIME = Keys.of(Demand.class, "resource ms ci95 rounds units");

    private static final List<Keys<?>> OF_OTHERS =
            List.of(
                    Keys.document(
                                    "jdyno/whatif/1",
                                    WhatIfAnswer.class,
                                    "kneeConcurrency=model.predict.kneeConcurrency"
                                            + " maxQps=model.predict.qps"
                                            + " bottleneck=model.predict.bottleneck"
                                            + " rtMs=model.predict.minRtMs"
                                            + " rtAtKneeMs=model.predict.rtMs atConcurrency=at")
                            .and("atConcurrencyExact", a -> a.at().flatMap(a::exact))
                            .and("formula=model.predict.formula limits=alone")
                            .and(
                                    "demands",
                                    a -> a.given().demands().stream().map(TIME::values).toList())
                            .and("measured=given.seen changes=rows plan"),
                    Keys.of(
                            WhatIfAnswer.Row.class,
                            "change qps=prediction.qps rtMs=prediction.rtMs"
                                    + " rtP99Ms=prediction.rtP99Ms"
                                    + " kneeConcurrency=prediction.kneeConcurrency"
                                    + " bottleneck=prediction.bottleneck"
                                    + " extrapolation=prediction.extrapolation"
                                    + " formula=prediction.formula"),
                    Keys.of(
                            WhatIfAnswer.Seen.class,
                            "qps=plateau.qps rtMs=plateau.rtMs inFlight=plateau.inFlight"
                                    + " utilisation"),
                    Keys.of(
                            MachinePlan.Row.class,
                            "headroomPct machines rtMs=open.meanMs rtP99Ms=open.p99Ms"),
                    Keys.document("jdyno/gc-fleet/1", GcFleet.class, "logs=rows notGcLogs=others"),
                    Keys.of(
                            GcFleet.Row.class,
                            "log=name collector spanS pauseP99Ms pauseMaxMs pauseSharePct?"
                                    + " gcCpuPct? hoursToFull? full diagnoses incomplete"
                                    + " worst?=worst.id severity?=worst.severity"
                                    + " says?=worst.says"),
                    Keys.document(
                                    "jdyno/diagnosis/1",
                                    DiagnoseResult.class,
                                    "partial=recording.partial target=recording.target"
                                            + " seconds=round.seconds inFlight throughputPerS"
                                            + " throughputBetween=throughput.between"
                                            + " throughputFrom=throughput.source rtMeanMs=rtMs"
                                            + " rtContainerMs=throughput.containerRtMs"
                                            + " cpu=round.cpu threads=round.threads gc=round.gc"
                                            + " census")
                            .and("layers", w -> w.layers())
                            .and("verdict")
                            .and("prescriptions", Documents::prescriptions)
                            .and(
                                    "stages=recording.insight.stages"
                                            + " service=recording.insight.service")
                            .and("headroom", w -> w.headroom().map(HeadroomForm::values))
                            .and(
                                    "warnings",
                                    w ->
                                            w.recording().warnings().stream()
                                                    .map(Validity.Warning::says)
                                                    .toList())
                            .and("files"));

    static final List<Keys<?>> ALL =
            Stream.of(
                            OF_COMPARE,
                            OF_GUARD,
                            OF_TUNE,
                            OF_WARM,
                            OF_SIZE,
                            OF_HEAP,
                            OF_OTHERS,
                            HeadroomForm.PARTS)
                    .<Keys<?>>flatMap(List::stream)
                    .toList();

    private Documents() {}

    private static List<Difference.Part> parts(Optional<Difference.Breakdowns> of) {
        return of.map(Difference.Breakdowns::parts).orElse(List.of());
    }

    /// One start in a warm-up study.
    private record Start(StartFigures figures, List<ColdStart.Second> curve) {}

    private static List<Start> starts(Warmed.Starts of) {
        List<Start> all = new ArrayList<>();
        for (int i = 0; i < of.curves().size(); i++) {
            all.add(new Start(of.figures().get(i), of.curves().get(i).seconds()));
        }
        return all;
    }

    private static Optional<Double> scaled(OptionalDouble v, double factor) {
        return v.isPresent() ? Optional.of(rounded(v.getAsDouble() * factor)) : Optional.empty();
    }

    /// Rounds a model's figure to three decimals; further ones would be noise.
    static double rounded(double v) {
        return Math.round(v * 1e3) / 1e3;
    }

    /// The smallest set of changes that was found; `before` and `after` are values of the improved
    /// figure.
    private static Keys<Tuned> foundByTuning() {
        return gain(
                        Keys.of(Tuned.class).and("changes", t -> ChangeForm.of(t.changes())),
                        Tuned::confirmed)
                .and("before=confirmed.a after=confirmed.b command")
                .and("environment", Documents::environment)
                .and("files");
    }

    /// The result of a comparison, if there was one. A ratio above 1 is better.
    private static <T> Keys<T> gain(Keys<T> keys, Function<T, Optional<Measured>> of) {
        return keys.and("ratio", t -> of.apply(t).flatMap(Measured::gain))
                .and("ratioOf", t -> of.apply(t).map(m -> m.by().key()))
                .and("throughputRatio", t -> of.apply(t).flatMap(Measured::throughput))
                .and("throughputCi95", t -> of.apply(t).flatMap(Measured::throughputCi95))
                .and("ci95", t -> of.apply(t).flatMap(Measured::ci95))
                .and("starts", t -> of.apply(t).map(Measured::starts).orElse(0))
                .and("inFlight", t -> of.apply(t).flatMap(Measured::inFlight))
                .and("ratePerS", t -> of.apply(t).flatMap(Measured::ratePerS));
    }

    private static Map<String, String> environment(Tuned t) {
        Map<String, String> environment = new LinkedHashMap<>();
        for (Change change : t.changes()) {
            if (change instanceof Change.EnvironmentVariable v) {
                environment.put(v.name(), v.value());
            }
        }
        return environment;
    }

    private static List<ResultForm.RecommendationForm> prescriptions(DiagnoseResult w) {
        SourceText sources = SourceText.of(w.recording());
        Optional<SourceLine> bottleneck = sources.at(w.verdict());
        return w.recommendations().stream()
                .map(p ->
                        ResultForm.RecommendationForm.of(
                                p,
                                sources,
                                bottleneck,
                                Commands.ofOwnLoad(p, w.recording().target()),
                                Optional.empty()))
                .toList();
    }
}
