package dev.jdyno.instance;

import dev.jdyno.measure.JvmMemory;
import dev.jdyno.measure.service.PoolDemand;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.verdict.GoalKnee.Misses;
import dev.jdyno.measure.verdict.GoalKnee.Outcome;
import java.util.List;
import java.util.Optional;

/// One size that was tested on a fresh start of the service.
///
/// @param why why this size was chosen
/// @param flags JVM flags that were added for this size
/// @param figures figures at the tested rate; empty if the service did not come so far
/// @param oomKills processes that the kernel killed at the memory limit
/// @param memoryPeak highest memory use of the group, with file pages; empty if it is not counted
/// @param failure what the service or jdyno reported when the test failed; blank if it did not
/// @param seconds duration from the launch to the end
/// @param pools use of the pools at the rate; empty if they were not observed
public record SizeTest(
        InstanceSize size,
        Why why,
        List<String> flags,
        Outcome outcome,
        Reason reason,
        Optional<Figures> figures,
        long oomKills,
        Optional<Bytes> memoryPeak,
        String failure,
        double seconds,
        Optional<PoolDemand.Pools> pools) {
    /// Share of the time in full collections from which more memory is tried before more CPU.
    private static final double FULL_GC_SHARE = 0.1;

    public SizeTest {
        flags = List.copyOf(flags);
    }

    /// The reason for the choice of a size.
    public enum Why {
        FULL("full"),
        PROPOSED("proposed"),
        LARGER_CPU("larger-cpu"),
        LARGER_MEMORY("larger-memory"),
        SMALLER_CPU("smaller-cpu"),
        SMALLER_MEMORY("smaller-memory"),
        AGAIN("again"),
        /// A size whose start was open.
        UNDECIDED("undecided"),
        /// The full size, with pools that are large enough for the rate.
        LARGER_POOLS("larger-pools"),
        /// The proposed sizes of the pools.
        POOLS("pools"),
        SMALLER_POOL("smaller-pool");

        private final String key;

        Why(String key) {
            this.key = key;
        }

        /// The key in JSON.
        public String key() {
            return key;
        }
    }

    /// The reason why a size is not good.
    public enum Reason {
        NONE("none"),
        MISSED("goal-missed"),
        QUEUE_GROWS("queue-grows"),
        OOM_KILLED("oom-killed"),
        HEAP_FULL("heap-full"),
        NOT_STARTED("not-started"),
        ENDED("ended"),
        NOT_DECIDED("not-decided");

        private final String key;

        Reason(String key) {
            this.key = key;
        }

        /// The key in JSON.
        public String key() {
            return key;
        }
    }

    /// Figures of a service at the tested rate.
    ///
    /// @param qps good requests per second
    /// @param rtP99Ms 99th percentile of the response times
    /// @param aloneMs mean response time with one request in flight
    /// @param maxQps highest throughput that a closed load got
    /// @param misses share of missed requests for each goal
    /// @param cpuCores CPU that the service used
    /// @param cpuMsPerRequest CPU time of a request
    /// @param throttledPct share of the demanded core time that the quota refused, in percent
    /// @param throttledPeriodsPct share of the quota's periods in which it stopped the service, in
    ///   percent
    /// @param gcPauseShare share of the time in which the collector stopped the service
    /// @param fullGcShare share of the time in full collections
    /// @param allocBytesPerS allocation rate; 0 if it is unknown
    /// @param memory where the memory was after a full collection; only of the full size
    /// @param clientShort whether the load generator was too slow for the rate
    /// @param heldByOthers share of the service's cores that other processes and the hypervisor
    ///   took
    /// @param warm whether the service was steady before the rate was held
    public record Figures(
            double qps,
            double rtP99Ms,
            double aloneMs,
            double maxQps,
            List<Misses> misses,
            double cpuCores,
            double cpuMsPerRequest,
            double throttledPct,
            double throttledPeriodsPct,
            double gcPauseShare,
            double fullGcShare,
            double allocBytesPerS,
            Optional<JvmMemory> memory,
            boolean clientShort,
            double heldByOthers,
            boolean warm) {
        /// Share of the cores taken by others from which a bad test does not count, the same as for
        /// a disturbed round.
        private static final double DISTURBED = 0.1;

        public Figures {
            misses = List.copyOf(misses);
        }

        /// True if other processes took so much of the CPU that a missed goal may be their fault.
        public boolean disturbed() {
            return heldByOthers >= DISTURBED;
        }
    }

    public boolean isGood() {
        return outcome == Outcome.GOOD;
    }

    /// True if more memory is likely to help, not more CPU.
    boolean shortOfMemory() {
        return switch (reason) {
            case OOM_KILLED, HEAP_FULL -> true;
            case NONE, MISSED, QUEUE_GROWS, NOT_STARTED, ENDED, NOT_DECIDED ->
                    figures.filter(f -> f.fullGcShare() > FULL_GC_SHARE).isPresent();
        };
    }
}
