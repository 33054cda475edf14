package dev.jdyno.diagnose.cpu;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.KnownChange;
import java.util.OptionalInt;

/// Threads that a JVM creates by its number of processors, if that number is larger than its CPU
/// quota. These threads run at the same time and quickly use up the CPU time of a period. The quota
/// then stops them until the next period, also during a collection, which stops the whole JVM.
final class QuotaThreads {
    private static final String COLLECTOR_THREADS = "-XX:ParallelGCThreads";
    static final String PROCESSORS = "-XX:ActiveProcessorCount";

    /// HotSpot creates one collector thread per processor up to this number, and five eighths of
    /// one for each further processor.
    private static final int ONE_EACH = 8;

    private QuotaThreads() {}

    static void recommendations(Situation s, RecommendationList recommendations) {
        double quota = s.target().cores();
        int whole = Math.max(1, (int) Math.floor(quota));
        int rounded = Math.max(1, (int) Math.ceil(quota));
        int processors = processors(s, rounded);
        if (processors > rounded) {
            recommendations.setting(
                    KnownChange.PROCESSORS_QUOTA,
                    say(
                            "Let the JVM make threads for %d processors, not for %d: its quota is %.3g"
                                    + " cores",
                            rounded, processors, quota),
                    "collector, compilers, common pool and frameworks size their pools by it",
                    Gain.unknown("how much of the throttled time is theirs was not measured"),
                    new Change.JvmFlag(PROCESSORS, say("%d", rounded)));
        }
        int threads = number(s, COLLECTOR_THREADS).orElse(collectorThreads(processors));
        if (!s.collectorIs("Serial") && threads > whole) {
            recommendations.setting(
                    KnownChange.GC_THREADS_QUOTA,
                    say(
                            "Let the collector stop the service with %d threads, not %d: its quota is"
                                    + " %.3g cores",
                            whole, threads, quota),
                    "the longest pauses must fall: with more threads the quota stops collections"
                            + " before they end",
                    Gain.unknown(
                            "how much of the throttled time is the collector's was not measured"),
                    new Change.JvmFlag(COLLECTOR_THREADS, say("%d", whole)));
        }
    }

    /// Returns the JVM's number of processors. A flag sets it; otherwise it is that of the machine
    /// if the JVM ignores its control group, or else the quota, rounded up.
    private static int processors(Situation s, int rounded) {
        return processors(s)
                .orElse(s.hasFlag("-XX:-UseContainerSupport") ? s.machineCores() : rounded);
    }

    /// Returns the number of processors that a flag sets; empty if there is no such flag.
    static OptionalInt processors(Situation s) {
        return number(s, PROCESSORS);
    }

    private static int collectorThreads(int processors) {
        return processors <= ONE_EACH
                ? processors
                : ONE_EACH + (processors - ONE_EACH) * 5 / ONE_EACH;
    }

    private static OptionalInt number(Situation s, String flag) {
        return s.target().flags().stream()
                .filter(f -> f.matches(flag + "=\\d{1,5}"))
                .mapToInt(f -> Integer.parseInt(f.substring(flag.length() + 1)))
                .reduce((_, later) -> later);
    }
}
