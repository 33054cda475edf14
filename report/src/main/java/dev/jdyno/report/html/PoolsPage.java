package dev.jdyno.report.html;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.thread.PoolQueue;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The pools of one window and the callers that wait for them. Pools without any activity are
/// combined.
///
/// @param window a window with queues
/// @param closed true if the load of the window holds a number of requests in flight and no request
///   failed
/// @param pausedShare share of the time at that load in pauses of the collector, in which no dump
///   is taken
public record PoolsPage(ThreadSamples window, boolean closed, double pausedShare) {
    /// Minimum CPU use of a pool that counts as working, in cores. The work may be for requests or
    /// for another purpose.
    private static final double WORKS_FROM_CORES = 0.01;

    /// Tolerance, as a share of the requests in flight. Figures from several sources may add up to
    /// more requests than the client has in flight.
    private static final double ROUNDING = 0.02;

    /// Minimum share of the time in GC pauses. From this share on, the counts of dumps differ from
    /// the breakdown.
    private static final double PAUSED = 0.02;

    /// Where the requests in flight are; the three figures add up to their number.
    ///
    /// @param waiting requests that wait for a thread of the pool
    /// @param elsewhere requests that are neither in a thread nor known to wait: they are in the
    ///   client, on the network or in the kernel
    public record Requests(
            String pool, int inFlight, double inUse, double waiting, double elsewhere) {}

    static PoolsPage of(RunResult result, ThreadSamples window) {
        List<Round> rounds =
                result.rounds().stream()
                        .filter(r -> r.concurrency() == window.concurrency())
                        .toList();
        boolean closed =
                !rounds.isEmpty()
                        && rounds.stream().allMatch(r -> r.ratePerS().isEmpty() && r.errors() == 0);
        double paused =
                rounds.stream()
                        .flatMap(r -> r.gc().stream())
                        .mapToDouble(GcActivity::pauseShare)
                        .average()
                        .orElse(0);
        return new PoolsPage(window, closed, paused);
    }

    /// Returns how many requests are in the pool, in its queue, or elsewhere. Empty unless one pool
    /// of platform threads takes all requests, each with one thread.
    public Optional<Requests> requests() {
        List<ThreadSamples.Pool> entries =
                window.pools().stream().filter(p -> p.serving() && !p.loop()).toList();
        if (!closed || entries.size() != 1 || window.awaitingItself() > 0) {
            return Optional.empty();
        }
        ThreadSamples.Pool entry = entries.getFirst();
        double waiting = window.queue(entry).flatMap(PoolQueue::length).orElse(0.0);
        double elsewhere = window.concurrency() - entry.busy() - waiting;
        return entry.virtual() || elsewhere < -ROUNDING * window.concurrency()
                ? Optional.empty()
                : Optional.of(
                        new Requests(
                                entry.name(),
                                window.concurrency(),
                                entry.busy(),
                                waiting,
                                Math.max(0, elsewhere)));
    }

    /// True if dumps miss so much of the time that their counts differ from the breakdown.
    public boolean paused() {
        return pausedShare >= PAUSED;
    }

    /// Pools that work, that requests go through, or that a caller waits for.
    public List<PoolQueue> shown() {
        return window.queues().stream().filter(q -> !isAtRest(q)).toList();
    }

    /// Pools without requests or waiting callers that used almost no CPU.
    public List<PoolQueue> atRest() {
        return window.queues().stream().filter(this::isAtRest).toList();
    }

    /// Total number of threads of the pools at rest.
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

    /// CPU cores that a pool uses. Some pools have no requests but may use CPU: threads of an
    /// asynchronous log or a client, and carriers of virtual threads.
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
