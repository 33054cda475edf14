package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.Lines.confidence;
import static dev.jdyno.diagnose.Lines.line;
import static dev.jdyno.diagnose.Lines.say;

import dev.jdyno.measure.Bottleneck;
import dev.jdyno.measure.Signals.Sign;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The JVM stands still for something else than its collector: thread dumps of a monitor, heap
/// inspection, deoptimisation, or threads that are slow to reach a safepoint. The stops by our own
/// dumps are taken out before.
final class SafepointRule implements Rule {
    /// Share of the time stopped, or waiting for the last thread to stop, from which it is felt
    /// (the same as JMC's limit for pauses).
    static final double STOPPED_LIMIT = 0.10;

    /// Safepoints per second that were no collections: fewer are single events.
    static final double PER_SECOND_LIMIT = 1;

    /// HotSpot's names of the collections that go before a class histogram or a heap dump.
    private static final Set<String> INSPECTIONS =
            Set.of("Heap Inspection Initiated GC", "Heap Dump Initiated GC");

    /// Share of the collections made for inspections from which they are why it stops.
    static final double INSPECTED_LIMIT = 0.30;

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.SAFEPOINT;
    }

    @Override
    public Set<Bottleneck> bringsAbout() {
        return EnumSet.of(
                Bottleneck.CPU,
                Bottleneck.LOCK,
                Bottleneck.GC_ALLOCATION,
                Bottleneck.GC_PROMOTION,
                Bottleneck.GC_LIVE_SET);
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Optional<Double> stopped = evidence.sign(Sign.SAFEPOINT_SHARE);
        if (stopped.isEmpty()) {
            return new Finding.NotApplicable("the target's safepoints were not seen");
        }
        double sync = evidence.sign(Sign.SAFEPOINT_SYNC_SHARE).orElse(0.0);
        double share = stopped.get() + sync;
        double perSecond = evidence.sign(Sign.SAFEPOINTS_PER_S).orElse(0.0);
        double gc = evidence.worstPauseShare();
        double inspected = inspected(evidence);
        if (inspected >= INSPECTED_LIMIT && gc + share >= STOPPED_LIMIT) {
            return inspection(gc, share, inspected);
        }
        if (share < STOPPED_LIMIT || perSecond < PER_SECOND_LIMIT || gc > share) {
            return new Finding.Cleared(
                    Math.min(0.3, share),
                    say(
                            "stopped %.1f %% of the time, not for the collector, %.1f times a second",
                            share * 100, perSecond));
        }
        double own = evidence.sign(Sign.OWN_PAUSE_SHARE).orElse(0.0);
        return new Finding.Limits(
                sync > stopped.get() ? "time to safepoint" : "stops",
                confidence(share, STOPPED_LIMIT, 0.4, 0.80, 0.96),
                say(
                        "The JVM stands still for safepoints that are no collections: %.0f times a"
                                + " second, %.0f %% of the time stopped and %.0f %% on the way there. Look"
                                + " for whoever dumps threads or inspects the heap in a loop.",
                        perSecond, stopped.get() * 100, sync * 100),
                List.of(
                        line(
                                "safepoint-stopped",
                                say("stopped %.0f %% of the time", stopped.get() * 100),
                                stopped.get(),
                                "share",
                                STOPPED_LIMIT),
                        line(
                                "safepoint-sync",
                                say("%.0f %% of the time until all had stopped", sync * 100),
                                sync,
                                "share",
                                STOPPED_LIMIT),
                        line(
                                "safepoints",
                                say("%.0f safepoints/s that were no collections", perSecond),
                                perSecond,
                                "1/s",
                                PER_SECOND_LIMIT),
                        line(
                                "own-dumps",
                                say("our own dumps, taken out: %.1f %%", own * 100),
                                own,
                                "share",
                                0)));
    }

    /// Share of the collections that were made for somebody who counts or dumps the heap.
    private static double inspected(Evidence evidence) {
        return evidence.worstGc()
                .gc()
                .map(gc -> INSPECTIONS.stream().mapToDouble(gc::causeShare).sum())
                .orElse(0.0);
    }

    private static Finding inspection(double gc, double share, double inspected) {
        return new Finding.Limits(
                "heap inspection",
                confidence(gc + share, STOPPED_LIMIT, 0.4, 0.80, 0.96),
                say(
                        "Somebody inspects the heap: %.0f %% of the collections were made for that, and"
                                + " they and the counting stop the service %.0f %% of the time. Look for"
                                + " whoever asks for class histograms or heap dumps in a loop.",
                        inspected * 100, (gc + share) * 100),
                List.of(
                        line(
                                "gc-inspections",
                                say(
                                        "%.0f %% of the collections for heap inspections",
                                        inspected * 100),
                                inspected,
                                "share",
                                INSPECTED_LIMIT),
                        line(
                                "safepoint-stopped",
                                say(
                                        "stopped %.0f %% of the time, of that %.0f %% in collections",
                                        (gc + share) * 100, gc * 100),
                                gc + share,
                                "share",
                                STOPPED_LIMIT)));
    }
}
