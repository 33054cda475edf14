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
import dev.jdyno.diagnose.evidence.GcCost;
import dev.jdyno.diagnose.evidence.Limits;
import dev.jdyno.diagnose.evidence.Lines;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Rule;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.diagnose.evidence.Statement;
import dev.jdyno.diagnose.gc.SafepointRule;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.Saturation;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place.Activity;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The target uses all cores that client and neighbours leave to it: at least 85 % at the plateau
/// (throughput at saturation, F2). The rule uses CPU time and never the state RUNNABLE.
public final class CpuRule implements Rule {
    /// Minimum share of the samples in code that is not compiled, at which the code is not steady.
    /// Warm services had at most 0.06, and a service that replaced its call sites every 20 ms had
    /// 0.26 to 0.43.
    private static final double INTERPRETED = 0.15;

    /// Minimum share of the target's CPU used by compilers, at which the code is not steady. Warm
    /// services had at most 0.07, and the service with replaced call sites had 0.08 to 0.17.
    private static final double COMPILING = 0.10;

    /// Code that forces data to the disk: system calls by their names, and the JDK's own classes.
    private static final Pattern FORCES =
            Pattern.compile("\\.(msync|fsync|fdatasync)0?$|(File|Mapped)[A-Za-z]*\\.force0?$");

    /// Minimum share of the CPU in code that forces data to the disk, at which the disk is not
    /// ruled out. The system call uses CPU in proportion to the data, above all on fast or virtual
    /// disks.
    private static final double FORCING = 0.3;

    /// Confidence if the CPU use reaches its limit only together with the error of the measurement.
    private static final double NEAR_MIN_CONFIDENCE = 0.5;

    private static final double NEAR_MAX_CONFIDENCE = 0.6;

    /// Confidence if the CPU of the load generator decides. With a load generator on other cores,
    /// the service may have another limit.
    private static final double QUEUED_FOR_SHARED = 0.7;

    /// Maximum error of the measurement that is used. A round that varies more gives no evidence of
    /// a limit.
    private static final double MAX_ERROR = 0.1;

    /// Minimum share of a request's CPU time outside its threads at which this part is named. The
    /// error of that part is about as large.
    private static final double BESIDE = 0.05;

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.CPU;
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Optional<Double> seen = evidence.cpuUtilisation();
        Optional<CpuUse> use = evidence.cpu();
        if (seen.isEmpty() || use.isEmpty()) {
            return new Finding.NotApplicable("the target's CPU use was not measured");
        }
        double utilisation = seen.get();
        CpuUse cpu = use.get();
        if (utilisation >= Saturation.CPU_SATURATED && !evidence.cpuIsShort()) {
            return notLacking(cpu, new CpuShortage(evidence).enough().orElseThrow());
        }
        if (utilisation >= Saturation.CPU_SATURATED) {
            return limits(
                    evidence,
                    cpu,
                    utilisation,
                    confidence(utilisation, Saturation.CPU_SATURATED, 0.95, 0.75, 0.95),
                    "");
        }
        if (new CpuShortage(evidence).isQueuedForSharedCores()) {
            return limits(evidence, cpu, utilisation, QUEUED_FOR_SHARED, "");
        }
        double error = error(evidence);
        return utilisation * (1 + error) >= Saturation.CPU_SATURATED
                        && new CpuShortage(evidence).coresAreWanted()
                        && evidence.twiceTheLoadGivesNoMore()
                ? new Finding.Near(
                        limits(
                                evidence,
                                cpu,
                                utilisation,
                                confidence(
                                        utilisation * (1 + error),
                                        Saturation.CPU_SATURATED,
                                        Saturation.CPU_SATURATED * (1 + error),
                                        NEAR_MIN_CONFIDENCE,
                                        NEAR_MAX_CONFIDENCE),
                                nearly(utilisation, error)))
                : new Finding.Cleared(
                        utilisation * 0.5,
                        say("CPU at %.0f %% of the cores available to it", utilisation * 100)
                                + Lines.cpuLoad(evidence),
                        BelowLimit.of(utilisation, Saturation.CPU_SATURATED));
    }

    /// Returns the finding that all cores are in use but the threads need no more of them.
    private static Finding notLacking(CpuUse cpu, CpuShortage.Enough enough) {
        return new Finding.Cleared(
                0.3,
                say(
                        "%s, but %s",
                        cpu.heldByOthers() >= Limits.HELD_BY_OTHERS
                                ? "other processes use the machine"
                                : "the service's cores are saturated, also by the collector or"
                                        + " compilers",
                        enough.says()),
                Optional.of(enough.below()));
    }

    private static Finding.Limits limits(
            Evidence evidence, CpuUse cpu, double utilisation, double confidence, String doubt) {
        return new Finding.Limits(
                where(evidence, cpu),
                confidence,
                says(evidence, cpu).and(doubt),
                lines(evidence, cpu, utilisation));
    }

    /// Returns the child processes if they use most of the CPU, or else the hottest place.
    private static String where(Evidence evidence, CpuUse cpu) {
        return ChildCpu.most(evidence.fullestCpu().orElse(cpu))
                .map(ChildCpu::where)
                .orElseGet(() -> Hotspots.where(evidence));
    }

    /// Returns half the width of the throughput's interval, as a share of the throughput. The CPU
    /// use of a round varies by about the same share.
    private static double error(Evidence evidence) {
        Round round = evidence.fullestRound().orElse(evidence.plateau());
        return round.qps() <= 0
                ? 0
                : Math.min(
                        MAX_ERROR, (round.qpsCi95().hi() - round.qpsCi95().lo()) / 2 / round.qps());
    }

    private static String nearly(double utilisation, double error) {
        return say(
                " CPU is at %.0f %% with an error of %.0f %%, just below the limit of %.0f %%."
                        + " Longer rounds, or a machine without other work, would decide this.",
                utilisation * 100, utilisation * error * 100, Saturation.CPU_SATURATED * 100);
    }

    /// Returns the statement. The throughput of a watched service is not always known. A load other
    /// than that of the other figures is named.
    private static Statement says(Evidence evidence, CpuUse ofPlateau) {
        Round round = evidence.fullestRound().orElse(evidence.plateau());
        CpuUse cpu = round.cpu().orElse(ofPlateau);
        String inUse =
                say(
                        "%.2f of the %.2f cores available to the service are in use",
                        cpu.processCores(), cpu.coresForTarget());
        String claim = "CPU is the bottleneck";
        Statement statement =
                round.qps() > 0
                        ? Statement.of(
                                claim,
                                "each request takes %s ms of CPU%s, and %s at %.0f requests/s%s.",
                                Lines.ms(round.cpuMsPerRequest().orElse(0.0)),
                                ChildCpu.of(cpu).isPresent() ? "" : beside(evidence, round),
                                inUse,
                                round.qps(),
                                Lines.cpuLoad(evidence))
                        : Statement.of(claim, "%s.", inUse);
        Statement ofChildren =
                ChildCpu.of(cpu)
                        .map(children -> statement.and(" " + children.says()))
                        .orElse(statement);
        return SharedCores.of(cpu)
                .map(shared -> ofChildren.and(" " + shared.says()))
                .orElse(ofChildren);
    }

    /// Returns a clause about the CPU time that the breakdown of a request does not contain; empty
    /// if it is small. Collector and compilers are named with the CPU that the kernel counted for
    /// them at the same load.
    private static String beside(Evidence evidence, Round round) {
        double all = round.cpuMsPerRequest().orElse(0.0);
        double other = round.anatomy().map(a -> all - a.ms(Cause.CPU)).orElse(0.0);
        if (other <= 0 || other < BESIDE * all) {
            return "";
        }
        double cores =
                evidence.saturated()
                        .filter(window -> window.concurrency() == round.concurrency())
                        .map(ThreadSamples::signals)
                        .map(seen ->
                                seen.of(Sign.GC_CORES).orElse(0.0)
                                        + seen.of(Sign.JIT_CORES).orElse(0.0))
                        .orElse(0.0);
        double counted = Math.min(other, cores / round.qps() * 1000);
        return counted >= BESIDE * all
                ? say(" (%s ms of it by collector and compilers)", Lines.ms(counted))
                : say(" (%s ms of it outside the request threads)", Lines.ms(other));
    }

    private static List<EvidenceLine> lines(Evidence evidence, CpuUse cpu, double utilisation) {
        List<EvidenceLine> lines = new ArrayList<>();
        CpuUse at = evidence.fullestCpu().orElse(cpu);
        if (utilisation >= Saturation.CPU_SATURATED || SharedCores.of(at).isEmpty()) {
            lines.add(
                    line(
                            Figure.CPU_UTILISATION,
                            say(
                                    "CPU %.0f %% of the cores available to it (%.2f of %.2f)%s",
                                    utilisation * 100,
                                    at.processCores(),
                                    at.coresForTarget(),
                                    Lines.cpuLoad(evidence)),
                            utilisation,
                            Saturation.CPU_SATURATED));
        } else {
            lines.add(SharedCores.of(at).orElseThrow().together());
        }
        ChildCpu.of(at).ifPresent(children -> lines.add(children.line()));
        SharedCores.of(at).ifPresent(shared -> lines.add(shared.line()));
        SystemCalls.line(at).ifPresent(lines::add);
        // exceptions come first if they are the main work, because a terminal shows few lines
        List<EvidenceLine> exceptions = Exceptions.lines(evidence);
        boolean most = Exceptions.isHottest(evidence);
        if (most) {
            lines.addAll(exceptions);
        }
        evidence.scalingLine().ifPresent(lines::add);
        if (ChildCpu.most(at).isEmpty()) {
            lines.addAll(Hotspots.lines(evidence));
        }
        if (!most) {
            lines.addAll(exceptions);
        }
        evidence.plateau()
                .threads()
                .ifPresent(t ->
                        lines.add(
                                line(
                                        Figure.RUN_QUEUE,
                                        say(
                                                        "%.1f threads on average waited for a core",
                                                        t.runQueueThreads())
                                                + forCarriers(evidence),
                                        t.runQueueThreads(),
                                        1)));
        evidence.busyShare(Cause.LOCK)
                .ifPresent(s ->
                        lines.add(
                                line(
                                        Figure.BUSY_IN_LOCKS,
                                        say(
                                                "%.0f %% of the threads in use wait for locks",
                                                s * 100),
                                        s,
                                        Limits.LOCK_WAITERS)));
        return lines;
    }

    /// Returns the number of runnable virtual threads without a carrier. They wait for a core, too,
    /// but the kernel does not count them.
    private static String forCarriers(Evidence evidence) {
        double waiting =
                evidence.saturated().stream()
                        .flatMap(c -> c.busy().stream())
                        .filter(b -> b.place().is(Activity.CARRIER))
                        .mapToDouble(ThreadSamples.Busy::threads)
                        .sum();
        return waiting > 0 ? say(", and %.1f virtual threads for a carrier", waiting) : "";
    }

    @Override
    public Optional<Sentence> notRuledOut(Evidence evidence, Function<Bottleneck, Finding> found) {
        return unsettledCode(evidence)
                .map(Sentence::of)
                .or(() -> forces(evidence))
                .or(() -> longStops(evidence).map(Sentence::of));
    }

    /// Returns why the code is not steady. It uses both diagnostic windows, because code that is
    /// discarded repeatedly may be compiled during one of them.
    private static Optional<String> unsettledCode(Evidence evidence) {
        double interpreted = most(evidence, Sign.INTERPRETED_SHARE);
        double process = evidence.cpu().map(CpuUse::ownCores).orElse(0.0);
        double compiling = process <= 0 ? 0 : evidence.sign(Sign.JIT_CORES).orElse(0.0) / process;
        List<String> unsettled = new ArrayList<>();
        if (interpreted >= INTERPRETED) {
            unsettled.add(say("up to %.0f %% of the code ran interpreted", interpreted * 100));
        }
        if (compiling >= COMPILING) {
            unsettled.add(say("compilers took %.0f %% of the service's CPU", compiling * 100));
        }
        return unsettled.isEmpty()
                ? Optional.empty()
                : Optional.of("jit is not ruled out: " + String.join(", and ", unsettled));
    }

    private static Optional<Sentence> forces(Evidence evidence) {
        double all = evidence.saturated().map(c -> c.threads(Cause.CPU)).orElse(0.0);
        return evidence.top(Cause.CPU)
                .filter(b -> FORCES.matcher(b.where()).find() && b.threads() >= FORCING * all)
                .map(b ->
                        Sentence.format(
                                "disk is not ruled out: %.0f %% of the CPU is in %s, which forces"
                                        + " data to the disk; fewer and larger commits take less",
                                b.threads() / all * 100, b.place().named()));
    }

    /// Returns why long stops of the JVM are not ruled out. Saturated cores make stops longer, and
    /// stops also use up core time. If stops take a fifth of the time or more, it is unknown which
    /// is the cause.
    private static Optional<String> longStops(Evidence evidence) {
        double stopped = SafepointRule.stoppedInRounds(evidence);
        return stopped >= GcCost.FIRST_FROM
                ? Optional.of(
                        say(
                                "safepoint is not ruled out: stops that were no collections took"
                                        + " %.0f %% of the rounds' time",
                                stopped * 100))
                : Optional.empty();
    }

    private static double most(Evidence evidence, Sign sign) {
        return Stream.of(evidence.relaxed(), evidence.saturated())
                .flatMap(Optional::stream)
                .flatMap(c -> c.signals().of(sign).stream())
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(0);
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        return CpuRecommendations.cpu(s);
    }

    @Override
    public void challenge(Experiments experiments) {
        experiments.lessCpu();
    }
}
