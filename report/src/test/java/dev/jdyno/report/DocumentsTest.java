package dev.jdyno.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.history.Commit;
import dev.jdyno.history.Entry;
import dev.jdyno.history.EntryFixture;
import dev.jdyno.history.Kind;
import dev.jdyno.history.Point;
import dev.jdyno.judge.InsightFixture;
import dev.jdyno.judge.ResultFixture;
import dev.jdyno.judge.SamplesFixture;
import dev.jdyno.measure.DiagnoseResult;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Throughput;
import dev.jdyno.measure.thread.ThreadLimit;
import dev.jdyno.measure.thread.ThreadReport;
import dev.jdyno.measure.thread.ThreadReport.Deadlock.Waits;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Headroom;
import dev.jdyno.series.Drift;
import dev.jdyno.series.Judgement;
import dev.jdyno.series.Levels;
import dev.jdyno.series.Repeating;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Complete JSON documents that scripts read, with the keys in order.
class DocumentsTest {
    private static final String SECRET = "--db-password=hunter2";
    private static final Levels LEVELS =
            new Levels(List.of(new Levels.Change(1, 0, 2)), List.of(0));

    private static void assertIs(String name, String document) throws IOException {
        assertThat(document).doesNotContain("hunter2");
        Golden.assertMatches("documents/" + name + ".json", document);
    }

    @Test
    void writesThreadsDocument() throws IOException {
        var first = new Waits("worker-1", "java.lang.Object@1f", List.of("com.acme.A.a"));
        var second = new Waits("worker-2", "java.lang.Object@2f", List.of());
        var holder =
                new ThreadReport.Holder(
                        "worker-1", "BLOCKED", List.of("com.acme.A.a"), Optional.of("lock@2f"));
        var report =
                new ThreadReport(
                        2.5,
                        SamplesFixture.census(),
                        Map.of("RUNNABLE", 3),
                        List.of(
                                new ThreadReport.Busy(
                                        "exec-1 " + SECRET,
                                        4711,
                                        0.9,
                                        0.05,
                                        Optional.of("RUNNABLE"),
                                        List.of("com.acme.A.b", SECRET)),
                                new ThreadReport.Busy(
                                        "GC Thread#0", 4712, 0.1, 0, Optional.empty(), List.of())),
                        List.of(
                                new ThreadReport.Queue(
                                        "lock@1f", List.of("worker-2"), Optional.of(holder)),
                                new ThreadReport.Queue("lock@3f", List.of(), Optional.empty())),
                        List.of(new ThreadReport.Deadlock(List.of(first, second))),
                        true,
                        List.of(
                                new ThreadReport.Group(
                                        "http-exec-", 24, Map.of("sleeping", 24), 1.9, 0.2)),
                        List.of("the JVM gave no dump: " + SECRET));

        assertIs(
                "threads",
                ThreadsReport.json(
                        report,
                        42,
                        List.of(
                                new ThreadLimit(ThreadLimit.Kind.CGROUP, 100, 97, 3),
                                new ThreadLimit(
                                        ThreadLimit.Kind.ADDRESS_SPACE, 1L << 40, 1L << 30, 999))));
    }

    @Test
    void writesDiagnosisDocument() throws IOException {
        RunResult run = ResultFixture.small();
        var throughput =
                new Throughput(
                        173.8,
                        Throughput.Source.SEGMENTS,
                        Optional.of(90.5),
                        Optional.of(new Interval(170, 180)));

        assertIs(
                "diagnosis",
                DiagnoseReport.json(
                        new DiagnoseResult(
                                run.withInsight(InsightFixture.insight()).recording(),
                                Optional.of(20.0),
                                Optional.of(throughput),
                                run.judged(),
                                Optional.of(headroom()),
                                Optional.empty())));
        assertIs(
                "diagnosis-bare",
                DiagnoseReport.json(
                        new DiagnoseResult(
                                run.recording(),
                                Optional.empty(),
                                Optional.empty(),
                                run.judged(),
                                Optional.of(
                                        new Headroom(
                                                new Headroom.Unknown(
                                                        Headroom.Reason.TOO_LITTLE_VARIATION,
                                                        Optional.of(60.0),
                                                        Optional.of(
                                                                new Headroom.AtLeast(1900, 20))),
                                                List.of(),
                                                Optional.empty(),
                                                List.of())),
                                Optional.empty())));
    }

    private static Headroom headroom() {
        var cpu =
                new Headroom.Known(
                        950,
                        new Interval(900, 1010),
                        2,
                        new Interval(1.9, 2.1),
                        0.1,
                        2,
                        5,
                        400,
                        560,
                        0.61,
                        60);
        var pool =
                new Headroom.Known(
                        640,
                        new Interval(600, 690),
                        15,
                        new Interval(14, 16),
                        0.5,
                        10,
                        5,
                        400,
                        560,
                        0.9,
                        60);
        var unknown =
                new Headroom.Unknown(
                        Headroom.Reason.TOO_LITTLE_VARIATION,
                        Optional.of(3600.0),
                        Optional.of(new Headroom.AtLeast(660, 400)));
        return new Headroom(
                cpu,
                Optional.of(mix()),
                List.of(
                        new Headroom.PoolLimit("orders", "HikariCP", 10, 0.9, pool),
                        new Headroom.PoolLimit("http-nio-8080", "Tomcat", 200, 0.03, unknown)),
                List.of(
                        new Headroom.DiskLimit("nvme0n1", 0.9, pool),
                        new Headroom.DiskLimit("nvme1n1", 0.03, unknown)),
                0,
                Optional.of(
                        new Headroom.First(
                                Headroom.Resource.pool("orders"),
                                pool,
                                List.of(Headroom.Resource.pool("http-nio-8080")),
                                Optional.of(new Headroom.Raise(15, 950, Headroom.Resource.CPU)))),
                List.of(new Headroom.TimeAt(0.8, 512, 31.5)));
    }

    private static Headroom.Mix mix() {
        return new Headroom.Mix(
                List.of(
                        new Headroom.EndpointDemand(
                                Optional.of("GET /items/{id}"),
                                380,
                                0.95,
                                0.9,
                                1.5,
                                new Interval(1.4, 1.6)),
                        new Headroom.EndpointDemand(
                                Optional.empty(), 20, 0.05, 0.1, 11.5, new Interval(10, 13))),
                Optional.of(new Headroom.BusiestMix(560, 790, new Interval(740, 850))));
    }

    private static Entry entry(String id, double qps, Optional<String> text) {
        return new EntryFixture(id, Kind.RUN, "shop", Instant.parse("2026-11-01T08:00:00Z"))
                .label(text)
                .seconds(12.5)
                .code(text.map(branch -> new Commit("a".repeat(40), Optional.of(branch))))
                .environment(
                        new Entry.Environment("host", 2, "cpu", "Linux 6", text, List.of("-Xmx1g")))
                .verdict("lock")
                .bottleneck(text.map(_ -> Bottleneck.LOCK))
                .folder(text)
                .commandLine("jdyno run shop.yaml " + SECRET)
                .figures(
                        List.of(
                                new Entry.Figure("cpuMsPerRequest", "ms", 2.5, Optional.empty()),
                                new Entry.Figure(
                                        "qps",
                                        "requests/s",
                                        qps,
                                        Optional.of(new Interval(qps - 1, qps + 1)))))
                .parts(
                        List.of(
                                new Entry.Part(Entry.PartKind.CAUSE, "lock", 4 * qps, 0),
                                new Entry.Part(
                                        Entry.PartKind.METHOD, "com.acme.Shop.price", qps, 120)))
                .artifacts(List.of(new Entry.Artifact("result.json", 1000, "ab")))
                .entry();
    }

    private static final Entry BARE = entry("one", 100, Optional.empty());
    private static final Entry FULL = entry("two", 120, Optional.of("main"));

    @Test
    void writesHistoryDocument() throws IOException {
        assertIs("history", HistoryReport.jsonLines(List.of(BARE, FULL)));
        assertIs("history-list", HistoryReport.json(List.of(FULL), 7));
        assertIs("pair", new Pair(BARE, FULL).json());
    }

    @Test
    void writesSeriesDocument() throws IOException {
        Instant at = Instant.parse("2026-11-01T08:00:00.5Z");
        List<Point> points =
                List.of(
                        new Point("one", at, Optional.empty(), 0, Optional.empty()),
                        new Point(
                                "two",
                                at,
                                Optional.of("a".repeat(40)),
                                2,
                                Optional.of(new Interval(1.5, 2.5))));

        assertIs("trend", HistoryReport.json("shop", "qps", points, LEVELS));
        assertIs(
                "series",
                SeriesReport.json(
                        new Judgement(
                                LEVELS,
                                Optional.of(new Repeating.Season(24.5, 1, 3)),
                                List.of(new Drift(1, 2, 0, 2)),
                                true,
                                2,
                                Judgement.Verdict.REGRESSION)));
    }
}
