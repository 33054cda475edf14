package dev.jdyno.diagnose.cpu;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.KnownChange;
import java.util.OptionalInt;

/// Threads that a JVM makes by its number of processors, where that is more than its quota gives.
/// They run all at once, use up a period's CPU time, and the quota stops them until the next one:
/// in the middle of a collection as well, which stops the whole JVM.
final class QuotaThreads {
    private static final String COLLECTOR_THREADS = "-XX:ParallelGCThreads";
    private static final String PROCESSORS = "-XX:ActiveProcessorCount";

    /// HotSpot makes a thread of the collector for each processor up to here, and for each beyond
    /// five eighths of one.
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

    /// What the JVM takes to be there: as many as a flag says, those of the machine where it does
    /// not look at its control group, else the quota, rounded up.
    private static int processors(Situation s, int rounded) {
        return number(s, PROCESSORS)
                .orElse(s.hasFlag("-XX:-UseContainerSupport") ? s.machineCores() : rounded);
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
