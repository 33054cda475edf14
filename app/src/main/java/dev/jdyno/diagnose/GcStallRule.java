package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.Lines.confidence;
import static dev.jdyno.diagnose.Lines.line;
import static dev.jdyno.diagnose.Lines.say;

import dev.jdyno.measure.Bottleneck;
import dev.jdyno.measure.GcActivity;
import dev.jdyno.measure.Signals.Sign;
import dev.jdyno.measure.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A concurrent collector cannot keep up: threads wait until it has freed memory. Its pauses look
/// perfect meanwhile.
final class GcStallRule implements Rule {
    /// HotSpot's causes of collections that came too late: ZGC, Shenandoah.
    static final List<String> CAUSES = List.of("Allocation Stall", "Shenandoah Allocation Failure");

    /// Share of the requests in flight that wait for memory.
    static final double STALLED_LIMIT = 0.10;

    /// Share of the collections that came too late, where the stalls themselves are not logged.
    static final double LATE_LIMIT = 0.30;

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.GC_STALL;
    }

    @Override
    public Set<Bottleneck> bringsAbout() {
        return EnumSet.of(
                Bottleneck.CPU,
                Bottleneck.GC_ALLOCATION,
                Bottleneck.GC_PROMOTION,
                Bottleneck.GC_LIVE_SET,
                Bottleneck.GC_LEAK);
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Optional<GcActivity> seen = evidence.plateau().gc();
        if (seen.isEmpty()) {
            return new Finding.NotApplicable("the target's collector was not seen");
        }
        GcActivity gc = seen.get();
        double waiting = gc.stalledThreads().orElse(0.0);
        double stalled = waiting / Math.max(1, evidence.plateau().concurrency());
        double late = CAUSES.stream().mapToDouble(gc::causeShare).sum();
        boolean logged = gc.stalledThreads().isPresent();
        if (stalled < STALLED_LIMIT && (logged || late < LATE_LIMIT)) {
            return new Finding.Cleared(
                    Math.min(0.3, stalled),
                    say("%.0f %% of the requests waited for the collector", stalled * 100));
        }
        List<EvidenceLine> lines = new ArrayList<>();
        lines.add(
                line(
                        "stalled",
                        say(
                                "%.1f threads on average wait for the collector to free memory",
                                waiting),
                        stalled,
                        "share",
                        STALLED_LIMIT));
        lines.add(
                line(
                        "late-collections",
                        say("%.0f %% of the collections came too late", late * 100),
                        late,
                        "share",
                        LATE_LIMIT));
        evidence.sign(Sign.GC_CORES)
                .ifPresent(c ->
                        lines.add(
                                line(
                                        "gc-cores",
                                        say("collector threads use %.2f cores", c),
                                        c,
                                        "cores",
                                        0)));
        return new Finding.Limits(
                "allocation stalls",
                Math.max(
                        confidence(stalled, STALLED_LIMIT, 0.5, 0.80, 0.96),
                        logged ? 0 : confidence(late, LATE_LIMIT, 0.8, 0.70, 0.85)),
                say(
                        "The collector cannot keep up: %.0f %% of the requests in flight wait for it to"
                                + " free memory, though pauses are only %.1f %% of the time. Give it more"
                                + " heap, or allocate less.",
                        stalled * 100, gc.pauseShare() * 100),
                lines);
    }
}
