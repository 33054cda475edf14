package dev.jdyno.diagnose.breakdown;

import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place.Activity;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;

/// Threads that wait for a concurrent collector to free memory.
public final class Stalls {
    /// Minimum number of cores used by collector threads at which the collector works nearly all
    /// the time. By default it may use a quarter of the cores, and at least one.
    static final double AT_WORK = 0.3;

    /// Shenandoah's cause for cycles that began early enough.
    public static final String SHENANDOAH_IN_TIME = "Concurrent GC";

    private Stalls() {}

    /// Returns the mean number of threads that wait for memory. ZGC counts them. Shenandoah delays
    /// and stops threads without reporting it. For Shenandoah, the result is the number of threads
    /// in Java code that neither ran nor waited for a core while the collector worked.
    public static double threads(GcActivity gc, ThreadSamples threadSamples) {
        double counted = gc.stalledThreads().orElse(0.0);
        boolean isAtWork =
                gc.causeShare(SHENANDOAH_IN_TIME) > 0
                        && threadSamples
                                .signals()
                                .of(Sign.GC_CORES)
                                .filter(c -> c >= AT_WORK)
                                .isPresent();
        return isAtWork ? Math.max(counted, heldByTheJvm(threadSamples)) : counted;
    }

    private static double heldByTheJvm(ThreadSamples threadSamples) {
        return threadSamples.busy().stream()
                .filter(b -> b.cause() == Cause.OTHER && b.place().is(Activity.IN_JVM))
                .mapToDouble(ThreadSamples.Busy::threads)
                .sum();
    }
}
