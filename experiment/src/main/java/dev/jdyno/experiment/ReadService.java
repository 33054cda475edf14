package dev.jdyno.experiment;

import dev.jdyno.experiment.Comparison.Judged;
import dev.jdyno.experiment.Comparison.Row;
import dev.jdyno.experiment.lab.Lab;
import dev.jdyno.experiment.lab.LabService;
import dev.jdyno.experiment.server.Redis;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.plan.Knob;
import dev.jdyno.plan.Knob.Place;
import dev.jdyno.plan.Knob.Values;
import dev.jdyno.plan.Plan;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// E10: a read service over Redis, made faster in six rounds: cheaper logging in two rounds, a
/// larger young generation, another server, a local cache with fewer workers.
final class ReadService implements Tunable {
    private static final String MAIN = "article.Articles";
    private static final String PAGE = "/article?id=3";
    private static final int USERS = 32;
    private static final Duration LENGTH = Duration.ofSeconds(6);

    /// The published gain of all rounds.
    private static final double PUBLISHED = 5000 / 1400.0;

    /// Minimum gain that tuning must reach here.
    private static final double MIN = 2.5;

    private static final List<String> HEAP = List.of("-Xms1g", "-Xmx1g", "-Xmn64m");

    private static final List<String> LARGE_YOUNG =
            List.of("-Xms1g", "-Xmx1g", "-Xmn384m", "-XX:SurvivorRatio=6");

    /// Two knobs that do not help: the first has no effect here, the second makes the service
    /// slower.
    private static final String HERRING = "-XX:+UseStringDeduplication";

    private static final String HARMFUL = "-XX:TieredStopAtLevel=1";

    /// @param published published QPS on 4 cores
    /// @param logging name of the lab's resource with the logging configuration
    private record Step(
            String name,
            double published,
            List<String> flags,
            String logging,
            List<String> options) {}

    private static final String FOUND = "articles-logback.xml";
    private static final String NO_FLUSH = "articles-logback-no-flush.xml";
    private static final String CHEAP = "articles-logback-cheap.xml";

    private static final List<Step> STEPS =
            List.of(
                    new Step("as found", 1400, HEAP, FOUND, List.of()),
                    new Step(
                            "no flush, queue 10 000, no caller data",
                            2300,
                            HEAP,
                            NO_FLUSH,
                            List.of()),
                    new Step("no %method", 2500, HEAP, CHEAP, List.of()),
                    new Step("larger young generation", 2680, LARGE_YOUNG, CHEAP, List.of()),
                    new Step("Undertow", 3800, LARGE_YOUNG, CHEAP, List.of("--server=undertow")),
                    new Step(
                            "local cache, fewer workers",
                            5000,
                            LARGE_YOUNG,
                            CHEAP,
                            List.of("--server=undertow", "--cache=10s", "--workers=32")));

    @Override
    public String id() {
        return "E10";
    }

    @Override
    public String title() {
        return "a read service over Redis made faster, round by round";
    }

    @Override
    public Comparison run(Bench bench) throws InterruptedException {
        List<Row> rows = new ArrayList<>();
        List<Double> qps = new ArrayList<>();
        List<Double> youngPerS = new ArrayList<>();
        Lab lab = bench.lab();
        Redis redis = Redis.start(id(), lab.folder());
        lab.keep(redis::close);
        for (Step step : STEPS) {
            List<String> flags = new ArrayList<>(step.flags());
            flags.add("-Dlogback.configurationFile=" + lab.resource(step.logging()));
            List<String> arguments =
                    new ArrayList<>(List.of("--port", "0", "--redis", "" + redis.port()));
            arguments.addAll(step.options());
            try (LabService service = lab.start(MAIN, flags, arguments)) {
                // the first round is a warm-up; the second one counts
                Round round =
                        bench.at("E10 " + step.name(), service, PAGE, LENGTH, USERS, USERS)
                                .getLast();
                qps.add(round.qps());
                youngPerS.add(
                        round.gc()
                                .map(GcActivity::young)
                                .map(y -> y.count() / round.seconds())
                                .orElse(0.0));
                rows.add(
                        Comparison.figure(
                                "QPS, " + step.name(), step.published(), round.qps(), "1/s"));
            }
        }
        rows.add(
                gain(
                        "QPS with cheap logging ÷ QPS as found",
                        2500 / 1400.0,
                        qps.get(2) / qps.get(0)));
        rows.add(
                gain(
                        "young GCs per second, small young generation ÷ large",
                        12,
                        youngPerS.get(2) / youngPerS.get(3)));
        rows.add(
                gain("QPS after all rounds ÷ QPS as found", PUBLISHED, qps.getLast() / qps.get(0)));
        return new Comparison(
                id(),
                title(),
                rows,
                List.of(
                        "ten lines a request through logback's queue, here to /dev/null; the published"
                                + " service had 4 cores and a heap of 4 GB with a young generation of 1536 MB",
                        "judged: cheaper logging, a larger young generation and all rounds together gain;"
                                + " by how much is the service's own"));
    }

    /// A gain whose direction is judged, but not its size.
    private static Row gain(String name, double published, double measured) {
        return new Row(
                name,
                Optional.of(published),
                Optional.empty(),
                measured,
                "ratio",
                Optional.of(new Judged(measured > 1.1, published - 1.1)));
    }

    @Override
    public Plan plan(Lab lab) {
        Redis redis = Redis.start(id(), lab.folder());
        lab.keep(redis::close);
        Path logging = lab.resource(FOUND);
        String command =
                lab.command(
                        MAIN,
                        List.of(
                                HEAP.get(0),
                                HEAP.get(1),
                                HEAP.get(2),
                                "-Dlogback.configurationFile=" + logging),
                        List.of("--redis", "" + redis.port(), "--port", Plan.PORT));
        return Plan.of(
                        "lab-E10-tune",
                        URI.create("http://127.0.0.1:1" + PAGE),
                        new Plan.TargetPlan.Launch(command))
                .withKnobs(
                        List.of(
                                argument("server", "tomcat", "undertow"),
                                argument("cache", "off", "10s"),
                                new Knob(
                                        "workers",
                                        new Values.Range(8, 256),
                                        new Place.Argument("--workers={}")),
                                flag("dedup", HERRING),
                                flag("level", HARMFUL)));
    }

    private static Knob argument(String name, String now, String other) {
        return new Knob(
                name,
                new Values.Listed(List.of(now, other)),
                new Place.Argument("--" + name + "={}"));
    }

    private static Knob flag(String name, String flag) {
        return new Knob(name, new Values.Listed(List.of("", flag)), new Place.Flag(Change.HOLE));
    }

    @Override
    public Comparison judged(Found found) {
        boolean herring =
                found.has(c ->
                        c.equals(Change.jvmArgument(HERRING))
                                || c.equals(Change.jvmArgument(HARMFUL)));
        List<Row> rows = new ArrayList<>();
        double gain = found.gain().orElse(1.0);
        rows.add(
                new Row(
                        "QPS tuned ÷ QPS as found",
                        Optional.of(PUBLISHED),
                        Optional.empty(),
                        gain,
                        "ratio",
                        Optional.of(new Judged(gain >= MIN, PUBLISHED - MIN))));
        rows.add(
                Comparison.figure(
                        "logging made cheaper",
                        1,
                        found.has(Change.LoggingEdit.class::isInstance) ? 1 : 0,
                        Comparison.YES_OR_NO));
        rows.add(
                Comparison.figure(
                        "larger young generation",
                        1,
                        found.has(ReadService::isYoung) ? 1 : 0,
                        Comparison.YES_OR_NO));
        rows.add(
                Comparison.figure(
                        "another server",
                        1,
                        hasArgument(found, "--server={}") ? 1 : 0,
                        Comparison.YES_OR_NO));
        rows.add(
                Comparison.figure(
                        "local cache",
                        1,
                        hasArgument(found, "--cache={}") ? 1 : 0,
                        Comparison.YES_OR_NO));
        rows.add(
                new Row(
                        "red herrings taken",
                        Optional.of(0.0),
                        Optional.empty(),
                        herring ? 1 : 0,
                        Comparison.YES_OR_NO,
                        Optional.of(new Judged(!herring, 0))));
        return new Comparison(
                "E10",
                "tuned unattended from the launch command and the knobs alone",
                rows,
                List.of(
                        "judged: the gain, and that no red herring is in the result; which of the"
                                + " published changes help on this JDK is measured, not judged"));
    }

    private static boolean isYoung(Change change) {
        return change instanceof Change.JvmFlag flag && flag.name().equals("-Xmn");
    }

    private static boolean hasArgument(Found found, String template) {
        return found.has(c ->
                c instanceof Change.ProgramArgument argument
                        && argument.template().equals(template));
    }
}
