package dev.jdyno.diagnose.evidence;

import static dev.jdyno.diagnose.evidence.Lines.confidence;
import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.thread.WaitGrowth;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Judges the waits for which only the awaited resource differs. Such a wait limits if most threads
/// in use are in it, CPU is free, and twice the load gives no more throughput.
public final class Waiting {
    /// Minimum share of the threads in use in this wait.
    public static final double SHARE_LIMIT = 0.50;

    /// Minimum growth of the time per request in a wait, from a low load to saturation, at which
    /// requests queue there.
    public static final double QUEUES_FROM = WaitGrowth.QUEUES_FROM;

    /// Minimum growth of the median response time, from the lowest load to the highest, at which
    /// requests queue.
    public static final double MEDIAN_QUEUES_FROM = 1.15;

    /// Minimum growth of the 90th percentile at which a part of the requests queues, even if the
    /// median shows no queue.
    static final double SLOW_QUEUES_FROM = 2;

    /// Maximum confidence for threads whose stacks show the wait but that were found on a core or
    /// in the run queue.
    public static final double MAX_IF_ON_CORE = 0.75;

    /// Minimum share of the threads at one place at which other places are not mentioned.
    private static final double NEARLY_ALL = 0.8;

    private final WaitRule rule;
    private final Cause cause;
    private final Evidence evidence;
    private final WaitRule.Found found;

    Waiting(WaitRule rule, Evidence evidence, WaitRule.Found found) {
        this.rule = rule;
        this.cause = rule.cause();
        this.evidence = evidence;
        this.found = found;
    }

    Finding finding() {
        Optional<BelowLimit> few = BelowLimit.of(found.share(), SHARE_LIMIT);
        if (few.isPresent()) {
            return Finding.Cleared.only(
                            found.share() * 0.5,
                            few.get(),
                            "of the threads in use are in " + cause.key())
                    .and(rule.remark(evidence));
        }
        return found.top()
                .<Finding>map(this::limits)
                .orElseGet(() ->
                        new Finding.NotApplicable(
                                say(
                                        "threads wait in %s, but at no known place in the code",
                                        cause.key())));
    }

    private Finding limits(ThreadSamples.Busy top) {
        ThreadSamples threadSamples = evidence.saturated().orElseThrow();
        Optional<Sentence> heldUp = rule.heldUp(evidence, top);
        Sentence holder =
                heldUp.isPresent() ? Sentence.of("") : Lines.held(top, threadSamples.places());
        return new Finding.Limits(
                top.where(),
                sure(),
                Statement.of(
                        rule.claim(),
                        "%.1f of %.1f threads in use %s %s%s%s%s.",
                        found.waiting()
                                ? threadSamples.threads(cause)
                                : found.share() * threadSamples.busyThreads(),
                        threadSamples.busyThreads(),
                        found.waiting() ? "wait for" : "stand in",
                        heldUp.orElseGet(() -> place(threadSamples, top)),
                        holder,
                        Lines.cpuIs(", ", evidence),
                        evidence.atTwiceTheLoad()),
                lines(threadSamples, top));
    }

    private double sure() {
        double sure = confidence(found.share(), SHARE_LIMIT, 0.9, 0.70, 0.95);
        if (evidence.cpuIsShort()) {
            sure *= 0.5;
        }
        boolean isQueue = rule.isQueue(evidence);
        if (isQueue ? evidence.stillRises() : evidence.aDelayStillRises()) {
            // a wait without a queue is a delay: more load would give more throughput
            sure *= Evidence.STILL_RISES;
        }
        if (found.waiting() && evidence.growth(cause).filter(g -> g < QUEUES_FROM).isPresent()) {
            // the time per request is the same as at a low load, so no request queues and nothing
            // is saturated
            sure *= 0.5;
        }
        if (!isQueue && evidence.medianGrowth().filter(g -> g < MEDIAN_QUEUES_FROM).isPresent()) {
            // Most requests take as long as at the lowest load. Either a part of them queues, or a
            // few were delayed by chance. Waits that are queues are left out, because an unfair
            // pool may serve most requests without delay.
            sure =
                    evidence.slowGrowth().filter(g -> g >= SLOW_QUEUES_FROM).isPresent()
                            ? Doubt.ONLY_A_PART.cap(sure)
                            : sure * 0.6;
        }
        if (found.waiting() && evidence.isRare(cause)) {
            sure *= 0.5;
        }
        if (!found.waiting()) {
            sure = Math.min(sure, MAX_IF_ON_CORE);
        }
        if (evidence.growth(cause).isEmpty() && !evidence.begins(cause)) {
            // without a window at a low load, it is unknown whether requests queue
            sure *= 0.85;
        }
        return sure;
    }

    /// Returns the place with most threads. It includes the number of threads if other places have
    /// many threads, too.
    private Sentence place(ThreadSamples threadSamples, ThreadSamples.Busy top) {
        double there = threadSamples.byPlace(cause).getOrDefault(top.place(), 0.0);
        return there >= NEARLY_ALL * threadSamples.threads(cause)
                ? top.place().named()
                : Sentence.format("%s (%.1f) and others", top.place().named(), there);
    }

    private List<EvidenceLine> lines(ThreadSamples threadSamples, ThreadSamples.Busy top) {
        List<EvidenceLine> lines = new ArrayList<>();
        lines.add(
                line(
                        Figure.SHARE,
                        cause.key(),
                        Sentence.format(
                                "%.0f %% of the threads in use %s %s (most: %s)",
                                found.share() * 100,
                                found.waiting() ? "wait for" : "stand in",
                                cause.key(),
                                top.place().named()),
                        found.share(),
                        SHARE_LIMIT));
        if (threadSamples.likelyHolder(top).isPresent()) {
            Lines.holderStack(top).ifPresent(lines::add);
        } else {
            rule.withoutHolder(threadSamples, top).ifPresent(lines::add);
        }
        Lines.cpuLine(evidence).ifPresent(lines::add);
        evidence.growth(cause)
                .filter(_ -> found.waiting())
                .ifPresent(g ->
                        lines.add(
                                line(
                                        Figure.GROWTH,
                                        cause.key(),
                                        say(
                                                "its time per request grew × %.2f%s",
                                                g, Lines.betweenWindows(evidence)),
                                        g,
                                        Limits.WAIT_GROWS)));
        lines.addAll(rule.lines(evidence, found));
        evidence.scalingLine().ifPresent(lines::add);
        return lines;
    }
}
