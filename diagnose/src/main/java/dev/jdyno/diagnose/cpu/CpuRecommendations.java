package dev.jdyno.diagnose.cpu;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.JdkRelease;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.Place.Activity;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.KnownChange;
import dev.jdyno.measure.verdict.SettingValue;
import dev.jdyno.measure.verdict.StandardChange;
import dev.jdyno.measure.verdict.WhatIfChange;
import dev.jdyno.measure.verdict.WrittenChange;
import java.util.List;
import java.util.Optional;

/// Recommendations for requests that need more CPU than there is.
public final class CpuRecommendations {
    /// Minimum number of failed class look-ups per request for these look-ups to be the cost.
    private static final double MISSES_PER_REQUEST = 0.5;

    /// Default size of HotSpot's code cache with tiered compilation.
    private static final String CODE_CACHE = "240m";

    private static final String OWN_CPU = "the CPU flame graph of this run shows where it goes";

    /// A note that a flame graph of the JVM does not contain its child processes.
    private static final String CHILD_CPU =
            "start fewer processes: keep one for many requests, or do the work in the JVM; `perf top"
                    + " -p PID` shows where a child process spends its time";

    private CpuRecommendations() {}

    public static RecommendationList cpu(Situation s) {
        var recommendations = new RecommendationList();
        halve(s, recommendations);
        cores(s, recommendations);
        s.evidence()
                .fullestCpu()
                .flatMap(SharedCores::of)
                .ifPresent(shared ->
                        recommendations.byHand(
                                KnownChange.CLIENT_ELSEWHERE,
                                "Run the load generator elsewhere, or on fewer of these cores",
                                "`jdyno agent` on another host and --agents; or `taskset -c` for jdyno and"
                                        + " for the service, on cores of their own",
                                shared.alone(),
                                List.of(new Change.Outside())));
        slowFlags(s, recommendations);
        return recommendations;
    }

    private static Sentence calledBy(Evidence evidence, Place place) {
        return Hotspots.callers(evidence, place).stream()
                .findFirst()
                .map(c -> Sentence.of(", called by ").and(Sentence.name(c)))
                .orElse(Sentence.of(""));
    }

    private static void halve(Situation s, RecommendationList recommendations) {
        Exceptions.recommendation(s, recommendations);
        Optional<ChildCpu> children = s.evidence().fullestCpu().flatMap(ChildCpu::most);
        // for a quota or a neighbour, the verdict's place is not the code that uses the CPU
        Optional<ThreadSamples.Busy> hottest =
                children.isPresent()
                        ? Optional.empty()
                        : s.evidence()
                                .top(Cause.CPU)
                                .filter(b -> !b.place().is(Activity.ELSEWHERE))
                                .filter(b -> !b.place().text().isBlank());
        double share = hottest.map(b -> Hotspots.share(s.evidence(), b)).orElse(0.0);
        Sentence where =
                children.map(c -> Sentence.of("; most goes to " + c.where()))
                        .orElseGet(() -> hottest(s, hottest, share));

        recommendations.byHand(
                KnownChange.CPU_HALVE,
                Sentence.of("Halve the CPU time of a request").and(where),
                StandardChange.CPU.asked(),
                children.isPresent() ? CHILD_CPU : OWN_CPU,
                s.model(
                        StandardChange.CPU,
                        Gain.of(
                                2,
                                0.5,
                                true,
                                "half the CPU time a request allows twice the throughput (F2)")),
                List.of(
                        hottest.flatMap(b -> Hotspots.site(s.evidence(), b.place()))
                                .<Change>map(method -> s.codeAt(method, share))
                                .orElseGet(Change.Code::new)));
    }

    private static Sentence hottest(
            Situation s, Optional<ThreadSamples.Busy> hottest, double share) {
        return hottest.map(ThreadSamples.Busy::place)
                .map(w ->
                        Sentence.format(
                                "; %.0f %% of it goes to %s%s",
                                share * 100, w.named(), calledBy(s.evidence(), w)))
                .orElse(Sentence.of(""));
    }

    private static void cores(Situation s, RecommendationList recommendations) {
        double twice = 2 * s.target().cores();
        recommendations.setting(
                KnownChange.CORES_DOUBLE,
                say("Give the service %.3g cores instead of %.3g", twice, s.target().cores()),
                new WrittenChange.Words(say("cores=%.3g", twice)),
                "a larger machine or limit; test on it before you buy: locks and memory may not follow",
                s.model(
                        StandardChange.CORES,
                        Gain.of(2, 0.5, true, "twice the cores allow twice the throughput (F2)")),
                new Change.Cores(s.target().cores(), twice));
        recommendations.sets(
                new SettingValue("cores", say("%.3g", s.target().cores()), say("%.3g", twice)));
    }

    /// Recommends to remove flags that keep the code slow.
    private static void slowFlags(Situation s, RecommendationList recommendations) {
        for (String flag : new String[] {"-Xint", "-XX:TieredStopAtLevel", "-Djava.compiler"}) {
            if (s.hasFlag(flag)) {
                recommendations.setting(
                        KnownChange.COMPILER_ON,
                        "Start the service without " + flag + ", which keeps code slow",
                        "run again: CPU per request must fall",
                        Gain.unknown("compiled code is faster by an unknown factor"),
                        new Change.WithoutJvmFlag(flag));
            }
        }
    }

    public static RecommendationList quota(Situation s) {
        var recommendations = new RecommendationList();
        double quota = Math.max(0.01, s.target().cores());
        double others = s.evidence().cpu().map(c -> c.clientCores() + c.otherCores()).orElse(0.0);
        double free = Math.max(quota, s.machineCores() - others);
        double factor = free / quota;
        recommendations.setting(
                KnownChange.QUOTA_RAISE,
                say("Raise the limit of %.3g cores; the machine has %d", quota, s.machineCores()),
                new WhatIfChange.Units("cores", s.machineCores()),
                "cpu.max of its cgroup"
                        + s.target()
                                .pid()
                                .map(pid -> say(" (`cat /proc/%d/cgroup` names it)", pid))
                                .orElse("")
                        + ", `docker update --cpus`, `resources.limits.cpu`; throttled time must"
                        + " fall to 0",
                Gain.of(
                        factor,
                        1 / factor,
                        true,
                        say(
                                "%.2f cores, which other processes leave of the machine's %d,"
                                        + " instead of %.3g (F2)",
                                free, s.machineCores(), quota)),
                new Change.Cores(quota, s.machineCores()));
        recommendations.sets(
                new SettingValue(
                        "CPU limit of its cgroup, in cores",
                        say("%.3g", quota),
                        say("%d", s.machineCores())));
        QuotaThreads.recommendations(s, recommendations);
        halve(s, recommendations);
        return recommendations;
    }

    public static RecommendationList neighbour(Situation s) {
        var recommendations = new RecommendationList();
        Gain gain =
                s.evidence()
                        .cpu()
                        .filter(c -> c.processCores() > 0)
                        .map(CpuRecommendations::alone)
                        .orElse(Gain.unknown("its CPU use was not measured"));
        recommendations.byHand(
                KnownChange.NEIGHBOUR_MOVE,
                "Move the other processes away, or keep them off the service's cores",
                "`systemd-run -p CPUWeight=`, cpusets or `nice -n 19` for the other processes;"
                        + " only the host's owner can reduce steal",
                gain,
                List.of(new Change.Outside()));
        halve(s, recommendations);
        return recommendations;
    }

    private static Gain alone(CpuUse c) {
        double left = c.coresForTarget();
        double all = left + c.takenByOthers();
        double factor = all / left;
        return Gain.of(
                factor,
                1 / factor,
                true,
                say("%.2f cores instead of the %.2f that other processes leave (F2)", all, left));
    }

    public static RecommendationList jit(Situation s) {
        var recommendations = new RecommendationList();
        slowFlags(s, recommendations);
        if (JitRule.isStarved(s.evidence())) {
            return StarvedCompilers.recommendations(s, recommendations);
        }
        double full = s.evidence().sign(Sign.CODE_CACHE_FULL).orElse(0.0);
        Optional<Bytes> small =
                s.flagBytes("-XX:ReservedCodeCacheSize=")
                        .filter(room -> room.compareTo(Bytes.parse(CODE_CACHE)) < 0);
        if (full > 0 || small.isPresent()) {
            recommendations.setting(
                    KnownChange.CODE_CACHE,
                    "Give compiled code room: "
                            + (full > 0
                                    ? say("the code cache was full %.0f times", full)
                                    : "a flag limits the code cache to " + small.orElseThrow()),
                    CODE_CACHE
                            + " is HotSpot's own choice with tiered compilation; `jcmd PID Compiler.codecache`"
                            + " shows what is used",
                    Gain.unknown("compiled code is faster by an unknown factor"),
                    new Change.JvmFlag("-XX:ReservedCodeCacheSize", CODE_CACHE));
        }
        double interpreted = s.evidence().sign(Sign.INTERPRETED_SHARE).orElse(0.0);
        if (interpreted >= JitRule.INTERPRETED_LIMIT && !s.hasFlag("-Xint")) {
            recommendations.byHand(
                    KnownChange.INTERPRETED_CODE,
                    "Warm the service up before it takes load; if its code stays interpreted,"
                            + " find out why it is not compiled, or discarded after compilation",
                    "`-Xlog:deoptimization=debug` (JDK 17 and later) shows which code is"
                            + " discarded and why: call sites that are set again, classes that"
                            + " are loaded under load. A method with more than 8,000 bytes of"
                            + " bytecode is compiled only with -XX:-DontCompileHugeMethods",
                    Gain.unknown("compiled code is faster by an unknown factor"));
        }
        double jit = s.evidence().sign(Sign.JIT_CORES).orElse(0.0);
        double process = s.evidence().cpu().map(CpuUse::ownCores).orElse(0.0);
        if (jit > 0 && process > 0 && interpreted < JitRule.INTERPRETED_LIMIT) {
            recommendations.byHand(
                    KnownChange.WARM_UP,
                    "Warm the service up before it takes load; if compilers never rest, look for"
                            + " code that is deoptimised again and again",
                    "`jfr print --events jdk.Compilation` of this run's recording",
                    Gain.without(
                            Math.min(0.95, jit / process),
                            say("compilers take %.2f of the service's %.2f cores", jit, process)));
        }
        return recommendations;
    }

    /// Recommendations for class loading. If classes are missing, no class is loaded; the edit for
    /// that case is in `advice.txt`.
    public static RecommendationList classLoading(Situation s) {
        if (missesClasses(s)) {
            return new RecommendationList();
        }
        return new RecommendationList()
                .byHand(
                        KnownChange.CLASSES_KEEP,
                        "Create the class once, and keep it and its class loader: plug-ins,"
                                + " scripts, expressions, proxies, serialisers, XSLT and JAXB"
                                + " contexts",
                        "`jfr print --events jdk.ClassDefine` or -Xlog:class+load shows which"
                                + " classes and where they come from",
                        s.figure(Figure.CLASS_LOADING_SHARE)
                                .map(CpuRecommendations::withoutMakingThem)
                                .orElse(Gain.unknown("the cost of loading them is unknown")));
    }

    private static boolean missesClasses(Situation s) {
        return s.insight().exceptionsAtHighestLoad().stream()
                .anyMatch(t ->
                        t.type().equals(ClassNotFoundException.class.getName())
                                && t.perRequest() >= MISSES_PER_REQUEST);
    }

    /// Returns a gain that is no bound, because the code that creates the classes (for example a
    /// script compiler) then also has less work.
    private static Gain withoutMakingThem(double share) {
        Gain gain =
                Gain.without(
                        share,
                        "loading and compiling classes takes that share, and creating them"
                                + " takes more");
        return new Gain(gain.qps(), gain.rt(), false, gain.formula());
    }

    public static RecommendationList threadChurn(Situation s) {
        boolean virtual =
                s.target()
                        .jdkVersion()
                        .flatMap(JdkRelease::of)
                        .filter(r -> r >= JdkRelease.VIRTUAL_THREADS)
                        .isPresent();
        return new RecommendationList()
                .byHand(
                        KnownChange.THREADS_REUSE,
                        virtual
                                ? "Take threads from one pool for all requests, or virtual threads"
                                : "Take threads from one pool for all requests",
                        (virtual
                                        ? "Executors.newVirtualThreadPerTaskExecutor(), or one"
                                                + " ThreadPoolExecutor made at start-up"
                                        : "one ThreadPoolExecutor made at start-up, not one for each"
                                                + " request")
                                + "; clients of HTTP, databases and queues have threads of their"
                                + " own: create one client and keep it",
                        s.figure(Figure.THREAD_START_SHARE)
                                .map(share ->
                                        Gain.without(share, "starting threads takes that share"))
                                .orElse(Gain.unknown("the cost of starting them is unknown")));
    }
}
