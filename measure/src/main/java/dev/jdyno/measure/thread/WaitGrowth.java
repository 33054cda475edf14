package dev.jdyno.measure.thread;

import java.util.Collection;

/// Growth of a wait: its time per request at one load ÷ that at a lower load.
///
/// @param ratio above 1 if the wait takes longer at the higher load
/// @param error two standard errors of the ratio, as if the two times were equal; 0 if unknown, so
///   that the ratio alone decides
public record WaitGrowth(double ratio, double error) {
    /// Minimum growth of a wait for requests to queue there. Breakdowns of two windows at the same
    /// load differ by less.
    public static final double QUEUES_FROM = 1.3;

    /// Number of standard errors up to which two times count as equal.
    private static final double SIGMAS = 2;

    /// The growth with its error, from the number of threads that two windows found waiting.
    ///
    /// @param ratio measured ratio of the times
    /// @param waits the causes of the wait
    public static WaitGrowth counted(
            double ratio, ThreadSamples low, ThreadSamples high, Collection<Cause> waits) {
        return new WaitGrowth(
                ratio, SIGMAS * Math.sqrt(variance(low, waits) + variance(high, waits)));
    }

    /// Returns the square of the standard error of a mean number of threads, as a share. The number
    /// of threads is assumed to have a Poisson distribution. Requests at one load are not
    /// independent, so their number varies more than a binomial one.
    private static double variance(ThreadSamples window, Collection<Cause> waits) {
        double threads = waits.stream().mapToDouble(window::threads).sum();
        return 1 / Math.max(1, threads * window.dumps());
    }

    /// True if the difference of the two times is within its error.
    public boolean isWithinError() {
        return Math.abs(ratio - 1) <= error;
    }

    /// True if the wait takes so much longer that requests queue there.
    public boolean queues() {
        return ratio >= QUEUES_FROM && !isWithinError();
    }
}
