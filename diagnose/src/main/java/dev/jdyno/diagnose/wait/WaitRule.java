package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.Lines.confidence;
import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.BelowLimit;
import dev.jdyno.diagnose.evidence.Doubt;
import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Experiments;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.Lines;
import dev.jdyno.diagnose.evidence.LogOutput;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Rule;
import dev.jdyno.diagnose.evidence.SeenShare;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.diagnose.evidence.Statement;
import dev.jdyno.diagnose.gc.MemoryRule;
import dev.jdyno.measure.Intervention.LargerPool;
import dev.jdyno.measure.Saturation;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.Place.Activity;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/// Most busy threads wait in one way, CPU is free, and twice the load gives no more throughput: the
/// shared judgement of the waits that differ only by what is waited for.
///
/// @param claim how its sentence begins, such as "The downstream is the bottleneck"
/// @param helps what is recommended
/// @param tries what `--prove` tries
public record WaitRule(
        Bottleneck bottleneck,
        Cause cause,
        String claim,
        Function<Situation, RecommendationList> helps,
        Consumer<Experiments> tries)
        implements Rule {
    /// Share of the busy threads that must be in this wait.
    static final double SHARE_LIMIT = 0.50;

    /// Growth of the time per request, from a low load to saturation, from which requests queue
    /// there.
    static final double QUEUES_FROM = 1.3;

    /// Growth of the median response time, from the least load to the largest, below which requests
    /// do not queue.
    static final double MEDIAN_QUEUES_FROM = 1.15;

    /// Growth of the 90th percentile from which one in several requests queues though the median
    /// does not.
    static final double SLOW_QUEUES_FROM = 2;

    /// At most so sure is a disk named whose answers are mostly waited for in a run queue.
    static final double COMES_BACK_AT_MOST = 0.75;

    /// Part of the threads at one place from which the others need no word.
    private static final double NEARLY_ALL = 0.8;

    static WaitRule downstream() {
        return new WaitRule(
                Bottleneck.DOWNSTREAM,
                Cause.DOWNSTREAM,
                "A downstream service is the bottleneck",
                RemoteRecommendations::downstream,
                WaitRule::slowerDownstream);
    }

    static WaitRule database() {
        return new WaitRule(
                Bottleneck.DATABASE,
                Cause.DATABASE,
                "The database is the bottleneck",
                RemoteRecommendations::database,
                WaitRule::slowerDownstream);
    }

    static WaitRule connectionPool() {
        return new WaitRule(
                Bottleneck.CONNECTION_POOL,
                Cause.POOL,
                "A connection pool is the bottleneck",
                ConnectionRecommendations::connectionPool,
                WaitRule::moreConnections);
    }

    public static WaitRule logging() {
        return new WaitRule(
                Bottleneck.LOGGING,
                Cause.LOGGING,
                "Logging is the bottleneck",
                LoggingRecommendations::logging,
                WaitRule::queuesBesideIdleCores);
    }

    public static WaitRule disk() {
        return new WaitRule(
                Bottleneck.DISK,
                Cause.DISK,
                "The disk is the bottleneck",
                QueueRecommendations::disk,
                Experiments::flatAtTwice);
    }

    public static WaitRule dns() {
        return new WaitRule(
                Bottleneck.DNS,
                Cause.DNS,
                "Name lookup is the bottleneck",
                RemoteRecommendations::dns,
                WaitRule::resolver);
    }

    /// Whether most threads stand in file I/O with the disk waited for, yet are found in a run
    /// queue though cores are left: a disk that answers in less than the time to get a core again
    /// has its answers come in at few of the cores, and it is these that they queue for.
    private boolean comesBackToABusyCore(Evidence evidence) {
        return cause == Cause.DISK
                && evidence.cpuUtilisation().filter(u -> u < Saturation.CPU_USED_UP).isPresent()
                && evidence.sign(Sign.PSI_IO)
                        .filter(io -> io >= MemoryRule.DISK_WAITED_FOR)
                        .isPresent()
                && evidence.busyShare(cause).filter(found -> found < SHARE_LIMIT).isPresent()
                && standInIt(evidence).filter(stand -> stand >= SHARE_LIMIT).isPresent();
    }

    /// Share of the busy threads whose stacks stand in it, on a core, waiting for one, or asleep.
    private Optional<Double> standInIt(Evidence evidence) {
        return evidence.busyShare(cause)
                .flatMap(found -> evidence.saturated())
                .map(c -> {
                    double stand = c.pools().stream().mapToDouble(p -> p.doing(cause)).sum();
                    return Math.min(1, stand / Math.max(1, c.busyThreads()));
                });
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        boolean comesBack = comesBackToABusyCore(evidence);
        Optional<Double> share = comesBack ? standInIt(evidence) : evidence.busyShare(cause);
        if (share.isEmpty()) {
            return SeenShare.notKnown(evidence.saturated());
        }
        Optional<BelowLimit> few = BelowLimit.of(share.get(), SHARE_LIMIT);
        if (few.isPresent()) {
            return Finding.Cleared.only(
                            share.get() * 0.5, few.get(), "of busy threads are in " + cause.key())
                    .and(besideIt(evidence));
        }
        Optional<ThreadSamples.Busy> top =
                evidence.top(cause).or(() -> comesBack ? fileWork(evidence) : Optional.empty());
        if (top.isEmpty()) {
            return new Finding.NotApplicable(
                    say("threads stand in %s, but at no place that was seen", cause.key()));
        }
        double sure = confidence(share.get(), SHARE_LIMIT, 0.9, 0.70, 0.95);
        if (evidence.cpuIsShort()) {
            sure *= 0.5;
        }
        boolean isQueue = cause == Cause.POOL || (cause == Cause.LOGGING && evidence.queues());
        if (isQueue ? evidence.stillRises() : evidence.aDelayStillRises()) {
            // a wait that does not queue is a delay: more load would give more
            sure *= Evidence.STILL_RISES;
        }
        if (!comesBack && evidence.growth(cause).filter(g -> g < QUEUES_FROM).isPresent()) {
            // as long per request as at a low load: no request queues there, so it is not saturated
            sure *= 0.5;
        }
        if (!isQueue && evidence.medianGrowth().filter(g -> g < MEDIAN_QUEUES_FROM).isPresent()) {
            // most requests take as long as at the least load: either one in several queues, or a
            // few stood still and none queues; who waits to borrow queues by that, and an unfair
            // pool lets the median be served at once
            sure =
                    evidence.slowGrowth().filter(g -> g >= SLOW_QUEUES_FROM).isPresent()
                            ? Doubt.ONLY_A_PART.cap(sure)
                            : sure * 0.6;
        }
        if (!comesBack && evidence.isRare(cause)) {
            sure *= 0.5;
        }
        if (comesBack) {
            sure = Math.min(sure, COMES_BACK_AT_MOST);
        }
        if (evidence.growth(cause).isEmpty() && !evidence.begins(cause)) {
            // without a window at a low load nobody knows whether they queue
            sure *= 0.85;
        }
        ThreadSamples census = evidence.saturated().orElseThrow();
        Optional<Sentence> console = console(evidence, top.get());
        Sentence holder =
                console.isPresent() ? Sentence.of("") : Lines.held(top.get(), census.places());
        return new Finding.Limits(
                top.get().where(),
                sure,
                Statement.of(
                        claim,
                        "%.1f of %.1f busy threads %s %s%s%s%s.",
                        comesBack ? share.get() * census.busyThreads() : census.threads(cause),
                        census.busyThreads(),
                        comesBack ? "stand in" : "wait for",
                        console.orElseGet(() -> place(census, top.get())),
                        holder,
                        Lines.cpuIs(", ", evidence),
                        evidence.atTwiceTheLoad()),
                lines(evidence, top.get(), share.get()));
    }

    /// Where files are read and written by those who were all found on a core or waiting for one.
    private static Optional<ThreadSamples.Busy> fileWork(Evidence evidence) {
        return evidence.saturated().stream()
                .flatMap(c -> c.busy().stream())
                .filter(b -> b.cause() == Cause.CPU && b.place().is(Activity.FILE_IO))
                .max(Comparator.comparingDouble(ThreadSamples.Busy::threads));
    }

    /// What of the disks is worth a word though nobody is found waiting for one.
    private String besideIt(Evidence evidence) {
        return cause == Cause.DISK
                ? DiskLines.others(evidence).map(l -> "; " + l.says()).orElse("")
                : "";
    }

    /// The appender behind which a slow reader of standard output lets lines queue: whatever lock
    /// the others wait for, its holder waits for that reader.
    private Optional<Sentence> console(Evidence evidence, ThreadSamples.Busy top) {
        return cause == Cause.LOGGING && top.place() instanceof Place.Log log
                ? new LogOutput(evidence)
                        .slowReader()
                        .map(output ->
                                Sentence.format(
                                        "the console appender of %s whose %s's reader is slow%s",
                                        log.library(),
                                        output.replaceFirst("^an? ", ""),
                                        log.frame()
                                                .map(f ->
                                                        Sentence.of(", in ").and(Sentence.name(f)))
                                                .orElse(Sentence.of(""))))
                : Optional.empty();
    }

    /// The place with the most threads, with how many where others have a good part of them.
    private Sentence place(ThreadSamples census, ThreadSamples.Busy top) {
        double there = census.byPlace(cause).getOrDefault(top.place(), 0.0);
        return there >= NEARLY_ALL * census.threads(cause)
                ? top.place().named()
                : Sentence.format("%s (%.1f) and others", top.place().named(), there);
    }

    private List<EvidenceLine> lines(Evidence evidence, ThreadSamples.Busy top, double share) {
        List<EvidenceLine> lines = new ArrayList<>();
        lines.add(
                line(
                        Figure.SHARE,
                        cause.key(),
                        Sentence.format(
                                "%.0f %% of the busy threads %s %s (most: %s)",
                                share * 100,
                                comesBackToABusyCore(evidence) ? "stand in" : "wait for",
                                cause.key(),
                                top.place().named()),
                        share,
                        SHARE_LIMIT));
        ThreadSamples census = evidence.saturated().orElseThrow();
        if (census.likelyHolder(top).isPresent()) {
            Lines.holderStack(top).ifPresent(lines::add);
        } else if (cause == Cause.POOL) {
            census.mostBeside(top).map(WaitRule::besideThePool).ifPresent(lines::add);
        }
        Lines.cpuBeside(evidence).ifPresent(lines::add);
        evidence.growth(cause)
                .filter(_ -> !comesBackToABusyCore(evidence))
                .ifPresent(g ->
                        lines.add(
                                line(
                                        Figure.GROWTH,
                                        cause.key(),
                                        say(
                                                "its time per request grew × %.2f%s",
                                                g, Lines.betweenWindows(evidence)),
                                        g,
                                        ThreadPoolRule.WAIT_GROWS)));
        if (cause == Cause.DOWNSTREAM || cause == Cause.DATABASE) {
            lines.addAll(SiteLines.calls(evidence));
            SiteLines.connections(evidence).ifPresent(lines::add);
        }
        if (cause == Cause.DISK) {
            evidence.place(Sign.DISK_LIMITS)
                    .ifPresent(limits -> lines.add(disksLimited(evidence, limits)));
            lines.addAll(DiskLines.of(evidence));
            if (comesBackToABusyCore(evidence)) {
                lines.add(answersQueue(census));
            }
        }
        if (cause == Cause.LOGGING) {
            toOutput(evidence).ifPresent(lines::add);
            evidence.place(Sign.LOGGED_LOW_SHARE)
                    .ifPresent(by -> lines.add(belowInfo(evidence, by)));
        }
        evidence.scalingLine().ifPresent(lines::add);
        return lines;
    }

    /// What those do most who have something out of the pool, when no frame tells who has: of the
    /// busy threads the ones that do not wait for it.
    private static EvidenceLine besideThePool(ThreadSamples.Busy most) {
        return line(
                Figure.BESIDE_THE_POOL,
                Sentence.format(
                        "meanwhile %.1f threads are in %s%s: they probably hold what the others wait for",
                        most.threads(),
                        most.cause() == Cause.SLEEP ? "" : most.cause().key() + " ",
                        most.place().named()),
                most.threads(),
                ThreadSamples.ONE_AT_A_TIME);
    }

    private static EvidenceLine answersQueue(ThreadSamples census) {
        double queue = census.threads(Cause.RUN_QUEUE);
        return line(
                Figure.DISK_RUN_QUEUE,
                say(
                        "%.1f threads queue for a core though cores are left, as they do where the"
                                + " disk's answers come in at few of them (/proc/interrupts tells)",
                        queue),
                queue,
                1);
    }

    private static EvidenceLine disksLimited(Evidence evidence, String limits) {
        return line(
                Figure.DISK_LIMITS,
                say("its cgroup lets it make at most %s", limits)
                        + evidence.sign(Sign.DISK_WRITE_BYTES_PER_S)
                                .map(b -> say("; it wrote %s/s", new Bytes(Math.round(b))))
                                .orElse(""),
                evidence.sign(Sign.DISK_LIMITS).orElse(0.0),
                0);
    }

    /// Who stands in a write to standard output, and what that is.
    private static Optional<EvidenceLine> toOutput(Evidence evidence) {
        return evidence.place(Sign.WRITES_TO_OUTPUT)
                .map(output -> {
                    double threads = evidence.sign(Sign.WRITES_TO_OUTPUT).orElse(0.0);
                    return line(
                            Figure.WRITES_TO_OUTPUT,
                            say(
                                    "%.1f threads stand in a write to standard output, which is %s (%s)",
                                    threads, LogOutput.read(output).orElse("a file"), output),
                            threads,
                            ThreadSamples.ONE_AT_A_TIME);
                });
    }

    private static EvidenceLine belowInfo(Evidence evidence, String by) {
        double share = evidence.sign(Sign.LOGGED_LOW_SHARE).orElse(0.0);
        return line(
                Figure.LOGGED_BELOW_INFO,
                say("%.0f %% of the log calls found are below INFO, most from %s", share * 100, by),
                share,
                0);
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        return helps.apply(s);
    }

    @Override
    public void challenge(Experiments experiments) {
        tries.accept(experiments);
    }

    private static void slowerDownstream(Experiments experiments) {
        experiments.slowerDownstream();
        queuesBesideIdleCores(experiments);
    }

    private static void moreConnections(Experiments experiments) {
        experiments.largerPool(LargerPool.Kind.CONNECTIONS);
        queuesBesideIdleCores(experiments);
    }

    private static void queuesBesideIdleCores(Experiments experiments) {
        experiments.flatAtTwice();
        experiments.enoughCores();
    }

    private static void resolver(Experiments experiments) {
        experiments.not("the resolver is shared by the whole machine");
    }
}
