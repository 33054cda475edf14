package dev.jdyno.diagnose.cpu;

import static dev.jdyno.diagnose.evidence.Lines.confidence;
import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.BelowLimit;
import dev.jdyno.diagnose.evidence.CpuShortage;
import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Experiments;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Rule;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Bottleneck;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The JVM runs much code that is not compiled. Its compilers are off, the code cache is full, the
/// compilers get no core, or they are still busy. They are busy if code is discarded repeatedly, or
/// if the service is measured during its warm-up.
public final class JitRule implements Rule {
    /// Minimum share of the target's CPU that compiler threads use at saturation, at which the code
    /// is not steady.
    static final double COMPILING_LIMIT = 0.30;

    /// Minimum share of the samples of running threads in code that is not compiled, for this code
    /// to be the main cost. Warm services have 0.02 to 0.1. A service without compilers had 1, and
    /// one whose code was discarded every 25 ms had 0.86.
    static final double INTERPRETED_LIMIT = 0.40;

    /// Minimum CPU utilisation, and minimum number of threads per core that run or wait for one. If
    /// either is lower, slow code does not limit.
    static final double CPU_MATTERS = 0.5;

    /// Minimum number of methods that wait for a compiler, at which the code is not steady. A warm
    /// service has none or a few; a service whose compilers lacked a core had over 400
    /// (`bench/warm/plateau.sh 2 100`, `bench/warm/diagnose.sh 1 100`).
    static final double QUEUE_LIMIT = 50;

    /// Minimum number of cores for which the compilers wait, at which they lack one. They must also
    /// wait longer than they run, so that they get less than half of the CPU that they need.
    static final double WAIT_LIMIT = 0.3;

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.JIT;
    }

    /// Interpreted code holds a lock many times longer than compiled code.
    @Override
    public Set<Bottleneck> bringsAbout() {
        return EnumSet.of(Bottleneck.CPU, Bottleneck.CPU_QUOTA, Bottleneck.LOCK);
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Optional<Double> off = evidence.sign(Sign.COMPILER_OFF);
        Optional<Double> cores = evidence.sign(Sign.JIT_CORES);
        if (off.isEmpty() && cores.isEmpty()) {
            return new Finding.NotApplicable("the target's compilers were not measured");
        }
        boolean wanted =
                new CpuShortage(evidence).coresWanted().filter(c -> c < CPU_MATTERS).isEmpty();
        double used = wanted ? evidence.cpuUtilisation().orElse(0.0) : 0;
        double full = evidence.sign(Sign.CODE_CACHE_FULL).orElse(0.0);
        double process = evidence.cpu().map(CpuUse::ownCores).orElse(0.0);
        double compiling = process <= 0 ? 0 : Math.min(1, cores.orElse(0.0) / process);
        boolean isOff = off.filter(o -> o > 0).isPresent();
        double interpreted = evidence.sign(Sign.INTERPRETED_SHARE).orElse(0.0);
        if (used >= CPU_MATTERS && !isOff && isStarved(evidence)) {
            return starved(evidence, used);
        }
        if (used >= CPU_MATTERS && !isOff && interpreted >= INTERPRETED_LIMIT) {
            return interprets(evidence, interpreted, used);
        }
        if (used < CPU_MATTERS || (!isOff && compiling < COMPILING_LIMIT)) {
            Optional<BelowLimit> little =
                    isOff || process <= 0
                            ? Optional.empty()
                            : BelowLimit.of(compiling, COMPILING_LIMIT);
            return new Finding.Cleared(
                    isOff ? 0.4 : compiling * 0.5,
                    little.map(share -> share.only("of its CPU went to the compilers"))
                            .orElseGet(() ->
                                    why(
                                            isOff,
                                            cores.orElse(0.0),
                                            process,
                                            evidence.cpuUtilisation().orElse(0.0),
                                            wanted)),
                    little);
        }
        return new Finding.Limits(
                isOff ? (full > 0 ? "code cache full" : "compilers off") : "compiling",
                isOff ? 0.95 : confidence(compiling, COMPILING_LIMIT, 0.6, 0.75, 0.9),
                isOff
                        ? say(
                                "The JVM interprets its code: %s. CPU is at %.0f %%, most of it"
                                        + " spent interpreting.",
                                full > 0
                                        ? say("the code cache was full %.0f times", full)
                                        : "its compilers are switched off",
                                used * 100)
                        : say(
                                "The compilers are the bottleneck: they use %.2f of the target's"
                                        + " %.2f cores at saturation, because code is still"
                                        + " being compiled.",
                                cores.orElse(0.0), process),
                List.of(
                        line(
                                Figure.COMPILER_OFF,
                                isOff ? "the compilers are off" : "the compilers are on",
                                off.orElse(0.0),
                                1),
                        line(
                                Figure.COMPILING,
                                say("compilers use %.0f %% of the service's CPU", compiling * 100),
                                compiling,
                                COMPILING_LIMIT),
                        line(
                                Figure.CPU_UTILISATION,
                                say("CPU at %.0f %% of the cores available to it", used * 100),
                                used,
                                CPU_MATTERS)));
    }

    /// True if methods wait for compilers and the compilers wait for a core.
    static boolean isStarved(Evidence evidence) {
        double waited = evidence.sign(Sign.JIT_WAITED_CORES).orElse(0.0);
        return evidence.sign(Sign.COMPILE_QUEUE).orElse(0.0) >= QUEUE_LIMIT
                && waited >= WAIT_LIMIT
                && waited > evidence.sign(Sign.JIT_CORES).orElse(0.0);
    }

    private static Finding starved(Evidence evidence, double used) {
        double queued = evidence.sign(Sign.COMPILE_QUEUE).orElse(0.0);
        double waited = evidence.sign(Sign.JIT_WAITED_CORES).orElse(0.0);
        return new Finding.Limits(
                "compilers starved",
                confidence(queued, QUEUE_LIMIT, 0.7, 0.8, 0.95),
                say(
                        "The compiler waits for a core: %.0f methods queued. Its threads used"
                                + " %.2f cores and waited for %.2f, so most of the service's"
                                + " code is not fully compiled yet. Throughput rises when the"
                                + " load leaves the compilers a core.",
                        queued, evidence.sign(Sign.JIT_CORES).orElse(0.0), waited),
                List.of(
                        line(
                                Figure.COMPILE_QUEUE,
                                say("%.0f methods wait for the JIT compilers", queued),
                                queued,
                                QUEUE_LIMIT),
                        line(
                                Figure.COMPILER_WAIT,
                                say("the JIT compilers wait for %.2f cores", waited),
                                waited,
                                WAIT_LIMIT),
                        line(
                                Figure.CPU_UTILISATION,
                                say("CPU at %.0f %% of the cores available to it", used * 100),
                                used,
                                CPU_MATTERS)));
    }

    /// Returns why neither compilers nor uncompiled code limit, although the compilers' share of
    /// the CPU reaches its limit.
    ///
    /// @param cores cores used by the compilers
    /// @param process cores used by the target
    /// @param utilisation used share of the cores available to the target
    /// @param wanted true if threads lacked a core
    private static String why(
            boolean isOff, double cores, double process, double utilisation, boolean wanted) {
        if (isOff) {
            return utilisation < CPU_MATTERS
                    ? say("the compilers are off, but CPU is only at %.0f %%", utilisation * 100)
                    : "the compilers are off, but its threads lacked no core";
        }
        if (process <= 0) {
            return say("the compilers took %.2f cores; the target's CPU use is unknown", cores);
        }
        double share = Math.min(1, cores / process);
        return utilisation < CPU_MATTERS
                ? say(
                        "compilers used %.0f %% of the CPU, but the service used only %.1f cores%s",
                        share * 100, process, wanted ? "" : ", which no other thread lacked")
                : say(
                        "the compilers took %.0f %% of its %.1f cores, but its threads lacked none",
                        share * 100, process);
    }

    /// Returns the finding that the compilers are on, but much of the running code is not compiled.
    private static Finding interprets(Evidence evidence, double share, double used) {
        String where =
                evidence.saturated()
                        .flatMap(c -> c.signals().place(Sign.INTERPRETED_SHARE))
                        .orElse("interpreted code");
        return new Finding.Limits(
                where,
                confidence(share, INTERPRETED_LIMIT, 0.7, 0.75, 0.95),
                Sentence.format(
                        "The JVM interprets its code although its compilers are on: %.0f %% of"
                                + " the samples of running threads are in code that is not"
                                + " compiled, most in %s. Either compiled code is discarded"
                                + " again and again, for example by a small code cache, or a"
                                + " method is too large to be compiled.",
                        share * 100, PlaceText.named(where)),
                List.of(
                        line(
                                Figure.INTERPRETED,
                                say("%.0f %% of the running code is interpreted", share * 100),
                                share,
                                INTERPRETED_LIMIT),
                        line(
                                Figure.CPU_UTILISATION,
                                say("CPU at %.0f %% of the cores available to it", used * 100),
                                used,
                                CPU_MATTERS)));
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        return CpuRecommendations.jit(s);
    }

    @Override
    public void challenge(Experiments experiments) {
        experiments.lessCpu();
    }
}
