package dev.jdyno.diagnose.gc;

import static dev.jdyno.diagnose.evidence.Lines.confidence;
import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Experiments;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.GcCost;
import dev.jdyno.diagnose.evidence.Limits;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Rule;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcAdvices;
import dev.jdyno.measure.gc.GcLimits;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadCounts;
import dev.jdyno.measure.thread.ThreadCounts.Stops;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.KnownChange;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The JVM stops for another reason than its collector: thread dumps of a monitor, heap inspection,
/// deoptimisation, or threads that are slow to reach a safepoint. Stops by jdyno's own dumps are
/// subtracted.
public final class SafepointRule implements Rule {
    /// Minimum number of safepoints per second other than collections. Fewer are single events.
    static final double PER_SECOND_LIMIT = 1;

    /// Minimum number of stops in the rounds. Fewer are single events.
    static final double STOPS_LIMIT = 3;

    /// Maximum number of stops per second that the JVM itself may cause. Up to JDK 20 the JVM stops
    /// once a second, and sometimes when tables of its compiled code are full. The work of such a
    /// stop takes microseconds. If the stop is longer, its thread waited for a core.
    static final double OF_THE_JVM_PER_S = 2;

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.SAFEPOINT;
    }

    @Override
    public Set<Bottleneck> bringsAbout() {
        return EnumSet.of(
                Bottleneck.CPU,
                Bottleneck.LOCK,
                Bottleneck.ACCEPT_QUEUE,
                Bottleneck.GC_ALLOCATION,
                Bottleneck.GC_PROMOTION,
                Bottleneck.GC_LIVE_SET);
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Optional<Double> stopped = evidence.sign(Sign.SAFEPOINT_SHARE);
        Optional<Stopped> rounds = inRounds(evidence);
        if (stopped.isEmpty() && rounds.isEmpty()) {
            return new Finding.NotApplicable("the target's safepoints were not measured");
        }
        double sync = evidence.sign(Sign.SAFEPOINT_SYNC_SHARE).orElse(0.0);
        double perSecond = evidence.sign(Sign.SAFEPOINTS_PER_S).orElse(0.0);
        double collections = evidence.plateau().collectionsPerS();
        var window = new Stopped(stopped.orElse(0.0), sync, perSecond, perSecond + collections);
        double share = window.share();
        double gc = evidence.worstPauseShare();
        double inspected = inspected(evidence);
        if (inspected >= GcLimits.ASKED_SHARE && gc + share >= GcCost.PAUSE_SHARE_LIMIT) {
            return inspection(gc, share, inspected);
        }
        double own = evidence.sign(Sign.OWN_PAUSE_SHARE).orElse(0.0);
        double turnMs = turnMs(evidence);
        double felt = window.withoutTurns(turnMs).share();
        double atMost = maxStoppedShare(evidence);
        if (felt >= GcCost.PAUSE_SHARE_LIMIT && atMost < GcCost.PAUSE_SHARE_LIMIT) {
            return new Finding.Cleared(
                    Math.min(0.3, atMost),
                    say(
                            "the JVM counts stops for %.0f %% of the time, but its threads used all"
                                    + " but %.0f %% of the cores left to them, and a stopped thread"
                                    + " uses none",
                            share * 100, atMost * 100));
        }
        if (felt >= GcCost.PAUSE_SHARE_LIMIT
                && window.countedPerSecond() >= PER_SECOND_LIMIT
                && gc <= share) {
            return limits(window, own, evidence);
        }
        if (rounds.isPresent() && isFelt(rounds.get(), evidence, gc, turnMs)) {
            return limits(rounds.get(), own, evidence);
        }
        return new Finding.Cleared(
                Math.min(0.3, share),
                say(
                        "stopped %.1f %% of the time, other than for collections, %.1f times a"
                                + " second%s",
                        share * 100,
                        perSecond,
                        felt < share
                                ? "; without the stops, threads would wait for a core instead"
                                : ""));
    }

    /// @param stopped share of the time in stops other than collections
    /// @param sync share of the time until all threads have stopped, including collections
    /// @param perSecond number of stops per second other than collections
    /// @param allPerSecond number of stops per second, including collections
    private record Stopped(double stopped, double sync, double perSecond, double allPerSecond) {
        double share() {
            return Math.min(1, stopped + sync);
        }

        /// True if most of the time passes until all threads have stopped.
        boolean isOnTheWay() {
            return sync > stopped;
        }

        /// Returns the number of stops that count. A late thread delays collections as well as
        /// other stops, so collections count if most of the time is lost in this way.
        double countedPerSecond() {
            return isOnTheWay() ? allPerSecond : perSecond;
        }

        /// Returns the stops without the time that a wait for a core explains. It may explain the
        /// time until all threads have stopped, and the stops that the JVM itself causes.
        ///
        /// @param turnMs time for which a thread of the JVM may wait for a core, in ms
        Stopped withoutTurns(double turnMs) {
            boolean byTheJvm = perSecond < OF_THE_JVM_PER_S && stopped < turnMs / 1000 * perSecond;
            return new Stopped(
                    byTheJvm ? 0 : stopped, syncMs() < turnMs ? 0 : sync, perSecond, allPerSecond);
        }

        private double syncMs() {
            return new Stops(stopped, sync, allPerSecond).syncMs();
        }
    }

    /// Returns the time for which a thread may wait for a core before it stops or ends a stop, in
    /// ms; 0 if cores are not short.
    private static double turnMs(Evidence evidence) {
        return evidence.cpuIsShort()
                ? Stops.runsOnMs(evidence.fullestRound().flatMap(Round::waitingPerCore).orElse(0.0))
                : 0;
    }

    /// Returns the same time for one round. It is more than 0 if more threads than cores waited for
    /// a core.
    ///
    /// @param cpuIsShort true if CPU is short at saturation; other processes may use the cores in
    ///   one round only
    private static double turnMs(Round round, boolean cpuIsShort) {
        boolean held =
                round.cpu().filter(c -> c.heldByOthers() >= Limits.HELD_BY_OTHERS).isPresent();
        return round.waitingPerCore()
                .filter(waiting -> waiting > 1 && (cpuIsShort || held))
                .map(Stops::runsOnMs)
                .orElse(0.0);
    }

    /// @param turnMs time for which a thread may wait for a core, which also delays its stop, in ms
    private static boolean isFelt(Stopped seen, Evidence evidence, double gc, double turnMs) {
        return seen.share() >= GcCost.PAUSE_SHARE_LIMIT
                && seen.countedPerSecond() * secondsSeen(evidence) >= STOPS_LIMIT
                && gc <= seen.share()
                && seen.syncMs() >= turnMs;
    }

    private static double secondsSeen(Evidence evidence) {
        return evidence.rounds().stream()
                .filter(r -> r.threads().flatMap(ThreadCounts::stops).isPresent())
                .mapToDouble(Round::seconds)
                .sum();
    }

    /// Returns the mean over all rounds, because jdyno takes no dumps in rounds. In the diagnostic
    /// windows, dumps that wait long for the last thread follow each other closely, which leaves no
    /// time for other stops. The time that a round's run queue explains is subtracted.
    private static Optional<Stopped> inRounds(Evidence evidence) {
        double stopped = 0;
        double sync = 0;
        double all = 0;
        double events = 0;
        double seconds = 0;
        boolean cpuIsShort = evidence.cpuIsShort();
        for (Round round : evidence.rounds()) {
            Optional<Stops> counted = round.threads().flatMap(ThreadCounts::stops);
            if (counted.isPresent()) {
                Stopped seen = of(round, counted.get()).withoutTurns(turnMs(round, cpuIsShort));
                stopped += seen.stopped() * round.seconds();
                sync += seen.sync() * round.seconds();
                all += seen.allPerSecond() * round.seconds();
                events += seen.perSecond() * round.seconds();
                seconds += round.seconds();
            }
        }
        return seconds <= 0
                ? Optional.empty()
                : Optional.of(
                        new Stopped(
                                stopped / seconds,
                                // a stop that began in the round before is counted in the round in
                                // which it ends
                                Math.min(1, sync / seconds),
                                events / seconds,
                                all / seconds));
    }

    private static Stopped of(Round round, Stops counted) {
        return new Stopped(
                counted.share(),
                counted.syncShare(),
                Math.max(0, counted.perS() - round.collectionsPerS()),
                counted.perS());
    }

    /// Returns the share of the rounds' time in stops other than collections; 0 if it was not
    /// measured.
    public static double stoppedInRounds(Evidence evidence) {
        return inRounds(evidence).map(Stopped::stopped).orElse(0.0);
    }

    /// Returns the confidence for this share. If the share is small, the confidence is lower than
    /// that of other findings.
    private static double sure(double share) {
        return share < GcCost.FIRST_FROM
                ? confidence(share, GcCost.PAUSE_SHARE_LIMIT, GcCost.FIRST_FROM, 0.50, 0.80)
                : confidence(share, GcCost.FIRST_FROM, 0.4, 0.80, 0.96);
    }

    private static Finding limits(Stopped seen, double own, Evidence evidence) {
        boolean onTheWay = seen.isOnTheWay();
        Optional<String> late = onTheWay ? LateThread.method(evidence) : Optional.empty();
        double share = seen.share();
        return new Finding.Limits(
                onTheWay ? LateThread.where(late) : "stops",
                sure(share),
                onTheWay
                        ? LateThread.says(seen.sync(), seen.stopped(), seen.allPerSecond(), late)
                        : Sentence.format(
                                "The JVM stops for safepoints other than collections: %.1f times"
                                        + " a second%s. It is stopped %.0f %% of the time, and"
                                        + " %.0f %% of the time it waits for threads to stop. %s",
                                seen.perSecond(),
                                seen.perSecond() > 0
                                        ? say(
                                                " for %.0f ms each",
                                                seen.stopped() / seen.perSecond() * 1000)
                                        : "",
                                seen.stopped() * 100,
                                seen.sync() * 100,
                                StopMaker.in(evidence.insight())
                                        .map(StopMaker::says)
                                        .orElse(
                                                Sentence.of(
                                                        "Look for the process that dumps threads or"
                                                                + " inspects the heap in a loop."))),
                List.of(
                        line(
                                Figure.SAFEPOINT_STOPPED,
                                say("stopped %.0f %% of the time", seen.stopped() * 100),
                                seen.stopped(),
                                GcCost.PAUSE_SHARE_LIMIT),
                        line(
                                Figure.SAFEPOINT_SYNC,
                                say(
                                        "%.0f %% of the time until all threads had stopped,"
                                                + " collections included",
                                        seen.sync() * 100),
                                seen.sync(),
                                GcCost.PAUSE_SHARE_LIMIT),
                        line(
                                Figure.SAFEPOINTS,
                                onTheWay
                                        ? say(
                                                "%.1f safepoints/s, collections included",
                                                seen.allPerSecond())
                                        : say(
                                                "%.1f safepoints/s that were no collections",
                                                seen.perSecond()),
                                seen.countedPerSecond(),
                                PER_SECOND_LIMIT),
                        line(
                                Figure.OWN_DUMPS,
                                say(
                                        "jdyno's own dumps, not counted here: %.1f %% of the"
                                                + " diagnostic window",
                                        own * 100),
                                own,
                                0)));
    }

    /// Returns the share of the collections that were requested by a count or a dump of the heap.
    private static double inspected(Evidence evidence) {
        return evidence.worstGc().gc().map(gc -> gc.facts().causes().inspected()).orElse(0.0);
    }

    private static Finding inspection(double gc, double share, double inspected) {
        return new Finding.Limits(
                "heap inspection",
                sure(gc + share),
                say(
                        "A tool inspects the heap: %.0f %% of the collections were made for that."
                                + " These collections and the counting stop the service %.0f %%"
                                + " of the time. Look for the process that asks for class"
                                + " histograms or heap dumps in a loop.",
                        inspected * 100, (gc + share) * 100),
                List.of(
                        line(
                                Figure.GC_INSPECTIONS,
                                say(
                                        "%.0f %% of the collections are for heap inspections",
                                        inspected * 100),
                                inspected,
                                GcLimits.ASKED_SHARE),
                        line(
                                Figure.SAFEPOINT_STOPPED,
                                say(
                                        "stopped %.0f %% of the time, of that %.0f %% in collections",
                                        (gc + share) * 100, gc * 100),
                                gc + share,
                                GcCost.PAUSE_SHARE_LIMIT)));
    }

    /// The recommendations against long stops.
    @Override
    public RecommendationList recommendations(Situation s) {
        double stopped = s.figure(Figure.SAFEPOINT_STOPPED).orElse(0.0);
        double sync = s.figure(Figure.SAFEPOINT_SYNC).orElse(0.0);
        Gain gain =
                Gain.without(
                        stopped + sync,
                        say("the JVM is stopped %.0f %% of the time", (stopped + sync) * 100));
        var list = new RecommendationList();
        if (s.figure(Figure.GC_INSPECTIONS).isPresent()) {
            return GcRecommendations.add(s, list, GcAdvices.inspectLess(), gain);
        }
        return sync > stopped
                ? LateThread.recommendations(s, gain, list)
                : list.byHand(
                        KnownChange.STOPS_FEWER,
                        StopMaker.in(s.insight())
                                .map(m ->
                                        Sentence.format(
                                                "Request less, or less often, in %s",
                                                Sentence.name(m.caller())))
                                .orElse(
                                        Sentence.of(
                                                "Stop the process that dumps threads or inspects"
                                                        + " the JVM in a loop")),
                        "-Xlog:safepoint names the operation of each stop",
                        gain);
    }

    /// Returns the maximum share of the time in which all threads can have been stopped, computed
    /// from the cores in use, because a stopped thread uses none. The limit is needed because the
    /// JVM's counter may be too high: a stop is counted until its thread has released all others.
    /// If cores are short, that thread waits for a core behind the released threads. Threads in
    /// native code continue to run during a stop, so a stop does not delay them.
    private static double maxStoppedShare(Evidence evidence) {
        double left = evidence.cpu().map(CpuUse::leftCores).orElse(Double.POSITIVE_INFINITY);
        double used =
                evidence.saturated().stream()
                        .flatMap(c -> c.pools().stream())
                        .filter(p -> !p.name().contains("CompilerThread"))
                        .mapToDouble(ThreadSamples.Pool::cores)
                        .sum();
        return left <= 0 ? 1 : Math.clamp(1 - used / left, 0, 1);
    }

    @Override
    public void challenge(Experiments experiments) {
        experiments.not("what asks for the safepoints is not known from outside");
    }
}
