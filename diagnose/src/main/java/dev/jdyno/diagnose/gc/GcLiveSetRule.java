package dev.jdyno.diagnose.gc;

import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.GcCost;
import dev.jdyno.diagnose.evidence.GcCostRule;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.gc.GcLimits;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The live set is near the heap's size, so collections free little.
public final class GcLiveSetRule implements GcCostRule {
    /// Minimum share of the old generation that full collections leave, at which the live data
    /// cannot grow further.
    private static final double FULL_OF_LIVE_DATA = 0.995;

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.GC_LIVE_SET;
    }

    @Override
    public String why(GcActivity gc) {
        return "the live set nearly fills the heap";
    }

    @Override
    public Optional<EvidenceLine> lives(GcActivity gc, Round round) {
        if (GcCost.marksInVain(gc, round)) {
            double floor = gc.why().oldFloorBytes().orElse(0.0);
            return Optional.of(
                    line(
                            Figure.MARKS_IN_VAIN,
                            say(
                                    "it marks all the time (%.1f cycles/s), and the old generation"
                                            + " never falls below %s",
                                    gc.why().cycles() / round.seconds(),
                                    new Bytes(Math.round(floor))),
                            gc.why().cycles() / round.seconds(),
                            GcActivity.CYCLES_PER_SECOND));
        }
        double capacity = gc.oldCapacityBytes().orElse(0.0);
        return gc.afterFullBytes()
                .filter(_ -> capacity > 0)
                .map(left ->
                        line(
                                Figure.LEFT_BY_FULL,
                                say(
                                        "full collections leave %.0f %% of the old generation in"
                                                + " use",
                                        left / capacity * 100),
                                left / capacity,
                                GcLimits.OLD_FULL));
    }

    @Override
    public List<EvidenceLine> lines(Evidence evidence) {
        List<EvidenceLine> lines = new ArrayList<>(LiveObjectLines.of(evidence));
        FullCollectionsRise.level(evidence).ifPresent(lines::add);
        return lines;
    }

    /// A live set and a slow leak have the same figures. Only counts of live objects distinguish
    /// them.
    @Override
    public Optional<Sentence> notRuledOut(Evidence evidence, Function<Bottleneck, Finding> found) {
        Finding leak = found.apply(Bottleneck.GC_LEAK);
        return (leak instanceof Finding.NotApplicable
                        ? Optional.of("gc-leak is not ruled out: live objects were not counted")
                        : GcLeakRule.suspected(leak)
                                .or(() -> growsALittle(evidence))
                                .or(() -> isFull(evidence)))
                .map(Sentence::of);
    }

    /// Returns a remark if each request leaves some live bytes, but too few for a leak to be named.
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

    /// Returns a remark that the heap is already full, so that live objects cannot grow between two
    /// counts.
    private static Optional<String> isFull(Evidence evidence) {
        return evidence.worstGc()
                .gc()
                .flatMap(gc ->
                        gc.oldCapacityBytes()
                                .filter(capacity -> capacity > 0)
                                .flatMap(capacity ->
                                        gc.afterFullBytes().map(left -> left / capacity)))
                .filter(full -> full >= FULL_OF_LIVE_DATA)
                .map(full ->
                        say(
                                "gc-leak is not ruled out: full collections leave %.0f %% of the"
                                        + " old generation in use, so a leak has no room to grow",
                                full * 100));
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        return LiveSetRecommendations.of(s);
    }
}
