package dev.jdyno.report.html;

import dev.jdyno.measure.thread.PoolQueue;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The pools of one window and who waits for them, those with nothing to tell apart.
///
/// @param window one with queues
public record PoolsPage(ThreadSamples window) {
    /// Cores from which a pool works, whoever for.
    private static final double WORKS_FROM_CORES = 0.01;

    /// Pools that work, that requests go through, or that a caller waits for.
    public List<PoolQueue> shown() {
        return window.queues().stream().filter(q -> !isAtRest(q)).toList();
    }

    /// Pools that no request was found in, that used no CPU worth a word.
    public List<PoolQueue> atRest() {
        return window.queues().stream().filter(this::isAtRest).toList();
    }

    /// Their threads, together.
    public double threadsAtRest() {
        return atRest().stream().mapToDouble(q -> q.size().orElse(0.0)).sum();
    }

    private boolean isAtRest(PoolQueue q) {
        return q.kind() == PoolQueue.Kind.THREADS
                && !serving().contains(q.pool())
                && isNone(q.busy())
                && cores(q.pool()) < WORKS_FROM_CORES
                && isNone(q.length());
    }

    /// An asynchronous log's thread, carriers of virtual threads and a client's own threads look
    /// idle to whoever looks for requests.
    private double cores(String pool) {
        return window.pools().stream()
                .filter(p -> p.name().equals(pool))
                .mapToDouble(ThreadSamples.Pool::cores)
                .max()
                .orElse(0);
    }

    private Set<String> serving() {
        return window.pools().stream()
                .filter(ThreadSamples.Pool::serving)
                .map(ThreadSamples.Pool::name)
                .collect(Collectors.toSet());
    }

    private static boolean isNone(Optional<Double> figure) {
        return figure.filter(v -> v <= 0).isPresent();
    }
}
