package dev.jdyno.experiment;

import dev.jdyno.experiment.Comparison.Row;
import dev.jdyno.experiment.lab.Lab;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.plan.Knob;
import dev.jdyno.plan.Knob.Values;
import dev.jdyno.plan.Plan;
import java.util.List;

/// E11 as a tuning: the service with 100 threads under 100 users, with the number of threads as a
/// knob. As in the published service, its page also uses CPU, so that the collector competes with
/// requests. A larger heap would suit 100 threads, but the published service could not have one.
final class FewerThreads implements Tunable {
    private static final String PAGE = "/memory?bytes=768k&chunk=1k&holdMs=1&steps=50000";
    private static final int USERS = 100;
    private static final String NOW = "100";

    private static final Knob THREADS =
            new Knob(
                    "threads",
                    new Values.Listed(List.of(NOW, "40", "16")),
                    new Knob.Place.Argument("--max-threads {}"));

    private final Experiment e11 = TooManyThreads.e11();

    @Override
    public String id() {
        return e11.id();
    }

    @Override
    public String title() {
        return e11.title();
    }

    @Override
    public Comparison run(Bench bench) throws InterruptedException {
        return e11.run(bench);
    }

    @Override
    public boolean keepsHeap() {
        return true;
    }

    @Override
    public Plan plan(Lab lab) {
        String command =
                lab.command(
                        "memory.Memory",
                        TooManyThreads.FLAGS,
                        List.of("--max-threads", NOW, "--port", Plan.PORT));
        return planFor(command, PAGE, List.of(1, 16, USERS)).withKnobs(List.of(THREADS));
    }

    @Override
    public Comparison judged(Found found) {
        boolean fewer = found.has(c -> c.equals(THREADS.to("40")) || c.equals(THREADS.to("16")));
        boolean larger =
                found.has(c -> c instanceof Change.JvmFlag flag && flag.name().equals("-Xmx"));
        List<Row> rows =
                List.of(
                        Comparison.figure(
                                "QPS tuned ÷ QPS as found",
                                120 / 60.0,
                                found.gain().orElse(1.0),
                                "ratio"),
                        Comparison.holds("ends with fewer threads", fewer),
                        Comparison.holds("leaves the size of the heap as it is", !larger));
        return new Comparison(
                id(),
                "tuned unattended from the launch command, with the number of threads as a knob",
                rows,
                List.of(
                        "published: 120/s with 12 to 20 threads, falling beyond 30, 60/s with 100",
                        "768 KB a request in arrays of 1 KB, held while it computes and for 1 ms more, 192 MB"
                                + " of heap, which must stay"));
    }
}
