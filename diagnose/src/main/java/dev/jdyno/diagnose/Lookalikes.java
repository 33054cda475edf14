package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.gc.GcLeakRule;
import dev.jdyno.diagnose.gc.GcRule;
import dev.jdyno.diagnose.gc.KeptBeyondRequests;
import dev.jdyno.diagnose.gc.SafepointRule;
import dev.jdyno.measure.Bottleneck;
import dev.jdyno.measure.Cause;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.GcActivity;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.Signals.Sign;
import dev.jdyno.measure.ThreadSamples;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Names whose figures are nearly those of the one that is given, and which nothing that was
/// measured rules out. Most of the wrong names that were given with 0.9 and more on services that
/// are not the lab's were such: a leak for a live set, overflowing survivors for humongous objects,
/// CPU for code that is thrown away.
final class Lookalikes {

    /// Suspicion from which a rule that cleared its bottleneck did not rule it out.
    static final double SUSPECTED = 0.3;

    /// Share of the old generation that full collections leave from which something lives there,
    /// whatever is promoted between them.
    static final double LEFT_BEHIND = 0.5;

    /// Share of the samples in code that is not compiled from which it is not settled: warm
    /// services had at most 0.06, call sites that are exchanged every 20 ms 0.26 to 0.43.
    static final double INTERPRETED = 0.15;

    /// Share of the target's CPU that compilers take, for the same: warm services had at most 0.07,
    /// those call sites 0.08 to 0.17.
    static final double COMPILING = 0.10;

    /// Times the cores that stops leave to its threads, from which they used more than those: in
    /// native code, while the thread that stops them waited for a core. An exporter that keeps the
    /// cores busy had 1.35 to 1.9, a planted dumper of threads 1.24, class histograms in a loop
    /// 0.7.
    static final double MORE_THAN_LEFT = 1.1;

    /// A class or a method that is called after a log: `AccessLogValve`, `NCSARequestLog`,
    /// `Logger.log`, but neither `Login`, `Logic` nor `Catalog`.
    private static final Pattern A_LOG =
            Pattern.compile("(Log|(?<![A-Za-z])log)(g(er|ing)|s)?(?![a-z])|Appender");

    /// Where data are forced to the disk: system calls by their names, and the JDK's own classes.
    private static final Pattern FORCES =
            Pattern.compile("\\.(msync|fsync|fdatasync)0?$|(File|Mapped)[A-Za-z]*\\.force0?$");

    /// Share of the CPU in such a place from which the disk is not ruled out: the system call takes
    /// CPU for as much as it writes, most of all on a fast or a virtual disk.
    static final double FORCING = 0.3;

    /// Connections opened in the target's network for each request, from which each may need a
    /// port.
    static final double OPENED_EACH = 0.5;

    private Lookalikes() {}

    /// @param found what its rule says of a bottleneck
    /// @return the name that is not ruled out and why, as the end of a sentence
    static Optional<String> notRuledOut(
            Bottleneck named, Evidence evidence, Function<Bottleneck, Finding> found) {
        return switch (named) {
            case GC_LIVE_SET -> leak(found.apply(Bottleneck.GC_LEAK), evidence);
            case GC_PROMOTION ->
                    suspectedLeak(found.apply(Bottleneck.GC_LEAK))
                            .or(() -> evidence.worstGc().gc().flatMap(gc -> notYoung(gc, evidence)))
                            .or(() ->
                                    KeptBeyondRequests.doubt(
                                            evidence, found.apply(Bottleneck.GC_LEAK)));
            case GC_ALLOCATION -> stalls(evidence.worstGc());
            case CPU ->
                    unsettledCode(evidence)
                            .or(() -> forces(evidence))
                            .or(() -> longStops(evidence));
            case SAFEPOINT -> lackOfCores(evidence);
            case RATE_LIMIT -> unseenPorts(evidence);
            case LOCK -> evidence.top(Cause.LOCK).flatMap(b -> ofALog(b.where()));
            default -> Optional.empty();
        };
    }

    /// Only counts of live objects tell a live set from what grows slowly.
    private static Optional<String> leak(Finding leak, Evidence evidence) {
        return leak instanceof Finding.NotApplicable
                ? Optional.of("gc-leak is not ruled out: live objects were not counted")
                : suspectedLeak(leak).or(() -> growsALittle(evidence));
    }

    /// Too little of each request for a name, and more than nothing.
    private static Optional<String> growsALittle(Evidence evidence) {
        double perS = evidence.sign(Sign.LIVE_GROWTH_BYTES_PER_S).orElse(0.0);
        double qps = evidence.saturated().map(ThreadSamples::qps).orElse(0.0);
        double capacity = evidence.worstGc().gc().flatMap(GcActivity::oldCapacityBytes).orElse(0.0);
        return qps > 0
                        && perS >= GcLeakRule.STEADY_PER_REQUEST_BYTES * qps
                        && capacity <= perS * GcLeakRule.FULL_IN_SECONDS
                ? Optional.of(
                        say(
                                "gc-leak is not ruled out: live objects grew by %.0f bytes per request",
                                perS / qps))
                : Optional.empty();
    }

    private static Optional<String> suspectedLeak(Finding leak) {
        return leak instanceof Finding.Cleared c && c.suspicion() >= SUSPECTED
                ? Optional.of("gc-leak is not ruled out: " + c.whyNot())
                : Optional.empty();
    }

    /// Where full collections leave much, or more gets into old than is allocated in young, it is
    /// not only what overflows from young.
    private static Optional<String> notYoung(GcActivity gc, Evidence evidence) {
        if (GcRule.promotedShare(gc) > 1) {
            return Optional.of(
                    "gc-humongous is not ruled out: more gets into the old generation than is"
                            + " allocated in the young one");
        }
        double full = gc.full().count() / evidence.worstGc().seconds();
        double capacity = gc.oldCapacityBytes().orElse(0.0);
        double left = gc.afterFullBytes().orElse(0.0);
        return full >= GcRule.FULL_PER_SECOND && left >= LEFT_BEHIND * capacity && left > 0
                ? Optional.of(
                        say(
                                "gc-live-set is not ruled out: full collections leave %.0f %% of the"
                                        + " old generation",
                                left / capacity * 100))
                : Optional.empty();
    }

    /// A collector that works beside the application stops it little; that threads wait for memory
    /// only a recording tells.
    private static Optional<String> stalls(Round round) {
        return round.gc()
                .filter(gc -> gc.pauseShare() < GcRule.PAUSE_SHARE_LIMIT)
                .filter(gc -> gc.stalledThreads().isEmpty())
                .map(_ ->
                        "gc-stall is not ruled out: threads that wait for memory were not counted");
    }

    /// In either diagnostic window: what is thrown away again and again is now and then compiled.
    private static Optional<String> unsettledCode(Evidence evidence) {
        double interpreted = most(evidence, Sign.INTERPRETED_SHARE);
        double process = evidence.cpu().map(CpuUse::processCores).orElse(0.0);
        double compiling = process <= 0 ? 0 : evidence.sign(Sign.JIT_CORES).orElse(0.0) / process;
        return interpreted >= INTERPRETED || compiling >= COMPILING
                ? Optional.of(
                        say(
                                "jit is not ruled out: up to %.0f %% of the code ran interpreted, and"
                                        + " compilers took %.0f %% of its CPU",
                                interpreted * 100, compiling * 100))
                : Optional.empty();
    }

    private static Optional<String> forces(Evidence evidence) {
        double all = evidence.saturated().map(c -> c.threads(Cause.CPU)).orElse(0.0);
        return evidence.top(Cause.CPU)
                .filter(b -> FORCES.matcher(b.where()).find() && b.threads() >= FORCING * all)
                .map(b ->
                        say(
                                "disk is not ruled out: %.0f %% of the CPU is in %s, which forces data to"
                                        + " the disk; fewer commits, each of more, take less",
                                b.threads() / all * 100, b.where()));
    }

    /// Cores that are saturated make stops long, and stops leave fewer cores: from a fifth of the
    /// time on it is not reported which came first.
    private static Optional<String> longStops(Evidence evidence) {
        double stopped = SafepointRule.stoppedInRounds(evidence);
        return stopped >= GcRule.FIRST_FROM
                ? Optional.of(
                        say(
                                "safepoint is not ruled out: stops that were no collections took %.0f %% of"
                                        + " the rounds' time",
                                stopped * 100))
                : Optional.empty();
    }

    /// Who stands still uses no core: threads that used more than the stops leave them were hardly
    /// held up, and the stops are long because whoever makes them lacks a core.
    private static Optional<String> lackOfCores(Evidence evidence) {
        double stopped = evidence.sign(Sign.SAFEPOINT_SHARE).orElse(0.0);
        double left = evidence.cpu().map(CpuUse::leftCores).orElse(Double.POSITIVE_INFINITY);
        double used =
                evidence.saturated().stream()
                        .flatMap(c -> c.pools().stream())
                        .filter(p -> !p.name().contains("CompilerThread"))
                        .mapToDouble(ThreadSamples.Pool::cores)
                        .sum();
        return used > MORE_THAN_LEFT * (1 - stopped) * left
                ? Optional.of(
                        say(
                                "cpu is not ruled out: its threads used %.2f cores, and stops for %.0f %%"
                                        + " of the time leave them %.2f",
                                used, stopped * 100, (1 - stopped) * left))
                : Optional.empty();
    }

    /// Who finds no port sleeps and tries again; in a network of its own only root sees how many
    /// there are.
    private static Optional<String> unseenPorts(Evidence evidence) {
        double qps = evidence.saturated().map(ThreadSamples::qps).orElse(0.0);
        double opened = evidence.sign(Sign.ACTIVE_OPENS_PER_S).orElse(0.0);
        return evidence.sign(Sign.PORTS_SHARE).isEmpty() && qps > 0 && opened >= OPENED_EACH * qps
                ? Optional.of(
                        say(
                                "ports is not ruled out: %.0f connections/s are opened in its network, and"
                                        + " how many ports that has was not seen (root may look)",
                                opened))
                : Optional.empty();
    }

    /// Servers have logs of their own, whose frames nobody told: an access log that writes under
    /// its lock is limited by what it writes to.
    private static Optional<String> ofALog(String where) {
        String place = where.substring(where.lastIndexOf(' ') + 1);
        return A_LOG.matcher(place).find()
                ? Optional.of("logging is not ruled out: by its name " + place + " is a log's")
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
}
