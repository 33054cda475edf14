package dev.jdyno.measure.thread;

import java.util.Optional;

/// Threads of the target in one round.
///
/// @param live Java or native threads at the round's end
/// @param startedPerS started threads per second; empty if the JVM does not count them
/// @param runQueueThreads mean number of threads that waited for a core
/// @param stops stops of all threads; empty if the JVM does not count them
public record ThreadCounts(
        int live, Optional<Double> startedPerS, double runQueueThreads, Optional<Stops> stops) {

    /// Safepoints of one round in which jdyno took no thread dump.
    ///
    /// @param share share of the time in which all threads were stopped for other reasons than the
    ///   collector
    /// @param syncShare share of the time from the request of a safepoint, including those of
    ///   collections, until the last thread had stopped
    /// @param perS safepoints per second, including those of collections
    public record Stops(double share, double syncShare, double perS) {
        /// Minimum mean time from the request of a safepoint until the last thread had stopped, in
        /// ms. Above it, the last thread kept running; waiting for a core is not the only reason.
        /// With two cores and 28 runnable threads, a thread waits only about 40 ms for a core.
        private static final double RUNS_ON_MS = 100;

        /// Number of waiting threads per core in the measurement of {@link #RUNS_ON_MS}. With more
        /// of them, each waits longer for a core.
        private static final double WAITING_PER_CORE = 14;

        /// {@link #RUNS_ON_MS}, scaled to this number of threads that wait per core left to the
        /// target.
        public static double runsOnMs(double waitingPerCore) {
            return RUNS_ON_MS * Math.max(1, waitingPerCore / WAITING_PER_CORE);
        }

        /// Mean time from the request of a safepoint until the last thread had stopped, in ms.
        public double syncMs() {
            return perS <= 0 ? 0 : syncShare / perS * 1000;
        }
    }

    /// Thread counts without stops.
    public ThreadCounts(int live, Optional<Double> startedPerS, double runQueueThreads) {
        this(live, startedPerS, runQueueThreads, Optional.empty());
    }
}
