package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.Insight.Pinned;
import dev.jdyno.measure.Insight.Pinned.By;
import dev.jdyno.measure.JdkRelease;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.KnownChange;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Recommendations for waiting virtual threads that block their carriers. They depend on the reason
/// why the threads are pinned.
public final class PinningRecommendations {
    private PinningRecommendations() {}

    public static RecommendationList pinning(Situation s) {
        List<Pinned> pins = VirtualThreadPinningRule.pins(s.evidence());
        Set<By> by = by(s, pins);
        double carriers = s.target().cores();
        var recommendations = new RecommendationList();
        if (by.contains(By.MONITOR)) {
            recommendations.byHand(
                    KnownChange.PIN_LOCK,
                    Sentence.format(
                            "Use ReentrantLock where a virtual thread waits inside synchronized%s, or"
                                    + " run on JDK 24 or later (JEP 491)",
                            at(pins, By.MONITOR)),
                    how(pins),
                    s.turns(Double.POSITIVE_INFINITY));
        }
        if (by.contains(By.NATIVE_FRAME)) {
            recommendations.byHand(
                    KnownChange.PIN_NATIVE,
                    Sentence.format(
                            "Do not wait beneath native code on a virtual thread%s: use a"
                                    + " platform thread for it; every JDK has this limit",
                            at(pins, By.NATIVE_FRAME)),
                    how(pins),
                    s.turns(Double.POSITIVE_INFINITY));
        }
        if (by.contains(By.CLASS_INITIALISER)) {
            recommendations.byHand(
                    KnownChange.PIN_INIT,
                    Sentence.format(
                            "Do not wait in a class initializer%s: initialize the class at start-up, on"
                                    + " a platform thread (Class.forName)",
                            at(pins, By.CLASS_INITIALISER)),
                    how(pins),
                    s.turns(Double.POSITIVE_INFINITY));
        }
        return recommendations.setting(
                KnownChange.CARRIERS_DOUBLE,
                say("Run twice as many carrier threads: %.0f", 2 * carriers),
                "each pinned thread keeps a carrier; this only buys time",
                s.turns(2),
                new Change.SystemProperty(
                        "jdk.virtualThreadScheduler.parallelism", say("%.0f", 2 * carriers)));
    }

    /// Returns the reasons that cause a large part of the pinned time. Without a recording, it
    /// returns the likely reasons on that JDK.
    private static Set<By> by(Situation s, List<Pinned> pins) {
        double all = pins.stream().mapToDouble(Pinned::threads).sum();
        Set<By> by = EnumSet.noneOf(By.class);
        for (By one : By.values()) {
            double threads =
                    pins.stream().filter(p -> p.by() == one).mapToDouble(Pinned::threads).sum();
            if (threads > 0 && threads >= VirtualThreadPinningRule.WORTH_NAMING * all) {
                by.add(one);
            }
        }
        boolean monitorsPin =
                s.target()
                        .jdkVersion()
                        .flatMap(JdkRelease::of)
                        .filter(r -> r < JdkRelease.MONITORS_PIN_NO_CARRIER)
                        .isPresent();
        if (by.isEmpty() || by.contains(By.UNKNOWN)) {
            by.add(monitorsPin ? By.MONITOR : By.NATIVE_FRAME);
        }
        return by;
    }

    private static Sentence at(List<Pinned> pins, By by) {
        Optional<Pinned> mostFrequent = pins.stream().filter(p -> p.by() == by).findFirst();
        return mostFrequent
                .map(p -> Sentence.format(" (%s)", PlaceText.named(p.site())))
                .orElse(Sentence.of(""));
    }

    private static String how(List<Pinned> pins) {
        return pins.isEmpty()
                ? "`jfr print --events jdk.VirtualThreadPinned` of this run's recording names the frames"
                : "the pinned lines of the evidence name places and reasons; `jfr print --events"
                        + " jdk.VirtualThreadPinned` of this run's recording has the whole stacks";
    }
}
