package dev.jdyno.measure.thread;

import java.util.Optional;

/// Threads of the target in one round.
///
/// @param live Java or native threads at its end
/// @param startedPerS started threads per second; empty where the JVM does not count them
/// @param runQueueThreads mean number of threads that waited for a core
/// @param stops how they were made to stand still; empty where the JVM does not count it
public record ThreadCounts(
        int live, Optional<Double> startedPerS, double runQueueThreads, Optional<Stops> stops) {

    /// Safepoints of one round, in which no thread dump of ours was taken.
    ///
    /// @param share share of the time in which all stood still for something else than the
    ///   collector
    /// @param syncShare share of the time from the call for a safepoint, a collection's too, until
    ///   the last thread had stopped
    /// @param perS safepoints per second, those of collections included
    public record Stops(double share, double syncShare, double perS) {
        /// ms from the call for a safepoint until the last thread had stopped, on average, from
        /// which that thread ran on and did not wait for a core: with two cores and 28 threads that
        /// want them one waits about 40 ms.
        private static final double RUNS_ON_MS = 100;

        /// Threads that wait for each core at which that was measured; where more wait, each waits
        /// longer for its turn.
        private static final double WAITING_PER_CORE = 14;

        /// The same where so many threads wait for each core that is left to the target, in ms.
        public static double runsOnMs(double waitingPerCore) {
            return RUNS_ON_MS * Math.max(1, waitingPerCore / WAITING_PER_CORE);
        }

        /// Mean time from the call for a safepoint until the last thread had stopped, in ms.
        public double syncMs() {
            return perS <= 0 ? 0 : syncShare / perS * 1000;
        }
    }

    /// Where stops were not seen.
    public ThreadCounts(int live, Optional<Double> startedPerS, double runQueueThreads) {
        this(live, startedPerS, runQueueThreads, Optional.empty());
    }
}
