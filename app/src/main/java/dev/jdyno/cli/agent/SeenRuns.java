package dev.jdyno.cli.agent;

import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.cluster.Agent;
import dev.jdyno.cluster.kubernetes.PodObserver;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Explaining;
import dev.jdyno.measure.text.UserError;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// The runs that an agent has worked for. Prints a line when it joins or leaves one.
final class SeenRuns implements Agent.Witness {
    /// Maximum time until the only run of an agent comes.
    private static final Duration FIRST_LIMIT = Duration.ofMinutes(PodObserver.FIRST_RUN_MIN);

    private static final long CHECK_INTERVAL_MS = 200;

    private final PrintWriter out;
    private final PrintWriter err;
    private final CountDownLatch left = new CountDownLatch(1);
    private volatile boolean joined;

    SeenRuns(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    /// Waits until a run has come and gone, none has come in time, or Ctrl-C.
    void awaitOne(Interrupt interrupt, NanoClock clock) throws InterruptedException {
        long start = clock.nanos();
        while (!interrupt.isSet()
                && (joined || clock.secondsSince(start) < FIRST_LIMIT.toSeconds())) {
            if (left.await(CHECK_INTERVAL_MS, TimeUnit.MILLISECONDS)) {
                return;
            }
        }
        if (!joined && !interrupt.isSet()) {
            say("no run has come within " + FIRST_LIMIT.toMinutes() + " min");
        }
    }

    @Override
    public void joined(String run) {
        joined = true;
        say("works for run " + run);
    }

    @Override
    public void left(String run, Agent.Left why) {
        say(
                "run "
                        + run
                        + switch (why) {
                            case ENDED -> " has ended";
                            case SILENT -> " is not heard any more: its load is ended";
                            case FAILED -> " is left: its load here is ended";
                        });
        left.countDown();
    }

    @Override
    public void failed(String run, Throwable why) {
        UserError says = Explaining.failure("it worked as an agent", why);
        err.println((run.isEmpty() ? "" : "run " + run + ": ") + says.what() + ": " + says.why());
        err.flush();
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}
