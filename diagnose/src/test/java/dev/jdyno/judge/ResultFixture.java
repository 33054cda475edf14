package dev.jdyno.judge;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Machine;
import dev.jdyno.measure.Proof;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.Slice;
import dev.jdyno.measure.Standstill;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.gc.GcDetail;
import dev.jdyno.measure.load.ClientSide;
import dev.jdyno.measure.load.EventTimes;
import dev.jdyno.measure.load.FailureCount;
import dev.jdyno.measure.load.FailureReason;
import dev.jdyno.measure.load.ReplyTimes;
import dev.jdyno.measure.load.SlowRequest;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Latency;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.ThreadCounts;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.CapacityNotes;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Demand;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.PredictedChange;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.RecommendedChange;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.measure.verdict.WhatIf;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Results for tests. The figures are invented in the shape of the first case of experiment E1 (10
/// ms CPU, 80 ms downstream, 2 cores: knee 20, 175 QPS, RT 114 ms).
public final class ResultFixture {
    private static final int[] CONCURRENCY = {1, 2, 4, 8, 12, 16, 20, 24, 32, 40};
    private static final double[] QPS = {
        10.8, 21.6, 42.9, 84.6, 124.5, 158.2, 173.8, 175.4, 174.9, 172.3
    };

    private ResultFixture() {}

    /// The first case of experiment E1, complete and valid.
    public static RunResult e1() {
        return e1(true);
    }

    /// The same run with another limit than CPU.
    public static RunResult e1WithAnotherLimit() {
        return e1(false);
    }

    private static RunResult e1(boolean cpuLimits) {
        List<Round> rounds = new ArrayList<>();
        for (int i = 0; i < CONCURRENCY.length; i++) {
            rounds.add(round(CONCURRENCY[i], QPS[i]));
        }
        return Results.withNotes(
                Results.of(
                                about(),
                                new Recording(
                                        new Machine(2, 25_165_824_000L, "Linux 6.8.0", 0.4),
                                        target(),
                                        Optional.empty(),
                                        rounds,
                                        List.of(SamplesFixture.census()),
                                        List.of(),
                                        false),
                                Optional.empty(),
                                Optional.of(knee(cpuLimits)),
                                demands(),
                                verdict(),
                                RecommendationFixture.whatIf(),
                                RecommendationFixture.recommendations(),
                                new Validity(
                                        true,
                                        List.of(
                                                new Validity.Warning(
                                                        "shared-machine",
                                                        "client, service and downstream share 2 cores: the client took 0.11 of them",
                                                        false))))
                        .withProof(proof())
                        .withInsight(InsightFixture.insight()),
                CapacityNotes.NONE.plus(List.of("CPU per request 9.80 ms is from 3 rounds")));
    }

    /// One experiment that confirmed the verdict, and one that could not be made.
    private static Proof proof() {
        var plain = new Proof.Point(40, 175, 228, Optional.of(1.71));
        return new Proof(
                Proof.Answer.AGREED,
                "cpu confirmed: CPU 0 of 0-1: qps × 0.57 (predicted × 0.58, agrees from 0.44 to 0.79)",
                List.of(
                        new Proof.Tried(
                                "fewer-cores",
                                "CPU 0 of 0-1",
                                "it used 1.71 cores: with 1, throughput falls in proportion (F2)",
                                "qps",
                                0.58,
                                new Interval(0.44, 0.79),
                                0.57,
                                new Interval(0.55, 0.6),
                                Proof.Answer.AGREED,
                                plain,
                                new Proof.Point(40, 100, 400, Optional.of(1.0)),
                                Optional.of(plain),
                                Optional.empty())),
                List.of("40 ms of extra delay to the downstream: no relay"));
    }

    /// Two rounds, one with every optional part and one without any. Small enough for a golden
    /// file.
    public static RunResult small() {
        var r = e1();
        var bare =
                new Round(
                        4,
                        Optional.of(40.0),
                        2,
                        39.5,
                        new Interval(38, 41),
                        79,
                        1,
                        Map.of("connect", 1L),
                        List.of(
                                new FailureCount(
                                        "connect",
                                        FailureReason.CONNECTION_RESET,
                                        1,
                                        Optional.of("HTTP/1.1 \\x1b"))),
                        Optional.empty(),
                        new Latency(92.5, 92, 94, 97, 98, 99),
                        Optional.empty(),
                        new ClientSide(3.5, 1.5, 0, 0, 0, true, false, Optional.of("loop")),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        Optional.empty(),
                        Optional.of(
                                new ReplyTimes(
                                        new Latency(40.5, 40, 41, 42, 43, 44),
                                        new Latency(80.5, 80, 81, 82, 83, 84),
                                        Optional.of(
                                                new EventTimes(
                                                        790,
                                                        395,
                                                        new Latency(82.5, 82, 83, 84, 85, 86),
                                                        new Latency(1.5, 1, 2, 3, 4, 5))),
                                        List.of(
                                                new SlowRequest(
                                                        "0af7651916cd43dd8448eb211c80319c",
                                                        99,
                                                        44)))));
        return Results.withNotes(
                Results.of(
                                r.jdyno(),
                                new Recording(
                                        r.machine(),
                                        r.target(),
                                        Optional.empty(),
                                        List.of(bare, r.rounds().get(6)),
                                        r.census(),
                                        List.of(),
                                        r.partial()),
                                Optional.empty(),
                                r.knee(),
                                r.demands(),
                                r.verdict(),
                                r.whatIf(),
                                r.recommendations(),
                                r.validity())
                        .withProof(proof()),
                r.capacityNotes());
    }

    /// A result without target, rounds and findings.
    public static RunResult empty() {
        return Results.of(
                about(),
                new Recording(
                        new Machine(2, 25_165_824_000L, "Linux 6.8.0", 0),
                        new TargetFacts(
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                List.of(),
                                2,
                                false,
                                List.of(),
                                List.of("proc: no target was named")),
                        Optional.empty(),
                        List.of(),
                        List.of(),
                        List.of(),
                        true),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                new Verdict(
                        Bottleneck.UNKNOWN,
                        "",
                        0,
                        Sentence.of("Nothing was measured."),
                        List.of(),
                        List.of()),
                List.of(),
                List.of(),
                new Validity(
                        false,
                        List.of(new Validity.Warning("no-rounds", "no round was finished", true))));
    }

    /// A result with long lists and long, hostile texts, which must not break any output form.
    public static RunResult monstrous() {
        String evil =
                "<script>document.title='owned'</script>\u001b[2J\u009b\u202e\u2066\"onload=\"x\" </title>"
                        + "<img src=x onerror=document.title='owned'> "
                        + "com.example.AVeryLongClassName".repeat(12);
        var r = e1();
        List<Verdict.EvidenceLine> evidence = new ArrayList<>();
        List<Verdict.RunnerUp> runnersUp = new ArrayList<>();
        List<WhatIf> whatIf = new ArrayList<>();
        List<Recommendation> recommendations = new ArrayList<>();
        List<Validity.Warning> warnings = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            evidence.add(
                    new Verdict.EvidenceLine(
                            evil, Sentence.of(evil), i / 3.0, evil, Double.POSITIVE_INFINITY));
            runnersUp.add(Verdict.RunnerUp.ruledOut(Bottleneck.LOCK, i / 12.0, evil));
            whatIf.add(
                    new WhatIf(
                            PredictedChange.of(evil),
                            1e9 / 3,
                            1e-9,
                            Double.POSITIVE_INFINITY,
                            evil));
            recommendations.add(
                    new Recommendation(
                            RecommendedChange.read(
                                    evil,
                                    evil,
                                    List.of(new Change.SystemProperty(evil, evil)),
                                    true),
                            Sentence.of(evil),
                            evil,
                            Optional.of(1e6),
                            Optional.of(0.0),
                            true,
                            evil,
                            Optional.of(0.97),
                            Optional.of(new Expected(1e9 / 3, 1e-9, 1, Optional.empty()))));
            warnings.add(new Validity.Warning(evil, evil, i % 2 == 0));
        }
        var t = r.target();
        List<Round> rounds = new ArrayList<>();
        for (Round round : r.rounds()) {
            Map<Cause, Double> all = new EnumMap<>(Cause.class);
            List<Breakdown.Spot> spots = new ArrayList<>();
            for (Cause c : Cause.values()) {
                all.put(c, 1.0 + all.size());
                spots.add(new Breakdown.Spot(c, PlaceText.place(c, evil), 0.0 + all.size()));
            }
            rounds.add(round.withBreakdown(new Breakdown(all, spots, 12)));
        }
        return Results.of(
                new RunResult.About("0.1.0", evil, Instant.EPOCH, 1e7, evil),
                new Recording(
                        new Machine(1024, Long.MAX_VALUE, evil, 99.9),
                        new TargetFacts(
                                t.pid(),
                                Optional.of(evil),
                                Optional.of(evil),
                                Optional.of(evil),
                                t.heapMaxBytes(),
                                List.of(evil, evil),
                                2,
                                true,
                                List.of(evil),
                                List.of(evil)),
                        Optional.empty(),
                        rounds,
                        r.census(),
                        List.of(),
                        true),
                Optional.empty(),
                r.knee(),
                List.of(new Demand(evil, 1, Optional.empty(), 1, 1, 1)),
                new Verdict(
                        Bottleneck.LOCK,
                        evil,
                        0.5,
                        Sentence.of(evil + " " + evil),
                        evidence,
                        runnersUp),
                whatIf,
                recommendations,
                Validity.of(warnings));
    }

    private static RunResult.About about() {
        return new RunResult.About(
                "0.1.0", "jdyno demo", Instant.parse("2026-01-31T12:00:00Z"), 118.4, "demo");
    }

    private static TargetFacts target() {
        return new TargetFacts(
                        Optional.of(4711L),
                        Optional.of("OpenJDK 64-Bit Server VM 25.0.3+9"),
                        Optional.of("25.0.3"),
                        Optional.of("G1"),
                        Optional.of(536_870_912L),
                        List.of("-Xmx512m", "-Xlog:gc*:file=gc.log"),
                        2,
                        false,
                        List.of("proc", "hsperfdata", "attach", "jfr"),
                        List.of("perf_events: kernel.perf_event_paranoid is 3"))
                .with(
                        List.of(
                                new Standstill(Standstill.By.SIGNAL, 12, Optional.of(15.5)),
                                new Standstill(Standstill.By.CGROUP, 30, Optional.empty())));
    }

    private static Round round(int n, double qps) {
        double rt = n / qps * 1000;
        List<Slice> slices = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            slices.add(new Slice(qps + i - 0.5, rt - i + 0.5, Optional.of(qps * 0.0098)));
        }
        return new Round(
                n,
                Optional.empty(),
                10,
                qps,
                new Interval(qps * 0.985, qps * 1.012),
                Math.round(qps * 10),
                0,
                Map.of(),
                Optional.of(Math.round(qps * 10) * 2_048),
                new Latency(rt, rt * 0.985, rt * 1.12, rt * 1.31, rt * 1.62, rt * 2.1),
                ClientSide.withRoom(2 + qps * 0.05, 1 + qps * 0.04),
                Optional.of(
                        CpuUse.ofWholeMachine(
                                qps * 0.0098,
                                qps * 0.0011,
                                0.02 + qps * 0.0005,
                                0.03,
                                2,
                                Math.min(100, qps * 0.53),
                                0.4,
                                0)),
                Optional.of(
                        new ThreadCounts(
                                36 + n,
                                Optional.of(0.1),
                                Math.max(0, (n - 12) * 0.2),
                                Optional.of(new ThreadCounts.Stops(0.001, 0.002, 1.5)))),
                Optional.of(
                        new GcActivity(
                                new GcActivity.Count(Math.round(qps / 60), qps / 15),
                                GcActivity.Count.NONE,
                                qps / 150_000,
                                Optional.of(qps * 310_000),
                                Optional.of(2_400.0),
                                Optional.of(310_000.0),
                                Optional.of(21_500_000.0),
                                Optional.empty(),
                                Optional.of(
                                        new GcDetail(
                                                4.5,
                                                Map.of("G1 Evacuation Pause", Math.round(qps / 60)),
                                                0,
                                                List.of())),
                                GcActivity.Why.UNKNOWN)),
                Optional.of(SamplesFixture.anatomy(rt)),
                slices);
    }

    private static Knee knee(boolean cpuLimits) {
        return new Knee(
                20,
                new Interval(18.4, 22.1),
                175.4,
                114.8,
                "two lines on a log scale",
                92,
                Optional.of(
                        new Knee.Predicted(18.3, 182.5, cpuLimits, "F1 = (0.8+9.8+80.3)/9.8*2")));
    }

    private static List<Demand> demands() {
        return List.of(
                new Demand("cpu", 9.8, Optional.of(new Interval(9.6, 10.1)), 3, 2, 0.93),
                new Demand(
                                "downstream 127.0.0.1:41873",
                                80.3,
                                Optional.of(new Interval(80.1, 80.6)),
                                3,
                                Double.POSITIVE_INFINITY,
                                0)
                        .from(
                                List.of(
                                        new Demand.Source(
                                                Demand.Source.Kind.THREAD_DUMPS,
                                                79.1,
                                                6.2,
                                                0,
                                                Demand.Source.Reason.STANDARD_ERROR),
                                        new Demand.Source(
                                                Demand.Source.Kind.FLIGHT_RECORDING,
                                                80.3,
                                                0.1,
                                                1,
                                                Demand.Source.Reason.STANDARD_ERROR))));
    }

    private static Verdict verdict() {
        return new Verdict(
                Bottleneck.CPU,
                "dev.jdyno.lab.CpuBurner.burn",
                0.94,
                Sentence.of(
                        "The CPU is used up: 20 requests at a time take 1.71 of the 1.87 cores that client"
                                + " and downstream leave, and more concurrency only lengthens the run"
                                + " queue."),
                List.of(
                        new Verdict.EvidenceLine(
                                "cpu.utilisation",
                                Sentence.of(
                                        "The service used 0.93 of the cores available to it (limit 0.85)"),
                                0.93,
                                "of cores",
                                0.85),
                        new Verdict.EvidenceLine(
                                "cpu.run-queue",
                                Sentence.of("A request waits 17.5 ms for a core and runs 9.8 ms"),
                                17.5,
                                "ms",
                                9.8),
                        new Verdict.EvidenceLine(
                                "plateau",
                                Sentence.of(
                                        "Twice the concurrency gives 0.99 of the QPS (limit 1.10)"),
                                0.99,
                                "ratio",
                                1.1)),
                List.of(
                        Verdict.RunnerUp.ruledOut(
                                Bottleneck.DOWNSTREAM,
                                0.22,
                                "its time stays at 80.3 ms from N=1 to N=40: it is waited for, not used up"),
                        Verdict.RunnerUp.ruledOut(
                                Bottleneck.CLIENT,
                                0.05,
                                "its busiest event loop waited 92 % of the time")));
    }
}
