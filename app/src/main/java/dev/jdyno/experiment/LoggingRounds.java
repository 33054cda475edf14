package dev.jdyno.experiment;

import dev.jdyno.experiment.Comparison.Row;
import dev.jdyno.measure.Round;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// E10: a read service whose logging was made cheaper round by round: with caller data, flushed
/// line by line through a small queue; without them; then off; and with a larger young generation.
final class LoggingRounds implements Experiment {
    private static final String PAGE = "/page?lines=10&bytes=256k";
    private static final int USERS = 32;
    private static final Duration LENGTH = Duration.ofSeconds(5);

    /// @param published QPS on 4 cores
    private record Step(String name, double published, List<String> flags, List<String> options) {}

    private static final String HEAP = "-Xmx1g";

    private static final List<Step> STEPS =
            List.of(
                    new Step(
                            "caller data, flush, queue 256",
                            1400,
                            List.of("-Xms1g", HEAP, "-Xmn64m"),
                            List.of("--caller", "--flush", "--queue", "256")),
                    new Step(
                            "no caller data, no flush, queue 10 000",
                            2300,
                            List.of("-Xms1g", HEAP, "-Xmn64m"),
                            List.of("--queue", "10000")),
                    new Step(
                            "the same with -Xmn600m",
                            2680,
                            List.of("-Xms1g", HEAP, "-Xmn600m"),
                            List.of("--queue", "10000")),
                    new Step(
                            "no logging, -Xmn64m",
                            2400,
                            List.of("-Xms1g", HEAP, "-Xmn64m"),
                            List.of("--off")));

    @Override
    public String id() {
        return "E10";
    }

    @Override
    public String title() {
        return "a read service's logging made cheaper, round by round";
    }

    @Override
    public Comparison run(Bench bench) throws InterruptedException {
        List<Row> rows = new ArrayList<>();
        List<Double> qps = new ArrayList<>();
        List<Double> youngPerS = new ArrayList<>();
        for (Step step : STEPS) {
            List<String> arguments = new ArrayList<>(List.of("--port", "0"));
            arguments.addAll(step.options());
            try (LabService service = bench.lab().start("planted.Logs", step.flags(), arguments)) {
                // the first round warms it up; the second counts
                Round round =
                        bench.at("E10 " + step.name(), service, PAGE, LENGTH, USERS, USERS)
                                .getLast();
                qps.add(round.qps());
                youngPerS.add(round.gc().map(g -> g.young().count() / round.seconds()).orElse(0.0));
                rows.add(
                        Comparison.figure(
                                "QPS, " + step.name(), step.published(), round.qps(), "1/s"));
            }
        }
        rows.add(gain("QPS, cheap logging / dear", 2300 / 1400.0, qps.get(1) / qps.get(0)));
        rows.add(gain("young GCs, small young / large", 12, youngPerS.get(1) / youngPerS.get(2)));
        return new Comparison(
                id(),
                title(),
                rows,
                List.of(
                        "ten lines a request; the published service had 4 cores, an own queue that could be"
                                + " unfair, and after that Undertow for Tomcat and a local cache, which are not"
                                + " repeated",
                        "judged: cheaper logging and a larger young generation gain; by how much is the"
                                + " service's own"));
    }

    /// A gain of which only the direction is the experiment's.
    private static Row gain(String name, double published, double measured) {
        return new Row(
                name,
                Optional.of(published),
                Optional.empty(),
                measured,
                "ratio",
                Optional.of(new Comparison.Judged(measured > 1.1, published - 1.1)));
    }
}
