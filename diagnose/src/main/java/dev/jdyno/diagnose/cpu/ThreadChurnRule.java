package dev.jdyno.diagnose.cpu;

import static dev.jdyno.diagnose.evidence.Lines.confidence;
import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Experiments;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Rule;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.diagnose.evidence.Statement;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Every request starts threads of its own.
public final class ThreadChurnRule implements Rule {
    /// Minimum number of threads started per request. Fewer are exceptions.
    static final double PER_REQUEST_LIMIT = 0.5;

    /// CPU time to start and end one thread, in ms. In a measurement, 5300 threads/s used 0.5
    /// cores.
    static final double START_MS = 0.1;

    /// Minimum share of the service's CPU, or of its threads in use, for thread starts to be the
    /// cost. A service that created an HTTP client, and with it six threads, per request had 0.22
    /// to 0.33. Others had at most 0.04, although some started one to three per request.
    static final double SHARE_LIMIT = 0.20;

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.THREAD_CHURN;
    }

    @Override
    public Set<Bottleneck> bringsAbout() {
        return EnumSet.of(
                Bottleneck.CPU,
                Bottleneck.LOCK,
                Bottleneck.POOL_STARVATION,
                // a safepoint must stop thousands of threads, which takes time
                Bottleneck.SAFEPOINT,
                // a client created for each call receives answers only once its threads run
                Bottleneck.DOWNSTREAM);
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Optional<Double> started = evidence.sign(Sign.THREADS_STARTED_PER_S);
        if (started.isEmpty() || evidence.counted().isEmpty()) {
            return new Finding.NotApplicable("the target's thread starts were not counted");
        }
        ThreadSamples threadSamples = evidence.counted().get();
        double perRequest = threadSamples.qps() <= 0 ? 0 : started.get() / threadSamples.qps();
        double cores = evidence.cpu().map(CpuUse::ownCores).orElse(0.0);
        double ofCpu = cores <= 0 ? 0 : Math.min(1, started.get() * START_MS / 1000 / cores);
        double ofThreads = evidence.busyShare(Cause.THREAD_START).orElse(0.0);
        double share = Math.max(ofCpu, ofThreads);
        // for a service that is only watched, requests may not be counted
        boolean counted = threadSamples.qps() > 0;
        if ((counted && perRequest < PER_REQUEST_LIMIT) || share < SHARE_LIMIT) {
            return new Finding.Cleared(
                    Math.min(0.4, share),
                    counted
                            ? say(
                                    "%.2f threads started per request, %.0f/s",
                                    perRequest, started.get())
                            : say(
                                    "%.0f threads started per second, which takes %.0f %% of the"
                                            + " service's CPU or threads",
                                    started.get(), share * 100));
        }
        String where = evidence.top(Cause.THREAD_START).map(ThreadSamples.Busy::where).orElse("");
        return new Finding.Limits(
                where,
                confidence(share, SHARE_LIMIT, 0.6, 0.75, 0.95),
                Statement.of(
                        "Starting threads is the bottleneck",
                        "%s, and %.0f %% of the threads in use are in" + " Thread.start.",
                        counted
                                ? say(
                                        "every request starts %.1f threads (%.0f/s)",
                                        perRequest, started.get())
                                : say("%.0f threads are started per second", started.get()),
                        ofThreads * 100),
                List.of(
                        counted
                                ? line(
                                        Figure.THREADS_PER_REQUEST,
                                        say("%.1f threads started per request", perRequest),
                                        perRequest,
                                        PER_REQUEST_LIMIT)
                                : line(
                                        Figure.THREADS_STARTED,
                                        say("%.0f threads started a second", started.get()),
                                        started.get(),
                                        0),
                        line(
                                Figure.THREAD_START_SHARE,
                                say(
                                        "starting threads takes about %.0f %% of the service's CPU or"
                                                + " threads",
                                        share * 100),
                                share,
                                SHARE_LIMIT)));
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        return CpuRecommendations.threadChurn(s);
    }

    @Override
    public void challenge(Experiments experiments) {
        experiments.flatAtTwice();
    }
}
