package dev.jdyno.trial;

import dev.jdyno.measure.MemoryKill;
import dev.jdyno.measure.gc.HeapFill;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.UserError;
import java.util.Optional;

/// The reason why a target ended during the run, as far as the kernel's count of killed processes
/// and the collector's figures show it. A kill at the memory limit of its control group and a full
/// heap (`OutOfMemoryError`) are distinguished from each other and from every other reason.
public final class Ending {
    private Ending() {}

    /// @param failure the error that reports that the target has ended
    /// @param kill the kernel's kill of the target for its memory use; empty if there was none
    /// @param heap occupancy of the heap, now or when the target ended
    /// @param heapMaxBytes maximum heap size that the JVM reported
    public static UserError asError(
            UserError failure,
            boolean alive,
            Optional<MemoryKill> kill,
            Optional<HeapFill> heap,
            Optional<Long> heapMaxBytes) {
        if (alive) {
            return failure;
        }
        return kill.isPresent()
                ? killed(failure, kill.get(), heap, heapMaxBytes)
                : heap.filter(HeapFill::isFull)
                        .map(fill -> full(failure, fill, heapMaxBytes))
                        .orElse(failure);
    }

    private static UserError killed(
            UserError failure,
            MemoryKill kill,
            Optional<HeapFill> heap,
            Optional<Long> heapMaxBytes) {
        String max = heapMaxBytes.map(b -> " (maximum " + new Bytes(b) + ")").orElse("");
        String parts =
                kill.heapBytes()
                        .map(size ->
                                ": at most "
                                        + new Bytes(Math.min(size, kill.anonymousBytes()))
                                        + " in its heap"
                                        + max
                                        + heap.map(Ending::inUse).orElse("")
                                        + ", at least "
                                        + new Bytes(kill.outsideHeapBytes().orElse(0L))
                                        + " outside the heap")
                        .orElse("; the size of its heap was not seen" + max);
        return new UserError(
                failure.kind(),
                failure.what() + ": it was killed by the kernel at the group's limit",
                "its control group may use "
                        + new Bytes(kill.limitBytes())
                        + " of memory, and it used "
                        + new Bytes(kill.anonymousBytes())
                        + " itself"
                        + parts
                        + "; this is no OutOfMemoryError"
                        + (isMostlyGarbage(kill, heap) ? ", and no leak in the heap; " : "; ")
                        + failure.why(),
                "give the heap a smaller share of the limit (-XX:MaxRAMPercentage or -Xmx), or limit"
                        + " what is outside of it (-XX:MaxDirectMemorySize for direct buffers;"
                        + " `jcmd PID VM.native_memory` with -XX:NativeMemoryTracking=summary shows"
                        + " the parts); what was measured until then is kept");
    }

    /// True if the last collection left less than half of the heap in use. Live objects do not
    /// explain the heap's size then.
    private static boolean isMostlyGarbage(MemoryKill kill, Optional<HeapFill> heap) {
        return kill.heapBytes().isPresent()
                && heap.filter(fill -> 2 * fill.usedBytes() < kill.heapBytes().get()).isPresent();
    }

    private static String inUse(HeapFill fill) {
        return ", of whose "
                + fill.part().says()
                + " "
                + new Bytes(fill.usedBytes())
                + " were in use after the last collection";
    }

    private static UserError full(UserError failure, HeapFill fill, Optional<Long> heapMaxBytes) {
        String worked =
                fill.full() > 0
                        ? "of " + fill.full() + " full collections that were seen"
                        : "of " + fill.cycles() + " concurrent cycles that were seen";
        return new UserError(
                failure.kind(),
                failure.what() + ": its heap was full",
                "after the last "
                        + worked
                        + ", "
                        + new Bytes(fill.usedBytes())
                        + " of at most "
                        + new Bytes(fill.mostBytes())
                        + " of its "
                        + fill.part().says()
                        + " were still in use"
                        + heapMaxBytes.map(b -> " (heap of " + new Bytes(b) + ")").orElse("")
                        + "; "
                        + failure.why(),
                "give it more heap (-Xmx), or find what fills it: -XX:+HeapDumpOnOutOfMemoryError"
                        + " writes down what holds it, gc.log of this run shows since when; what was"
                        + " measured until then is kept");
    }
}
