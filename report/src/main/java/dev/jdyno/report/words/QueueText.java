package dev.jdyno.report.words;

import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.PoolQueue;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Queues in front of pools, in words.
public final class QueueText {
    /// Minimum mean number of waiting requests or threads for a queue that is mentioned.
    private static final double WORTH_A_WORD = 0.5;

    private static final int MAX = 3;

    private QueueText() {}

    /// The length of a queue: `18.3`; `>=4.0` if it may be longer; `-` if it is unknown.
    public static String length(PoolQueue q) {
        return q.length()
                .map(n -> (q.atLeast() ? ">=" : "") + String.format(Locale.ROOT, "%.1f", n))
                .orElse("-");
    }

    private static Sentence waiting(PoolQueue q, ThreadSamples threadSamples) {
        return Sentence.format(
                "%s wait for %s (%s)%s",
                length(q),
                PlaceText.named(q.pool()),
                q.from(),
                hasIdle(q, threadSamples)
                        ? "; its idle threads have not got them: the thread that hands requests"
                                + " over probably lacks CPU"
                        : "");
    }

    /// True if the pool's idle threads are at least as many as the requests that wait for its
    /// threads.
    private static boolean hasIdle(PoolQueue q, ThreadSamples threadSamples) {
        return q.kind() == PoolQueue.Kind.THREADS
                && threadSamples.pools().stream()
                        .filter(p -> p.name().equals(q.pool()))
                        .anyMatch(p -> p.idle() >= Math.max(1, q.length().orElse(0.0)));
    }

    /// The longest queues: `Queues 18.3 wait for http-nio-8080-exec (sockets with an unread
    /// request), 15.0 wait for HikariCP (threads found waiting to borrow)`; empty if there is none.
    /// A queue for a pool with idle threads is only momentary, so it is left out, unless requests
    /// wait for CPU.
    ///
    /// @param limit what limits the service
    public static Optional<Sentence> line(ThreadSamples threadSamples, Bottleneck limit) {
        List<PoolQueue> longest =
                threadSamples.queues().stream()
                        .filter(q -> q.length().orElse(0.0) >= WORTH_A_WORD)
                        .filter(q -> VerdictText.isOfCpu(limit) || !hasIdle(q, threadSamples))
                        .sorted(
                                Comparator.comparingDouble((PoolQueue q) -> q.length().orElse(0.0))
                                        .reversed())
                        .limit(MAX)
                        .toList();
        return longest.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        Sentence.of("Queues  ")
                                .and(
                                        Sentence.join(
                                                ", ",
                                                longest.stream()
                                                        .map(q -> waiting(q, threadSamples))
                                                        .toList())));
    }
}
