package dev.jdyno.diagnose.gc;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.KnownChange;
import dev.jdyno.measure.verdict.WrittenChange;
import java.util.List;
import java.util.Optional;

/// A thread that is slow to stop while all others wait: in a counted loop that the compiler left
/// without a poll, or in one call that copies or fills much memory.
final class LateThread {
    /// As the counted loops of a JVM were left without polls by hand.
    private static final String LOOPS_WITHOUT_POLLS = "-XX:-UseCountedLoopSafepoints";

    private static final String POLLS = "-XX:+UseCountedLoopSafepoints";

    private LateThread() {}

    /// The method in which that thread was found when it had stopped.
    static Optional<String> method(Evidence evidence) {
        return evidence.place(Sign.SAFEPOINT_SYNC_SHARE);
    }

    static String where(Optional<String> method) {
        return method.map(m -> "time to safepoint: " + m).orElse("time to safepoint");
    }

    /// @param sync share of the time until the last thread had stopped
    /// @param stopped share of the time in stops that are no collections
    /// @param perSecond stops, collections included
    static Sentence says(double sync, double stopped, double perSecond, Optional<String> method) {
        return Sentence.format(
                "All threads wait for one that is slow to stop: %.0f %% of the time, %.1f times a"
                        + " second%s, collections included; they then stand still for other reasons"
                        + " %.0f %% of the time. %s",
                sync * 100,
                perSecond,
                perSecond > 0 ? say(" for %.0f ms", sync / perSecond * 1000) : "",
                stopped * 100,
                method.map(m ->
                                Sentence.format(
                                        "The last thread to stop was found in %s: look there for a"
                                                + " long counted loop, or for one call that copies or"
                                                + " fills much memory.",
                                        Sentence.name(m)))
                        .orElse(
                                Sentence.of(
                                        "Look for a long counted loop or copy; -XX:+SafepointTimeout"
                                                + " names the thread.")));
    }

    /// The edit of the method, where it is known, the flag that lets loops stop, and the one that
    /// names the thread.
    static RecommendationList recommendations(Situation s, Gain gain, RecommendationList list) {
        method(s.evidence())
                .ifPresent(m ->
                        list.byHand(
                                KnownChange.STOP_IN_PIECES,
                                Sentence.format(
                                        "Do the work of %s in pieces, between which it can stop",
                                        Sentence.name(m)),
                                "copy or fill 1 MB in a call, or run 10,000 steps of the loop in a"
                                        + " method of its own that is called in a loop over a long"
                                        + " index: the thread can stop between two calls",
                                gain));
        if (s.hasFlag(LOOPS_WITHOUT_POLLS)) {
            list.setting(
                    KnownChange.LOOP_POLLS,
                    "Let counted loops stop in the middle",
                    new WrittenChange.Words("remove " + LOOPS_WITHOUT_POLLS),
                    "the flag leaves counted loops without polls; it helps if the thread is in a"
                            + " loop, not in a copy",
                    gain,
                    new Change.WithoutJvmFlag(LOOPS_WITHOUT_POLLS));
        } else if (!s.hasFlag(POLLS) && (s.collectorIs("serial") || s.collectorIs("parallel"))) {
            list.setting(
                    KnownChange.LOOP_POLLS,
                    "Let counted loops stop in the middle",
                    "the default with G1, ZGC and Shenandoah, not with this collector; it helps if"
                            + " the thread is in a loop, not in a copy",
                    gain,
                    new Change.JvmFlag(POLLS));
        }
        return method(s.evidence()).isPresent()
                ? list
                : list.byHand(
                        KnownChange.LATE_THREAD,
                        "Let the JVM name the thread that is slow to stop",
                        new WrittenChange.AsValues(),
                        "the JVM then prints the threads that have not stopped after 200 ms",
                        gain,
                        List.of(
                                new Change.JvmFlag("-XX:+SafepointTimeout"),
                                new Change.JvmFlag("-XX:SafepointTimeoutDelay", "200")));
    }
}
