package dev.jdyno.diagnose.evidence;

import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.List;
import java.util.Optional;

/// A bottleneck that threads wait for. {@link Waiting} judges all of them in the same way; each
/// rule contains only the conditions of its own kind of wait.
public interface WaitRule extends Rule {
    /// Returns the cause of this wait in thread samples.
    Cause cause();

    /// Returns the claim of its statement, such as "The downstream is the bottleneck".
    String claim();

    /// Threads in this wait.
    ///
    /// @param share share of the threads in use, 0…1
    /// @param top the place with most of these threads; empty if no place was seen
    /// @param waiting true if the threads were found waiting; false if their stacks show the wait
    ///   but they were on a core or in the run queue
    record Found(double share, Optional<ThreadSamples.Busy> top, boolean waiting) {}

    /// Returns the threads in this wait at saturation; empty if they are not known.
    default Optional<Found> found(Evidence evidence) {
        return evidence.busyShare(cause())
                .map(share -> new Found(share, evidence.top(cause()), true));
    }

    /// True if threads in this wait queue for a resource. They queue even if the median response
    /// time does not grow.
    default boolean isQueue(Evidence evidence) {
        return false;
    }

    /// Returns a remark for the case that few threads are in this wait, as the end of a sentence.
    default String remark(Evidence evidence) {
        return "";
    }

    /// Returns the place with most threads and the resource for which they wait, if another source
    /// than stacks shows it.
    default Optional<Sentence> heldUp(Evidence evidence, ThreadSamples.Busy top) {
        return Optional.empty();
    }

    /// Returns a line on the activity of other threads, if no frame identifies the holder.
    default Optional<EvidenceLine> withoutHolder(ThreadSamples samples, ThreadSamples.Busy top) {
        return Optional.empty();
    }

    /// Evidence that only this wait has.
    default List<EvidenceLine> lines(Evidence evidence, Found found) {
        return List.of();
    }

    @Override
    default Finding evaluate(Evidence evidence) {
        return found(evidence)
                .map(found -> new Waiting(this, evidence, found).finding())
                .orElseGet(() -> SeenShare.notKnown(evidence.saturated()));
    }
}
