package dev.jdyno.diagnose.cpu;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.KnownChange;
import java.util.EnumSet;
import java.util.OptionalInt;
import java.util.Set;

/// A JVM that is configured for fewer processors than it may use. For example, a script for a
/// smaller machine sets `-XX:ActiveProcessorCount=1`. Event loops, the common pool, the collector
/// and the compilers then have too few threads, while cores are idle.
public final class FewProcessors {
    /// Bottlenecks of threads that a JVM or a framework creates by the number of processors.
    private static final Set<Bottleneck> BY_PROCESSORS =
            EnumSet.of(
                    Bottleneck.EVENT_LOOP,
                    Bottleneck.POOL_STARVATION,
                    Bottleneck.GC_ALLOCATION,
                    Bottleneck.GC_PROMOTION,
                    Bottleneck.GC_LIVE_SET,
                    Bottleneck.GC_STALL,
                    Bottleneck.JIT);

    /// Maximum number of threads per processor of a pool whose size follows from the processors. A
    /// server's pool for requests has far more.
    private static final int EACH = 2;

    private FewProcessors() {}

    /// Recommends the number of processors that the JVM may use, if its threads limit the service.
    public static RecommendationList of(Situation s) {
        var recommendations = new RecommendationList();
        int cores = (int) Math.floor(s.target().cores());
        OptionalInt believed = QuotaThreads.processors(s);
        if (believed.isPresent() && believed.getAsInt() < cores && limits(s, believed.getAsInt())) {
            recommendations.setting(
                    KnownChange.PROCESSORS_MORE,
                    say(
                            "Let the JVM make threads for %d processors, not for %d: it may use %.3g"
                                    + " cores",
                            cores, believed.getAsInt(), s.target().cores()),
                    "collector, compilers, common pool and frameworks size their pools by it; without"
                            + " the flag, the JVM counts the cores itself",
                    Gain.unknown(
                            "how much these threads would do at the same time was not measured"),
                    new Change.JvmFlag(QuotaThreads.PROCESSORS, say("%d", cores)));
        }
        return recommendations;
    }

    private static boolean limits(Situation s, int processors) {
        Bottleneck name = s.verdict().bottleneck();
        if (name == Bottleneck.THREAD_POOL) {
            return s.evidence().saturated().stream()
                    .flatMap(c -> c.pools().stream())
                    .filter(p -> p.name().equals(s.verdict().where()))
                    .anyMatch(p -> p.size() <= EACH * processors);
        }
        // if loops wait for something, the wait must become shorter, and more loops do not help
        boolean waits = s.figure(Figure.LOOP_WAITING).isPresent();
        return BY_PROCESSORS.contains(name) && !waits;
    }
}
