package dev.jdyno.report.words;

import dev.jdyno.measure.thread.PoolQueue;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// Who waits for pools, in words.
public final class QueueText {
    /// Mean number of those who wait from which a queue is worth a word.
    private static final double WORTH_A_WORD = 0.5;

    private static final int MOST = 3;

    private QueueText() {}

    /// `18.3`, `>= 4.0` where there may be more, `-` where nobody knows.
    public static String length(PoolQueue q) {
        return q.length()
                .map(n -> (q.atLeast() ? ">=" : "") + String.format(Locale.ROOT, "%.1f", n))
                .orElse("-");
    }

    /// `Queues 18.3 before http-nio-8080-exec (sockets with an unread request), 15.0 before
    /// HikariCP (threads found waiting to borrow)`; empty where nothing waits.
    public static Optional<String> line(ThreadSamples census) {
        List<PoolQueue> longest =
                census.queues().stream()
                        .filter(q -> q.length().orElse(0.0) >= WORTH_A_WORD)
                        .sorted(
                                Comparator.comparingDouble((PoolQueue q) -> q.length().orElse(0.0))
                                        .reversed())
                        .limit(MOST)
                        .toList();
        return longest.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        longest.stream()
                                .map(q ->
                                        length(q) + " wait for " + q.pool() + " (" + q.from() + ")")
                                .collect(Collectors.joining(", ", "Queues  ", "")));
    }
}
