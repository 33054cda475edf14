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

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.SAFEPOINT;
    }

    @Override
    public Set<Bottleneck> bringsAbout() {
        return EnumSet.of(Bottleneck.CPU, Bottleneck.LOCK);
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
}
