package dev.jdyno.measure.thread;

import java.util.Collection;

/// Time of a request in a wait at one load ÷ that at a lower load.
///
/// @param ratio above 1 if the wait takes longer at the higher load
/// @param error two standard errors that the ratio of two equal times has; 0 if unknown, and then
///   the ratio alone decides
public record WaitGrowth(double ratio, double error) {
    /// Growth from which requests queue where they wait. The breakdown of two windows of one load
    /// differs by less.
    public static final double QUEUES_FROM = 1.3;

    /// Number of standard errors within which two times are equal.
    private static final double SIGMAS = 2;

    /// The growth as two windows count it.
    ///
    /// @param ratio of the times, as measured
    /// @param waits the causes of the wait
    public static WaitGrowth counted(
            double ratio, ThreadSamples low, ThreadSamples high, Collection<Cause> waits) {
        return new WaitGrowth(
                ratio, SIGMAS * Math.sqrt(variance(low, waits) + variance(high, waits)));
    }

    /// Returns the square of the standard error of a mean number of threads, as a share. The number
    /// is taken as Poisson: requests of one load are not independent, and vary more than a binomial
    /// number.
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
