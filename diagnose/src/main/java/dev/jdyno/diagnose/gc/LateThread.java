package dev.jdyno.diagnose.gc;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.gc.GcAdvices;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.KnownChange;
import java.util.Optional;

/// A thread that reaches a safepoint late while all others wait. It is in a counted loop without a
/// safepoint poll, or in one call that copies or fills much memory.
final class LateThread {
    private LateThread() {}

    /// Returns the method in which the late thread stopped.
    static Optional<String> method(Evidence evidence) {
        return evidence.place(Sign.SAFEPOINT_SYNC_SHARE);
    }

    static String where(Optional<String> method) {
        return method.map(m -> "time to safepoint: " + m).orElse("time to safepoint");
    }

    /// @param sync share of the time until the last thread has stopped
    /// @param stopped share of the time in stops other than collections
    /// @param perSecond number of stops per second, including collections
    static Sentence says(double sync, double stopped, double perSecond, Optional<String> method) {
        return Sentence.format(
                "All threads wait for one thread that is slow to stop: %.0f %% of the time, %.1f"
                        + " times a second%s, collections included. Stops other than collections"
                        + " then take %.0f %% of the time. %s",
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

    /// Recommends the edit of the method, if known, the flag that lets loops stop, and the flag
    /// that names the thread.
    static RecommendationList recommendations(Situation s, Gain gain, RecommendationList list) {
        method(s.evidence())
                .ifPresent(m ->
                        list.byHand(
                                KnownChange.STOP_IN_PIECES,
                                Sentence.format(
                                        "Do the work of %s in pieces, between which its thread"
                                                + " can stop",
                                        Sentence.name(m)),
                                "copy or fill 1 MB in a call, or run 10,000 steps of the loop in a"
                                        + " method of its own that is called in a loop over a long"
                                        + " index: the thread can stop between two calls",
                                gain));
        GcAdvices.loopPolls(GcRecommendations.setting(s))
                .ifPresent(polls -> GcRecommendations.add(s, list, polls, gain));
        return method(s.evidence()).isPresent()
                ? list
                : GcRecommendations.add(s, list, GcAdvices.nameLateThread(waitedMs(s)), gain);
    }

    /// Returns the mean time until all threads have stopped, in ms.
    private static double waitedMs(Situation s) {
        double perSecond = s.figure(Figure.SAFEPOINTS).orElse(0.0);
        return perSecond <= 0
                ? Double.POSITIVE_INFINITY
                : s.figure(Figure.SAFEPOINT_SYNC).orElse(0.0) / perSecond * 1000;
    }
}
