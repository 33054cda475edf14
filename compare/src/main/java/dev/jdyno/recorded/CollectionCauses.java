package dev.jdyno.recorded;

import dev.jdyno.measure.gc.Collector;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.gc.GcDetail;
import java.util.HashMap;
import java.util.Map;

/// Makes the causes of collections in files comparable. Serial and Parallel give each collection
/// the cause `Allocation Failure`, which only a late collection has with Shenandoah. For a running
/// JVM, the counters of promotion tell the collectors apart. Files name the collector instead.
final class CollectionCauses {
    private static final String FAILURE = "Allocation Failure";
    private static final String IN_TIME = "Allocation Failure (young generation full)";

    private CollectionCauses() {}

    /// The activity with causes that do not depend on the collector.
    ///
    /// @param collector name of the collector; empty if unknown
    static GcActivity of(GcActivity gc, String collector) {
        return Collector.named(collector).hasContiguousGenerations()
                ? new GcActivity(
                        gc.young(),
                        gc.full(),
                        gc.pauseShare(),
                        gc.allocBytesPerS(),
                        gc.promotedBytesPerS(),
                        gc.requestBytes(),
                        gc.oldUsedBytes(),
                        gc.oldCapacityBytes(),
                        gc.detail()
                                .map(d ->
                                        new GcDetail(
                                                d.longestPauseMs(),
                                                inTime(d.causes()),
                                                d.stalledThreads(),
                                                d.afterFull())),
                        new GcActivity.Why(
                                inTime(gc.why().causes()),
                                gc.why().cycles(),
                                gc.why().oldFloorBytes(),
                                gc.why().stalledThreads(),
                                gc.why().afterFull()))
                : gc;
    }

    private static Map<String, Long> inTime(Map<String, Long> causes) {
        Map<String, Long> renamed = new HashMap<>();
        causes.forEach(
                (cause, n) -> renamed.merge(cause.equals(FAILURE) ? IN_TIME : cause, n, Long::sum));
        return renamed;
    }
}
