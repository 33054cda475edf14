package dev.jdyno.report;

import dev.jdyno.gclog.GcLog;
import dev.jdyno.judge.ResultFixture;
import dev.jdyno.judge.Results;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.load.LoadFacts;
import dev.jdyno.measure.load.LoadPoint;
import dev.jdyno.measure.load.WarmUpFacts;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.LatencyCurve;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/// Results with the load over time, the distribution of response times, and the loaded requests.
public final class LoadFixture {
    private static final double WARM_UP_S = 12;
    private static final int ROUND_S = 10;

    private LoadFixture() {}

    /// The invented run of experiment E1 with all of these.
    public static RunResult e1() {
        RunResult r = ResultFixture.e1();
        Recording recording = r.recording();
        List<Round> rounds = recording.rounds().stream().map(LoadFixture::withCurve).toList();
        return new RunResult(
                r.jdyno(),
                new Recording(
                        recording.machine(),
                        recording.target(),
                        Optional.of(WARM_UP_S),
                        rounds,
                        recording.census(),
                        recording.warnings(),
                        recording.partial(),
                        recording.insight(),
                        Optional.of(facts(rounds)),
                        recording.leftOut()),
                r.goal(),
                r.judged(),
                r.proof(),
                r.gcLog());
    }

    /// The same with the figures of a GC log from the corpus.
    public static RunResult withGcLog() {
        Path log = Path.of("../gclog/src/test/resources/gclog/jdk17-serial.log.gz");
        return e1().withGcLog(GcLog.read(List.of(log), GcLog.Options.DEFAULT).figures());
    }

    /// The same with so few other figures that the terminal shows all of it.
    public static RunResult alone() {
        RunResult r = withGcLog();
        return Results.of(
                        r.jdyno(),
                        r.recording().withInsight(Insight.NONE),
                        Optional.empty(),
                        r.knee(),
                        List.of(),
                        r.verdict(),
                        List.of(),
                        List.of(),
                        r.validity())
                .withGcLog(r.gcLog().orElseThrow());
    }

    private static LoadFacts facts(List<Round> rounds) {
        List<LoadPoint> points = new ArrayList<>();
        for (int s = 1; s <= WARM_UP_S; s++) {
            points.add(point(s, LoadPoint.Part.WARM_UP, rounds.getFirst(), 5L * s, 0));
        }
        double from = WARM_UP_S + 1;
        for (Round round : rounds) {
            for (int s = 0; s < ROUND_S; s++) {
                long failed = round.concurrency() == 40 ? s : 0;
                points.add(
                        point(
                                from + s,
                                LoadPoint.Part.ROUND,
                                round,
                                Math.round(round.qps() * (1 + 0.02 * (s % 3))),
                                failed));
            }
            from += ROUND_S + 1;
        }
        return new LoadFacts(List.of("[::1]:8080"), List.of("127.0.0.1:8080"), points, warmUp());
    }

    private static Optional<WarmUpFacts> warmUp() {
        return Optional.of(
                new WarmUpFacts(
                        WARM_UP_S,
                        new WarmUpFacts.Compilers(
                                Optional.of(0.04), Optional.of(1.3), Optional.of(550)),
                        Optional.of(650),
                        List.of(
                                new WarmUpFacts.Rest(
                                        2,
                                        1.5,
                                        Optional.of(650),
                                        Optional.of(0),
                                        55,
                                        Optional.of(140.0))),
                        Optional.of(
                                new WarmUpFacts.After(
                                        40,
                                        2.5,
                                        140,
                                        151,
                                        new Interval(1.01, 1.15),
                                        Optional.of(550))),
                        List.of()));
    }

    private static LoadPoint point(
            double fromS, LoadPoint.Part part, Round r, long requests, long errors) {
        return new LoadPoint(
                fromS, 1, part, r.concurrency(), r.ratePerS(), requests, errors, r.rtMs());
    }

    private static Round withCurve(Round r) {
        var nanos = new Histogram(3);
        for (int i = 0; i < 1000; i++) {
            nanos.recordValue(Math.round(r.rtMs().mean() * 1e6 * (0.7 + 1.2e-6 * i * i)));
        }
        return new Round(
                r.concurrency(),
                r.ratePerS(),
                r.seconds(),
                r.qps(),
                r.qpsCi95(),
                r.requests(),
                r.errors(),
                r.errorKinds(),
                r.failures(),
                r.bytesRead(),
                r.rtMs(),
                Optional.of(LatencyCurve.of(nanos)),
                r.client(),
                r.cpu(),
                r.threads(),
                r.gc(),
                r.anatomy(),
                r.slices(),
                r.disturbance(),
                r.replies());
    }
}
