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
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Requests load classes all the time: new class loaders, generated proxies, scripts.
public final class ClassLoadingRule implements Rule {
    /// Minimum number of classes loaded per request. Fewer may be the end of a warm-up.
    static final double PER_REQUEST_LIMIT = 0.5;

    /// CPU time to load one small class, in ms. In a measurement, loading 8400 classes/s used 2
    /// cores.
    static final double CLASS_MS = 0.2;

    /// Minimum share of the target's CPU, or of its threads in use, for loading to be the cost.
    static final double SHARE_LIMIT = 0.30;

    /// Number of classes per second that a warm-up cannot load for long. {@link #KEEPS_ON} is the
    /// share of it that must still be loaded at the highest load.
    static final double KEEPS_ON_PER_S = 50;

    static final double KEEPS_ON = 0.8;

    /// Minimum number of classes loaded per request at which requests create them. It is below 1
    /// because a cache may keep some of the classes.
    static final double MADE_PER_REQUEST = 0.1;

    /// Minimum share of the threads in use that look for missing classes, or wait for a thread that
    /// does. In this case no class is loaded.
    static final double IN_VAIN_LIMIT = 0.60;

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.CLASS_LOADING;
    }

    /// Loaded classes and their loaders stay in memory until classes are unloaded. Soft references
    /// in caches of the JDK and of libraries delay that, so counts of live objects grow.
    @Override
    public Set<Bottleneck> bringsAbout() {
        return EnumSet.of(
                Bottleneck.CPU,
                Bottleneck.JIT,
                Bottleneck.LOCK,
                Bottleneck.GC_LEAK,
                Bottleneck.GC_ALLOCATION,
                Bottleneck.GC_PROMOTION,
                Bottleneck.GC_LIVE_SET,
                Bottleneck.SAFEPOINT);
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Optional<Double> loaded = evidence.sign(Sign.CLASSES_LOADED_PER_S);
        if (loaded.isEmpty() || evidence.counted().isEmpty()) {
            return new Finding.NotApplicable("the target's class loading was not measured");
        }
        ThreadSamples threadSamples = evidence.counted().get();
        double perRequest = threadSamples.qps() <= 0 ? 0 : loaded.get() / threadSamples.qps();
        double cores = evidence.cpu().map(c -> c.ownCores()).orElse(0.0);
        // busy compilers do not rule this out, because they are busy as long as new code is loaded
        boolean makes = makesThem(evidence, loaded.get(), perRequest);
        double compilers = makes ? evidence.sign(Sign.JIT_CORES).orElse(0.0) : 0;
        double ofCpu =
                cores <= 0 ? 0 : Math.min(1, (loaded.get() * CLASS_MS / 1000 + compilers) / cores);
        double making = evidence.sign(Sign.MAKES_CLASSES_SHARE).orElse(0.0);
        double share =
                Math.max(
                        Math.max(ofCpu, making),
                        evidence.busyShare(Cause.CLASS_LOADING).orElse(0.0));
        boolean inVain = evidence.busyShare(Cause.CLASS_LOADING).orElse(0.0) >= IN_VAIN_LIMIT;
        // for a service that is only watched, requests may not be counted
        boolean counted = threadSamples.qps() > 0;
        boolean loads = counted ? makes || perRequest >= PER_REQUEST_LIMIT : ofCpu >= SHARE_LIMIT;
        if ((!loads && !inVain) || share < SHARE_LIMIT) {
            return new Finding.Cleared(
                    Math.min(0.4, share),
                    say("%.1f classes loaded per request, %.0f/s", perRequest, loaded.get()));
        }
        String where =
                Optional.of(Sign.MAKES_CLASSES_SHARE)
                        .filter(_ -> making >= share)
                        .flatMap(evidence::place)
                        .or(() -> evidence.top(Cause.CLASS_LOADING).map(ThreadSamples.Busy::where))
                        .orElse("");
        return new Finding.Limits(
                where,
                confidence(share, SHARE_LIMIT, 0.7, 0.80, 0.95),
                says(loads, counted, share, perRequest, loaded.get()),
                List.of(
                        counted
                                ? line(
                                        Figure.CLASSES_PER_REQUEST,
                                        say("%.1f classes loaded per request", perRequest),
                                        perRequest,
                                        makes ? MADE_PER_REQUEST : PER_REQUEST_LIMIT)
                                : line(
                                        Figure.CLASSES_LOADED,
                                        say("%.0f classes loaded a second", loaded.get()),
                                        loaded.get(),
                                        0),
                        line(
                                Figure.CLASS_LOADING_SHARE,
                                making >= share
                                        ? say(
                                                "%.0f %% of the threads at work were found"
                                                        + " creating classes",
                                                share * 100)
                                        : say(
                                                "loading and compiling classes takes about %.0f"
                                                        + " %% of the service's CPU or threads",
                                                share * 100),
                                share,
                                SHARE_LIMIT)));
    }

    /// True if the number of classes loaded per second stays similar from one load to the next, and
    /// many requests load a class.
    private static boolean makesThem(Evidence evidence, double perS, double perRequest) {
        double before =
                evidence.relaxed()
                        .flatMap(c -> c.signals().of(Sign.CLASSES_LOADED_PER_S))
                        .orElse(0.0);
        return perRequest >= MADE_PER_REQUEST
                && before >= KEEPS_ON_PER_S
                && perS >= Math.max(KEEPS_ON_PER_S, KEEPS_ON * before);
    }

    private static Statement says(
            boolean loads, boolean counted, double share, double perRequest, double perS) {
        String claim = "Class loading is the bottleneck";
        if (!loads) {
            return Statement.of(
                    claim,
                    "%.0f %% of the threads in use search for classes, but almost none is loaded."
                            + " These classes do not exist, and each request searches for them"
                            + " again.",
                    share * 100);
        }
        return counted
                ? Statement.of(claim, "%s (%.0f/s).", each(perRequest), perS)
                : Statement.of(
                        claim,
                        "%.0f classes are loaded per second, which takes about %.0f %% of the"
                                + " service's CPU or threads.",
                        perS,
                        share * 100);
    }

    private static String each(double perRequest) {
        return perRequest >= 1
                ? say("every request loads %.1f classes", perRequest)
                : say("one request in %.1f loads a class", 1 / perRequest);
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        return CpuRecommendations.classLoading(s);
    }

    @Override
    public void challenge(Experiments experiments) {
        experiments.flatAtTwice();
    }
}
