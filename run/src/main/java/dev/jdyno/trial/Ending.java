package dev.jdyno.trial;

import dev.jdyno.measure.gc.HeapFill;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.UserError;
import java.util.Optional;

/// The reason why a target ended during the run, as far as its collector's figures show it. A full
/// heap (`OutOfMemoryError`) is distinguished from every other reason.
public final class Ending {
    private Ending() {}

    /// @param failure the error that reports that the target has ended
    /// @param heap how full it is, or was when the target ended
    /// @param heapMaxBytes maximum heap size that the JVM reported
    public static UserError asError(
            UserError failure,
            boolean alive,
            Optional<HeapFill> heap,
            Optional<Long> heapMaxBytes) {
        return alive
                ? failure
                : heap.filter(HeapFill::isFull)
                        .map(fill -> full(failure, fill, heapMaxBytes))
                        .orElse(failure);
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
