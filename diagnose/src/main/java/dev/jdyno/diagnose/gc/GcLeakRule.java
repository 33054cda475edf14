package dev.jdyno.diagnose.gc;

import static dev.jdyno.diagnose.evidence.Lines.confidence;
import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Experiments;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.GcCost;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Rule;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Live data grows with every request (experiment E7). Two counts of the live objects, some seconds
/// apart at the same load, differ, and the added objects stay.
public final class GcLeakRule implements Rule {
    /// Maximum seconds until the old generation is full at this growth. Such a growth is a leak
    /// that ends the service, and not a cache that fills.
    public static final double FULL_IN_SECONDS = 3600;

    /// Minimum live bytes that each request leaves behind, above the rounding of two counts.
    static final double PER_REQUEST_BYTES = 200;

    /// Minimum live bytes per request if classes grow steadily. The limit is lower, because steady
    /// growth already excludes random variation.
    public static final double STEADY_PER_REQUEST_BYTES = 32;

    /// Minimum share of the old generation that full collections leave, at which that data is a
    /// live set or a slow leak. The promotion between the collections has no influence on it.
    static final double MIN_LEFT = 0.5;

    /// Seconds in which the growth must exceed the memory that the requests in flight can hold. The
    /// data of requests in flight is live, too, and varies between two counts.
    static final double SECONDS_TO_OUTGROW = 1;

    /// Minimum share of the old generation in use for it to be full.
    static final double FULL = 0.95;

    /// Minimum ratio of throughput to the best throughput. Below it, a service that ran well before
    /// is near its end.
    static final double COLLAPSED = 0.3;

    /// Minimum share of the old generation in use at the end of a round, if the diagnostic windows
    /// after it found the service near its end. The rest was filled between the two.
    static final double NEARLY_FULL = 0.90;

    /// Maximum occupancy at the end of another round, as a share of the highest one. It excludes a
    /// live set that was large from the start.
    static final double ROSE_FROM = 0.80;

    /// Maximum share of the old generation that the requests in flight may hold.
    static final double MAX_HELD_BY_REQUESTS = 0.1;

    /// Minimum share of the growth that must be steady, if the requests in flight could hold as
    /// much as the growth. The data of requests varies from count to count.
    static final double STEADY_PART = 0.8;

    /// Minimum share of the sampled objects that one field holds, at which it keeps them. Objects
    /// of requests are held in many places.
    static final double MIN_ON_ONE_FIELD = 0.5;

    /// Maximum confidence if the requests in flight could hold as much as the growth, but do not
    /// hold it.
    static final double HELD = 0.90;

    /// Minimum suspicion of a rule that cleared its bottleneck, at which the bottleneck is not
    /// ruled out.
    private static final double SUSPECTED = 0.3;

    /// Suspicion of a leak if full collections leave no more than before.
    static final double NO_LEAK = 0.05;

    /// Confidence if no objects were counted. A cache without a limit has the same figures, and is
    /// a leak, too.
    static final double FILLED_UP = 0.80;

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.GC_LEAK;
    }

    @Override
    public Set<Bottleneck> bringsAbout() {
        return EnumSet.of(
                Bottleneck.GC_ALLOCATION,
                Bottleneck.GC_PROMOTION,
                Bottleneck.GC_LIVE_SET,
                Bottleneck.CPU,
                Bottleneck.SAFEPOINT);
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Finding counted = counted(evidence);
        // in a heap that is already full, live objects cannot grow between two counts
        Finding found =
                counted instanceof Finding.Limits
                        ? counted
                        : steady(evidence)
                                .or(() -> filledUp(evidence))
                                .or(() -> filledUpAfter(evidence))
                                .or(() -> FullCollectionsRise.in(evidence))
                                .or(() -> FullCollectionsRise.marked(evidence))
                                .or(() -> level(counted, evidence))
                                .or(() -> uncounted(counted, evidence))
                                .orElse(counted);
        return found instanceof Finding.Limits limits ? withHolder(limits, evidence) : found;
    }

    /// Returns a finding that rules a leak out, if objects were not counted and full collections
    /// leave no more than before.
    private static Optional<Finding> level(Finding counted, Evidence evidence) {
        return counted instanceof Finding.NotApplicable
                ? FullCollectionsRise.level(evidence)
                        .map(level -> new Finding.Cleared(NO_LEAK, level.says().text()))
                : Optional.empty();
    }

    /// Returns a finding for the case that objects were not counted, because counting would have
    /// stopped the service for too long.
    private static Optional<Finding> uncounted(Finding counted, Evidence evidence) {
        return counted instanceof Finding.NotApplicable
                ? KeptBeyondRequests.in(evidence)
                : Optional.empty();
    }

    /// Adds the holder of the objects that were created between the counts and are still live, if
    /// it was searched for.
    private static Finding withHolder(Finding.Limits leak, Evidence evidence) {
        Optional<Sentence> by = evidence.place(Sign.LIVE_HELD_SHARE).map(PlaceText::named);
        if (by.isEmpty()) {
            return leak;
        }
        var lines = new ArrayList<>(leak.evidence());
        double held = evidence.sign(Sign.LIVE_HELD_SHARE).orElse(0.0);
        lines.add(
                line(
                        Figure.LIVE_HELD,
                        Sentence.format(
                                "%.0f %% of the sampled objects of growing classes are reachable"
                                        + " from %s",
                                held * 100, by.get()),
                        held,
                        0));
        evidence.place(Sign.LIVE_MADE_SHARE)
                .ifPresent(at ->
                        lines.add(
                                line(
                                        Figure.LIVE_MADE,
                                        Sentence.format(
                                                "most of those were made in %s",
                                                PlaceText.named(at)),
                                        evidence.sign(Sign.LIVE_MADE_SHARE).orElse(0.0),
                                        0)));
        return new Finding.Limits(
                leak.where(),
                leak.confidence(),
                Sentence.format(
                        "%s The objects that stay are reachable from %s.", leak.says(), by.get()),
                lines);
    }

    private static Finding counted(Evidence evidence) {
        Optional<Double> growth = evidence.sign(Sign.LIVE_GROWTH_BYTES_PER_S);
        if (growth.isEmpty() || evidence.saturated().isEmpty()) {
            return new Finding.NotApplicable(
                    "live objects were not counted: the old generation did not rise during the"
                            + " rounds, or is too large to be counted");
        }
        ThreadSamples threadSamples = evidence.saturated().get();
        double perS = growth.get();
        double perRequest = threadSamples.qps() <= 0 ? 0 : perS / threadSamples.qps();
        double capacity = evidence.plateau().gc().flatMap(GcActivity::oldCapacityBytes).orElse(0.0);
        double fullIn = perS <= 0 ? Double.POSITIVE_INFINITY : capacity / perS;
        if (fullIn > FULL_IN_SECONDS || perRequest < minPerRequest(evidence, perS)) {
            return new Finding.Cleared(
                    0.2,
                    perRequest < 1
                            ? "live objects do not grow"
                            : say("live objects grow by %.0f bytes per request", perRequest));
        }
        double inFlight =
                evidence.plateau().gc().flatMap(GcActivity::requestBytes).orElse(0.0)
                        * threadSamples.concurrency();
        boolean requestsMayHoldIt = perS * SECONDS_TO_OUTGROW < inFlight;
        // Data that requests hold can rise at two counts in a row by chance. So a leak needs more
        // evidence: a field that keeps the objects, or a collector that already works much because
        // of it.
        boolean isShown = manyHangOnOne(evidence) || evidence.gcCost() >= GcCost.FIRST_FROM;
        if (requestsMayHoldIt && !(growsSteadily(evidence, perS) && isShown)) {
            return new Finding.Cleared(
                    0.4,
                    say(
                            "live objects grew by %s/s, which the %d requests in flight can hold (%s)",
                            new Bytes(Math.round(perS)),
                            threadSamples.concurrency(),
                            new Bytes(Math.round(inFlight))));
        }
        String where = evidence.place(Sign.LIVE_GROWTH_BYTES_PER_S).orElse("");
        return new Finding.Limits(
                where,
                Math.min(
                        confidence(FULL_IN_SECONDS - fullIn, 0, FULL_IN_SECONDS, 0.75, 0.95),
                        !requestsMayHoldIt ? 1 : manyHangOnOne(evidence) ? HELD : FILLED_UP),
                Sentence.format(
                        "Memory leaks: each request leaves %s of live data behind (most: %s); at"
                                + " this rate an empty old generation is full after %.0f s.",
                        new Bytes(Math.round(perRequest)), PlaceText.named(where), fullIn),
                List.of(
                        line(
                                Figure.LIVE_GROWTH,
                                say("live objects grow by %s/s", new Bytes(Math.round(perS))),
                                perS,
                                0),
                        line(
                                Figure.LIVE_PER_REQUEST,
                                say("%.0f bytes per request stay live", perRequest),
                                perRequest,
                                PER_REQUEST_BYTES),
                        line(
                                Figure.FULL_IN,
                                say("an empty old generation is full after %.0f s", fullIn),
                                fullIn,
                                FULL_IN_SECONDS)));
    }

    /// Returns the minimum bytes per request. A small amount counts only if the collector is
    /// already busy, if the growing classes grow steadily, and if one field holds most of the
    /// objects.
    private static double minPerRequest(Evidence evidence, double perS) {
        return growsSteadily(evidence, perS)
                        && manyHangOnOne(evidence)
                        && evidence.gcCost() >= GcCost.FIRST_FROM
                ? STEADY_PER_REQUEST_BYTES
                : PER_REQUEST_BYTES;
    }

    /// True if nearly all of the growth is in classes that grew by the same amount in each of two
    /// intervals.
    private static boolean growsSteadily(Evidence evidence, double perS) {
        return evidence.sign(Sign.LIVE_STEADY_GROWTH_BYTES_PER_S).orElse(0.0) >= STEADY_PART * perS;
    }

    /// True if one field holds most of the objects that were created between the counts and are
    /// still live. Objects that a request holds for a moment are not held in this way.
    private static boolean manyHangOnOne(Evidence evidence) {
        return evidence.sign(Sign.LIVE_HELD_SHARE).orElse(0.0) >= MIN_ON_ONE_FIELD;
    }

    /// Returns a leak if full collections follow each other and leave most of the old generation,
    /// and some classes grow by the same amount in each of two intervals. Data that requests hold
    /// for a moment does not grow in this way, so its size is not considered.
    private static Optional<Finding> steady(Evidence evidence) {
        double perS = evidence.sign(Sign.LIVE_STEADY_GROWTH_BYTES_PER_S).orElse(0.0);
        double qps = evidence.saturated().map(ThreadSamples::qps).orElse(0.0);
        Optional<GcActivity> gc = evidence.worstGc().gc();
        double capacity = gc.flatMap(GcActivity::oldCapacityBytes).orElse(0.0);
        double left = gc.flatMap(GcActivity::afterFullBytes).orElse(0.0);
        if (perS <= 0
                || qps <= 0
                || left < MIN_LEFT * capacity
                || perS / qps < STEADY_PER_REQUEST_BYTES
                || capacity > perS * FULL_IN_SECONDS) {
            return Optional.empty();
        }
        String where = evidence.place(Sign.LIVE_STEADY_GROWTH_BYTES_PER_S).orElse("");
        double fullIn = capacity / perS;
        return Optional.of(
                new Finding.Limits(
                        where,
                        confidence(FULL_IN_SECONDS - fullIn, 0, FULL_IN_SECONDS, 0.75, 0.90),
                        Sentence.format(
                                "Memory leaks: full collections leave %.0f %% of the old"
                                        + " generation in use. At least %s per request"
                                        + " are never freed, the same amount in each of two"
                                        + " intervals. The largest part is %s.",
                                left / capacity * 100,
                                new Bytes(Math.round(perS / qps)),
                                PlaceText.named(where)),
                        List.of(
                                line(
                                        Figure.LIVE_STEADY_GROWTH,
                                        say(
                                                "classes that grew steadily grew by %s/s",
                                                new Bytes(Math.round(perS))),
                                        perS,
                                        STEADY_PER_REQUEST_BYTES * qps),
                                line(
                                        Figure.AFTER_FULL,
                                        say(
                                                "full collections leave %.0f %% of the old"
                                                        + " generation in use",
                                                left / capacity * 100),
                                        left / capacity,
                                        MIN_LEFT))));
    }

    /// Returns a leak so fast that the heap was full before growth could be counted. Throughput
    /// fell to a fraction of the best, and the requests in flight cannot hold the data that fills
    /// the old generation. A live set that was large from the start would not make throughput fall.
    private static Optional<Finding> filledUp(Evidence evidence) {
        Round best = evidence.plateau();
        Round worst =
                evidence.rounds().stream()
                        .min(Comparator.comparingDouble(Round::qps))
                        .orElseThrow();
        Optional<GcActivity> gc = worst.gc();
        double used = gc.flatMap(GcActivity::oldUsedBytes).orElse(0.0);
        double capacity = gc.flatMap(GcActivity::oldCapacityBytes).orElse(0.0);
        return used >= FULL * capacity && worst.concurrency() > best.concurrency()
                ? collapsed(best, worst.concurrency(), worst.qps(), used, capacity)
                : Optional.empty();
    }

    /// Returns a leak that filled the heap only after the rounds. The old generation was nearly
    /// full at the end of the last rounds, but not at the end of others. The diagnostic window has
    /// the same or a higher load. In it the collector works much of the time, and throughput is a
    /// fraction of that of the rounds.
    private static Optional<Finding> filledUpAfter(Evidence evidence) {
        if (evidence.saturated().isEmpty()) {
            return Optional.empty();
        }
        ThreadSamples after = evidence.saturated().get();
        Round best = evidence.plateau();
        List<GcActivity> ends =
                evidence.rounds().stream()
                        .flatMap(r -> r.gc().stream())
                        .filter(g -> g.oldUsedBytes().isPresent())
                        .sorted(Comparator.comparingDouble(g -> g.oldUsedBytes().orElseThrow()))
                        .toList();
        if (ends.size() < 2) {
            return Optional.empty();
        }
        double used = ends.getLast().oldUsedBytes().orElseThrow();
        double min = ends.getFirst().oldUsedBytes().orElseThrow();
        double capacity = ends.getLast().oldCapacityBytes().orElse(0.0);
        return used >= NEARLY_FULL * capacity
                        && min <= ROSE_FROM * used
                        && after.concurrency() >= best.concurrency()
                        && evidence.gcCost() >= GcCost.FIRST_FROM
                ? collapsed(best, after.concurrency(), after.qps(), used, capacity)
                : Optional.empty();
    }

    /// Returns a leak if throughput fell to a fraction of the best, and the requests in flight
    /// cannot hold the data that fills the old generation.
    private static Optional<Finding> collapsed(
            Round best, int concurrency, double qps, double used, double capacity) {
        double perRequest = best.gc().flatMap(GcActivity::requestBytes).orElse(0.0);
        double inFlight = perRequest * concurrency;
        return capacity <= 0
                        || perRequest <= 0
                        || qps > COLLAPSED * best.qps()
                        || inFlight > MAX_HELD_BY_REQUESTS * capacity
                ? Optional.empty()
                : Optional.of(full(used, capacity, inFlight, best.qps(), qps));
    }

    private static Finding full(
            double used, double capacity, double inFlight, double bestQps, double worstQps) {
        return new Finding.Limits(
                "",
                FILLED_UP,
                say(
                        "Memory leaks: the old generation is full (%s), though the requests in"
                                + " flight can hold only %s of it, and throughput fell from %.0f/s"
                                + " to %.1f/s meanwhile.",
                        new Bytes(Math.round(used)),
                        new Bytes(Math.round(inFlight)),
                        bestQps,
                        worstQps),
                List.of(
                        line(
                                Figure.OLD_USED,
                                say("%.0f %% of the old generation used", used / capacity * 100),
                                used / capacity,
                                FULL),
                        line(
                                Figure.THROUGHPUT_LEFT,
                                say("throughput × %.3f since", worstQps / bestQps),
                                worstQps / bestQps,
                                COLLAPSED),
                        line(
                                Figure.IN_FLIGHT_SHARE,
                                say(
                                        "requests in flight hold %.1f %% of it at most",
                                        inFlight / capacity * 100),
                                inFlight / capacity,
                                MAX_HELD_BY_REQUESTS)));
    }

    /// Returns why another rule of the collector must not rule a leak out; empty if there is no
    /// suspicion of a leak.
    ///
    /// @param leak the finding of this rule
    static Optional<String> suspected(Finding leak) {
        return leak instanceof Finding.Cleared c && c.suspicion() >= SUSPECTED
                ? Optional.of("gc-leak is not ruled out: " + c.whyNot())
                : Optional.empty();
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        return GcRecommendations.leak(s);
    }

    @Override
    public void challenge(Experiments experiments) {
        experiments.not("a leak shows by time, not by a resource that can be changed");
    }
}
