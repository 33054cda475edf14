package dev.jdyno.diagnose.gc;

import static dev.jdyno.diagnose.evidence.Lines.confidence;
import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.CollectorRule;
import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.GcCost;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.diagnose.evidence.Statement;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.gc.GcCauses;
import dev.jdyno.measure.gc.GcLimits;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The application requests collections itself. The collections stop the application. With a
/// concurrent collector (ZGC, `-XX:+ExplicitGCInvokesConcurrent`), only the requesting thread waits
/// for the end of its collection.
public final class GcExplicitRule implements CollectorRule {
    private static final String CLAIM = "System.gc() is the bottleneck";

    private static final String REMEDY =
            "Remove the calls, or start with -XX:+DisableExplicitGC. If direct buffers call"
                    + " System.gc() because -XX:MaxDirectMemorySize is reached, reuse the"
                    + " buffers or raise that limit: without collections, new buffers fail.";

    /// Minimum share of the threads in use that wait for a collection that they requested.
    static final double ASKING_LIMIT = 0.30;

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.GC_EXPLICIT;
    }

    @Override
    public Set<Bottleneck> bringsAbout() {
        return GcCost.BUSY_COLLECTOR;
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Optional<ThreadSamples.Busy> asking = evidence.top(Cause.GC);
        double waiting = evidence.busyShare(Cause.GC).orElse(0.0);
        return asking.isPresent() && waiting >= ASKING_LIMIT && !evidence.stillRises()
                ? asked(evidence, asking.get(), waiting)
                : byPauses(evidence);
    }

    private static Finding asked(Evidence evidence, ThreadSamples.Busy asking, double waiting) {
        return new Finding.Limits(
                asking.where(),
                confidence(waiting, ASKING_LIMIT, 0.9, 0.75, 0.95),
                Statement.of(
                        CLAIM,
                        "%.0f %% of the threads in use wait until a collection that they"
                                + " requested has ended (%s)%s. %s",
                        waiting * 100,
                        asking.place().named(),
                        evidence.atTwiceTheLoad(),
                        REMEDY),
                List.of(
                        line(
                                Figure.GC_ASKING,
                                say(
                                        "%.0f %% of the threads in use wait for a collection that"
                                                + " they requested",
                                        waiting * 100),
                                waiting,
                                ASKING_LIMIT)));
    }

    private static Finding byPauses(Evidence evidence) {
        Round round = evidence.worstGc();
        Optional<GcActivity> seen = round.gc();
        if (seen.isEmpty() || seen.get().facts().started().isEmpty()) {
            return new Finding.NotApplicable("the causes of the collections are unknown");
        }
        GcActivity gc = seen.get();
        double asked = gc.facts().causes().asked();
        double pauses = askedPauses(gc, round);
        if (pauses < GcCost.PAUSE_SHARE_LIMIT || asked < GcLimits.ASKED_SHARE) {
            return new Finding.Cleared(
                    Math.min(0.3, asked),
                    say(
                            "%.0f %% of the collections were requested; pauses take %.1f %% of"
                                    + " the time",
                            asked * 100, pauses * 100));
        }
        return new Finding.Limits(
                GcCauses.SYSTEM_GC,
                confidence(pauses, GcCost.PAUSE_SHARE_LIMIT, 0.3, 0.75, 0.97),
                Statement.of(
                        CLAIM,
                        "%.0f %% of the collections were requested, and pauses take %.0f %% of"
                                + " the time. %s",
                        asked * 100,
                        gc.pauseShare() * 100,
                        REMEDY),
                List.of(
                        line(
                                Figure.GC_ASKED_FOR,
                                say("%.0f %% of the collections by System.gc()", asked * 100),
                                asked,
                                GcLimits.ASKED_SHARE),
                        GcCost.pauses(gc, GcCost.PAUSE_SHARE_LIMIT)));
    }

    /// Maximum share of the time in pauses of requested collections. A requested collection is
    /// full, except with a concurrent collector. If there are fewer full ones than requests, all
    /// pauses count.
    private static double askedPauses(GcActivity gc, Round round) {
        long requests =
                gc.causes().entrySet().stream()
                        .filter(c ->
                                GcCauses.isCalled(c.getKey()) || GcCauses.isCommanded(c.getKey()))
                        .mapToLong(Map.Entry::getValue)
                        .sum();
        return gc.full().count() < requests || round.seconds() <= 0
                ? gc.pauseShare()
                : Math.min(gc.pauseShare(), gc.full().ms() / 1000 / round.seconds());
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        return GcRecommendations.explicit(s);
    }
}
