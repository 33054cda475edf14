package dev.jdyno.report.json;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.jdyno.doctor.Finding;
import dev.jdyno.heapmodel.forecast.HeapForecast;
import dev.jdyno.history.Entry;
import dev.jdyno.history.Kind;
import dev.jdyno.load.ErrorSeconds;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Machine;
import dev.jdyno.measure.Proof;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunningJvm;
import dev.jdyno.measure.Slice;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.gc.GcDetail;
import dev.jdyno.measure.gc.GcLogFigures;
import dev.jdyno.measure.load.ClientSide;
import dev.jdyno.measure.load.DriverFacts;
import dev.jdyno.measure.load.FailureCount;
import dev.jdyno.measure.load.Incomplete;
import dev.jdyno.measure.load.LoadFacts;
import dev.jdyno.measure.service.ServiceFigures;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.StageTimes;
import dev.jdyno.measure.thread.ThreadCounts;
import dev.jdyno.measure.thread.ThreadReport;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Demand;
import dev.jdyno.measure.verdict.GoalKnee;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.Layer;
import dev.jdyno.measure.verdict.PointFigure;
import dev.jdyno.measure.verdict.PredictedChange;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.measure.verdict.WhatIf;
import dev.jdyno.trial.recording.StoredPlaces;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;

/// Types whose JSON form differs from their components: other names, another order, or another
/// record ({@link Converted}).
final class Forms {
    /// The JSON form of each type that has its own.
    static final Map<Class<?>, Class<?>> MIX_INS =
            Map.ofEntries(
                    Map.entry(Breakdown.class, BreakdownMixIn.class),
                    Map.entry(Change.Amount.class, AmountMixIn.class),
                    Map.entry(CpuUse.class, CpuMixIn.class),
                    Map.entry(Entry.Row.class, StoredMixIn.class),
                    Map.entry(FailureCount.class, FailureMixIn.class),
                    Map.entry(GcActivity.class, GcMixIn.class),
                    Map.entry(GcDetail.class, GcDetailMixIn.class),
                    Map.entry(GoalKnee.class, GoalMixIn.class),
                    Map.entry(Knee.class, KneeMixIn.class),
                    Map.entry(Knee.Predicted.class, PredictedMixIn.class),
                    Map.entry(Layer.class, LayerMixIn.class),
                    Map.entry(PointFigure.class, PointFigureMixIn.class),
                    Map.entry(PredictedChange.class, PredictedChangeMixIn.class),
                    Map.entry(Proof.Tried.class, TriedMixIn.class),
                    Map.entry(Round.class, RoundMixIn.class),
                    Map.entry(StageTimes.class, StageTimesMixIn.class),
                    Map.entry(ThreadSamples.class, SamplesMixIn.class),
                    Map.entry(ThreadSamples.Pool.class, PoolMixIn.class),
                    Map.entry(Verdict.class, VerdictMixIn.class),
                    Map.entry(Verdict.EvidenceLine.class, EvidenceMixIn.class),
                    Map.entry(Verdict.RunnerUp.class, RunnerUpMixIn.class));

    /// The keys of types whose keys have other names than the components, or that have additional
    /// keys.
    static final List<Keys<?>> KEYS =
            List.of(
                    Keys.of(
                            Entry.class,
                            "id verb=kind plan label at commit=code.hash verdict valid"),
                    Keys.of(ErrorSeconds.Second.class, "fromS=from toS=to errorKinds=kinds"),
                    Keys.of(Finding.class, "id state says mend=fix"),
                    Keys.of(
                            GcActivity.class,
                            "young full pauseShare allocBytesPerS promotedBytesPerS requestBytes"
                                    + " oldUsedBytes oldCapacityBytes detail"),
                    Keys.of(
                            HeapForecast.MedianError.class,
                            "collections=collectionsPct pauseMs=pausePct"),
                    Keys.of(Incomplete.class, "file kind behindLine says"),
                    Keys.of(
                            Knee.class,
                            "concurrency ci95 determinable=isDeterminable qps qpsAtKnee rtMs"
                                    + " method loadSeconds predicted model"),
                    Keys.of(
                            RunningJvm.class,
                            "pid name=serviceName main user ports ageSeconds cores observe=access"
                                    + " container=ownNetwork"),
                    Keys.of(ThreadReport.Deadlock.class, "threads waits=circle"),
                    Keys.of(
                            Verdict.class,
                            "bottleneck where confidence says=says.text names=says.names evidence"
                                    + " runnersUp nextLimit"),
                    Keys.of(
                            Verdict.EvidenceLine.class,
                            "id says=says.text names=says.names value unit limit"),
                    Keys.of(
                            Verdict.RunnerUp.class,
                            "bottleneck confidence possible from whyNot=whyNot.text"
                                    + " names=whyNot.names decided"));

    /// Components that files of earlier versions lack. They are read as empty, 0 or false. A file
    /// that lacks any other component is refused.
    static final Map<Class<?>, Set<String>> LATER =
            Map.ofEntries(
                    Map.entry(Change.LoggingEdit.class, Set.of("part")),
                    Map.entry(ChangeForm.AmountForm.class, Set.of("to", "times")),
                    Map.entry(ClientSide.class, Set.of("coreWaitPct", "stalledPct", "heldUp")),
                    Map.entry(
                            Converted.CpuForm.class,
                            Set.of("leftCores", "throttledPeriodsPct", "neighbours", "children")),
                    Map.entry(Converted.GcForm.class, Set.of("detail")),
                    Map.entry(
                            Converted.KneeForm.class, Set.of("determinable", "qpsAtKnee", "model")),
                    Map.entry(
                            Converted.PoolForm.class, Set.of("loop", "cores", "doing", "virtual")),
                    Map.entry(Converted.PredictedForm.class, Set.of("ofTheLimit", "qpsRange")),
                    Map.entry(
                            Converted.SamplesForm.class,
                            Set.of("queues", "limits", "calls", "signals", "disks")),
                    Map.entry(Converted.SignalForm.class, Set.of("unit")),
                    Map.entry(Demand.class, Set.of("rounds", "sources")),
                    Map.entry(GcLogFigures.class, Set.of("runBeganS")),
                    Map.entry(GoalKnee.Tested.class, Set.of("why")),
                    Map.entry(
                            Insight.class,
                            Set.of(
                                    "allocations",
                                    "exceptions",
                                    "pinned",
                                    "sources",
                                    "libraries",
                                    "calls",
                                    "origins",
                                    "service")),
                    Map.entry(
                            Converted.LayerForm.class,
                            Set.of(
                                    "layer",
                                    "kind",
                                    "of",
                                    "atOnce",
                                    "atLeast",
                                    "from",
                                    "waits",
                                    "smallest")),
                    Map.entry(Insight.Wait.class, Set.of("length")),
                    Map.entry(DriverFacts.class, Set.of("runSeconds")),
                    Map.entry(Machine.class, Set.of("host", "cpu")),
                    Map.entry(LoadFacts.class, Set.of("warmUp", "driver", "traceUrl")),
                    Map.entry(Proof.Tried.class, Set.of("stays")),
                    Map.entry(StoredPlaces.StoredBusy.class, Set.of("sites", "holderStack")),
                    Map.entry(
                            ResultForm.RecommendationForm.class,
                            Set.of(
                                    "changes",
                                    "how",
                                    "atMost",
                                    "formula",
                                    "expected",
                                    "place",
                                    "tryCommand",
                                    "verifyCommand",
                                    "assumed",
                                    "settings",
                                    "names")),
                    Map.entry(
                            ResultForm.class,
                            Set.of(
                                    "goal",
                                    "figures",
                                    "capacityNotes",
                                    "kneeUnclear",
                                    "kneeLoads",
                                    "whatIfUnclear",
                                    "warmupS",
                                    "load",
                                    "gcLog",
                                    "layers",
                                    "proof",
                                    "leftOut",
                                    "insight")),
                    Map.entry(
                            Round.class,
                            Set.of("failures", "latencyCurve", "disturbance", "replies")),
                    Map.entry(Converted.BreakdownForm.class, Set.of("errors")),
                    Map.entry(Sentences.EvidenceForm.class, Set.of("names")),
                    Map.entry(
                            Sentences.RunnerUpForm.class,
                            Set.of("possible", "from", "names", "decided")),
                    Map.entry(Sentences.VerdictForm.class, Set.of("names", "nextLimit")),
                    Map.entry(ServiceFigures.class, Set.of("totalPerS")),
                    Map.entry(Slice.class, Set.of("takenCores")),
                    Map.entry(StageTimes.class, Set.of("parts")),
                    Map.entry(StageTimes.Stage.class, Set.of("from")),
                    Map.entry(
                            TargetFacts.class,
                            Set.of("memoryLimitBytes", "standstills", "jvmStart")),
                    Map.entry(ThreadCounts.class, Set.of("stops")),
                    Map.entry(WhatIf.class, Set.of("curve", "expected")));

    private Forms() {}

    @JsonSerialize(converter = Converted.WriteBreakdown.class)
    @JsonDeserialize(converter = Converted.ReadBreakdown.class)
    interface BreakdownMixIn {}

    @JsonDeserialize(converter = ChangeForm.ReadAmount.class)
    interface AmountMixIn {}

    @JsonDeserialize(converter = Converted.ReadCpu.class)
    interface CpuMixIn {}

    @JsonPropertyOrder({"id", "verb"})
    interface StoredMixIn {
        @JsonProperty("verb")
        Kind kind();
    }

    @JsonSerialize(converter = Converted.WriteFailure.class)
    interface FailureMixIn {}

    @JsonDeserialize(converter = Converted.ReadGc.class)
    interface GcMixIn {}

    @JsonSerialize(converter = Converted.WriteGcDetail.class)
    @JsonDeserialize(converter = Converted.ReadGcDetail.class)
    interface GcDetailMixIn {}

    @JsonDeserialize(converter = Converted.ReadKnee.class)
    interface KneeMixIn {}

    @JsonDeserialize(converter = Converted.ReadPredicted.class)
    interface PredictedMixIn {}

    @JsonSerialize(converter = Converted.WriteFigure.class)
    @JsonDeserialize(converter = Converted.ReadFigure.class)
    interface PointFigureMixIn {}

    @JsonSerialize(converter = Converted.WriteChange.class)
    @JsonDeserialize(converter = Converted.ReadChange.class)
    interface PredictedChangeMixIn {}

    @JsonSerialize(converter = Converted.WriteLayer.class)
    interface LayerMixIn {}

    @JsonSerialize(converter = Converted.WriteSamples.class)
    @JsonDeserialize(converter = Converted.ReadSamples.class)
    interface SamplesMixIn {}

    @JsonDeserialize(converter = Sentences.ReadVerdict.class)
    interface VerdictMixIn {}

    @JsonDeserialize(converter = Sentences.ReadEvidence.class)
    interface EvidenceMixIn {}

    @JsonDeserialize(converter = Sentences.ReadRunnerUp.class)
    interface RunnerUpMixIn {}

    @JsonSerialize(converter = Converted.WritePool.class)
    @JsonDeserialize(converter = Converted.ReadPool.class)
    interface PoolMixIn {}

    @JsonPropertyOrder({
        "concurrency",
        "ratePerS",
        "seconds",
        "qps",
        "qpsCi95",
        "requests",
        "errors",
        "errorKinds",
        "errorDetails",
        "bytes",
        "rtMs",
        "latencyCurve",
        "client",
        "cpu",
        "threads",
        "gc",
        "anatomy",
        "slices"
    })
    interface RoundMixIn {
        @JsonSerialize(converter = Converted.Sorted.class)
        Map<String, Long> errorKinds();

        @JsonProperty("errorDetails")
        List<FailureCount> failures();

        @JsonProperty("bytes")
        Optional<Long> bytesRead();
    }

    @JsonPropertyOrder({
        "goals",
        "goodPerS",
        "badPerS",
        "estimatePerS",
        "steepness",
        "hard",
        "bindingGoal",
        "limit",
        "pausesShare",
        "saturationQps",
        "loadSeconds",
        "requests",
        "pauses",
        "cost",
        "reason",
        "says",
        "narrow",
        "tests"
    })
    interface GoalMixIn {
        @JsonProperty("goodPerS")
        Optional<Double> good();

        @JsonProperty("badPerS")
        Optional<Double> bad();

        @JsonProperty("estimatePerS")
        @JsonSerialize(using = Converted.WriteKnown.class)
        @JsonDeserialize(using = Converted.ReadKnown.class)
        double estimate();

        @JsonSerialize(using = Converted.WriteKnown.class)
        @JsonDeserialize(using = Converted.ReadKnown.class)
        double steepness();

        @JsonSerialize(using = Converted.WriteKnown.class)
        @JsonDeserialize(using = Converted.ReadKnown.class)
        double pausesShare();

        @JsonSerialize(using = Converted.WriteKnown.class)
        @JsonDeserialize(using = Converted.ReadKnown.class)
        double saturationQps();
    }

    @JsonPropertyOrder({
        "id",
        "change",
        "why",
        "figure",
        "predictedRatio",
        "agreesWith",
        "ratio",
        "ratioRange",
        "answer",
        "before",
        "changed",
        "after",
        "stays"
    })
    interface TriedMixIn {
        @JsonProperty("predictedRatio")
        double predicted();

        @JsonProperty("agreesWith")
        Interval agrees();
    }

    @JsonPropertyOrder({"concurrency", "seconds", "source", "stages", "intervals", "note"})
    interface StageTimesMixIn {
        @JsonProperty("intervals")
        List<StageTimes.Part> parts();
    }
}
