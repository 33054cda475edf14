package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.Lines.confidence;
import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.BelowLimit;
import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Experiments;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Rule;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Insight.Pinned;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Virtual threads that wait and block their carriers: inside `synchronized` before JDK 24 (JEP
/// 491), or under a native frame on every JDK. All carriers are blocked while the CPU is idle.
public final class VirtualThreadPinningRule implements Rule {
    /// Minimum share of the carriers that waiting virtual threads block.
    static final double KEPT_LIMIT = 0.60;

    /// Minimum share of the pinned time at which a place or a reason is named.
    static final double WORTH_NAMING = 0.10;

    /// Maximum number of places named.
    private static final int NAMED = 3;

    private static final Set<Cause> NO_WAITS = EnumSet.of(Cause.CPU, Cause.RUN_QUEUE, Cause.OTHER);

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.VIRTUAL_THREAD_PINNING;
    }

    @Override
    public Set<Bottleneck> bringsAbout() {
        return EnumSet.of(
                Bottleneck.THREAD_POOL,
                Bottleneck.DOWNSTREAM,
                Bottleneck.DATABASE,
                Bottleneck.LOCK,
                Bottleneck.RATE_LIMIT,
                Bottleneck.CONNECTION_POOL);
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Optional<Double> seen = evidence.sign(Sign.VIRTUAL_THREADS);
        if (seen.filter(n -> n > 0).isEmpty()) {
            return new Finding.NotApplicable("no virtual thread was seen");
        }
        double pinned = evidence.sign(Sign.PINNED_THREADS).orElse(0.0);
        // by default the scheduler has as many carriers as the target has cores
        double carriers = Math.max(1, evidence.cpu().map(CpuUse::availableCores).orElse(1.0));
        double kept = Math.min(1, pinned / carriers);
        Optional<BelowLimit> few = BelowLimit.of(kept, KEPT_LIMIT);
        if (few.isPresent()) {
            return Finding.Cleared.only(
                    kept * 0.5, few.get(), "of the carriers are kept by virtual threads that wait");
        }
        String where =
                evidence.saturated()
                        .flatMap(c ->
                                c.busy().stream()
                                        .filter(b -> !NO_WAITS.contains(b.cause()))
                                        .max(
                                                Comparator.comparingDouble(
                                                        ThreadSamples.Busy::threads)))
                        .map(ThreadSamples.Busy::where)
                        .orElse("");
        List<Pinned> pins = pins(evidence);
        List<EvidenceLine> lines = new ArrayList<>();
        lines.add(
                line(
                        Figure.CARRIERS_KEPT,
                        say(
                                "%.0f %% of the carrier threads are kept by waiting threads",
                                kept * 100),
                        kept,
                        KEPT_LIMIT));
        lines.addAll(pinnedBy(pins));
        lines.add(
                line(
                        Figure.VIRTUAL_THREADS,
                        say("%.1f virtual threads seen at once", seen.orElse(0.0)),
                        seen.orElse(0.0),
                        carriers));
        return new Finding.Limits(
                where,
                confidence(kept, KEPT_LIMIT, 0.95, 0.80, 0.95),
                Sentence.format(
                        "Virtual threads are pinned: %.1f wait and keep their carrier threads, of"
                                + " which there are %.0f, so other virtual threads cannot run."
                                + " The pinned threads wait in: %s.%s",
                        pinned,
                        carriers,
                        where,
                        pins.stream()
                                .findFirst()
                                .map(p ->
                                        Sentence.format(
                                                " What pins most: %s, at %s.",
                                                p.reason(), PlaceText.named(p.site())))
                                .orElse(Sentence.of(""))),
                lines);
    }

    /// Returns the pinned threads that the flight recording of the same window contains, the
    /// largest first.
    static List<Pinned> pins(Evidence evidence) {
        int load = evidence.saturated().map(ThreadSamples::concurrency).orElse(0);
        return evidence.insight().pinned().stream().filter(p -> p.concurrency() == load).toList();
    }

    private static List<EvidenceLine> pinnedBy(List<Pinned> pins) {
        double all = pins.stream().mapToDouble(Pinned::threads).sum();
        List<EvidenceLine> lines = new ArrayList<>();
        for (Pinned p : pins) {
            if (p.threads() >= WORTH_NAMING * all && lines.size() < NAMED) {
                lines.add(
                        line(
                                Figure.PINNED,
                                lines.size() + 1,
                                Sentence.format(
                                        "%.2f thread-seconds a second pinned at %s: %s",
                                        p.threads(), PlaceText.named(p.site()), p.reason()),
                                p.threads(),
                                0));
            }
        }
        return lines;
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        return PinningRecommendations.pinning(s);
    }

    @Override
    public void challenge(Experiments experiments) {
        experiments.flatAtTwice();
        experiments.enoughCores();
    }
}
