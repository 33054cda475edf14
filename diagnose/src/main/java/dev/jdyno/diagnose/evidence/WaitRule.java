package dev.jdyno.diagnose.evidence;

import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.List;
import java.util.Optional;

/// A bottleneck that threads wait for. {@link Waiting} judges all of them alike; what only one of
/// them has stands in its rule.
public interface WaitRule extends Rule {
    /// How the samples name this wait.
    Cause cause();

    /// The beginning of its sentence, such as "The downstream is the bottleneck".
    String claim();

    /// Threads in this wait.
    ///
    /// @param share of the threads in use, 0…1
    /// @param top the place with the most of them; empty where no place was seen
    /// @param waiting whether they were found waiting; else they stand in it, on a core or in the
    ///   run queue
    record Found(double share, Optional<ThreadSamples.Busy> top, boolean waiting) {}

    /// The threads in it at saturation; empty where they are not known.
    default Optional<Found> found(Evidence evidence) {
        return evidence.busyShare(cause())
                .map(share -> new Found(share, evidence.top(cause()), true));
    }

    /// Whether a thread in it waits for its turn: such a wait queues although the median does not
    /// grow.
    default boolean isQueue(Evidence evidence) {
        return false;
    }

    /// What is worth a word although few threads are in it, as the end of a sentence.
    default String besideIt(Evidence evidence) {
        return "";
    }

    /// The place with the most threads and what holds it up, where that is known without stacks.
    default Optional<Sentence> heldUp(Evidence evidence, ThreadSamples.Busy top) {
        return Optional.empty();
    }

    /// What other threads do, where no frame tells which of them holds what is waited for.
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
