package dev.jdyno.diagnose.cpu;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.JdkRelease;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.KnownChange;

/// Recommendations that give compilers a core under a load that leaves them none: the load starts
/// later, or fewer requests run at once. The scheduler divides CPU among threads, so each runnable
/// request thread gets as much CPU as a compiler thread.
final class StarvedCompilers {
    private static final Gain UNKNOWN =
            Gain.unknown("the speed-up from compiling the queued methods is unknown");

    private StarvedCompilers() {}

    static RecommendationList recommendations(Situation s, RecommendationList to) {
        double queued = s.evidence().sign(Sign.COMPILE_QUEUE).orElse(0.0);
        to.byHand(
                KnownChange.WARM_UP_FIRST,
                say(
                        "Warm the service up before it takes traffic: %.0f methods wait to be"
                                + " compiled",
                        queued),
                "send it the usual requests, a few at a time and with pauses of some seconds, before the"
                        + " load balancer does; `jdyno warm PLAN` measures what that shortens",
                UNKNOWN);
        to.byHand(
                KnownChange.FEWER_THREADS_WHILE_WARMING,
                "Let fewer requests run at once until the service is warm: each runnable thread"
                        + " takes as much CPU as a compiler thread",
                "slow start of the load balancer, or a small thread pool that grows later",
                UNKNOWN);
        boolean virtual =
                s.target()
                        .jdkVersion()
                        .flatMap(JdkRelease::of)
                        .filter(r -> r >= JdkRelease.VIRTUAL_THREADS)
                        .isPresent();
        if (virtual) {
            to.byHand(
                    KnownChange.VIRTUAL_THREADS_WHILE_WARMING,
                    "Run requests on virtual threads: only as many of them as there are cores compete with"
                            + " the compilers",
                    "spring.threads.virtual.enabled=true, quarkus @RunOnVirtualThread,"
                            + " Executors.newVirtualThreadPerTaskExecutor()",
                    UNKNOWN);
        }
        return to;
    }
}
