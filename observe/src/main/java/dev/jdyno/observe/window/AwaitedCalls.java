package dev.jdyno.observe.window;

import dev.jdyno.measure.thread.CallSites;
import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Holder;
import dev.jdyno.measure.thread.ThreadPlaces;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Finds the calls behind the results that threads wait for. An asynchronous client may have open
/// calls in which no thread waits (`WebClient.block()`, a future of an Apache or Jetty client).
/// Then some of the threads that wait for a result count as waiting for these calls, one for each
/// call. The other threads wait for a connection or for a task. This does not apply if the target
/// calls itself, because its own tasks make the calls.
final class AwaitedCalls {
    /// Maximum number of threads that wait in calls, as a share of the open calls. If there are
    /// more, they belong to an executor whose tasks the other threads wait for.
    private static final double OF_THREADS = 0.1;

    /// Maximum mean number of open calls that do not belong to requests, such as a monitored
    /// connection.
    private static final double STRAY = 0.5;

    /// Maximum number of open calls per waiting thread if each thread makes one call at a time.
    /// With more calls, a thread waits for several calls that it started together.
    private static final double AT_A_TIME = 1.25;

    private AwaitedCalls() {}

    /// @param sites lines at which threads wait for the results of tasks
    static ThreadPlaces applied(ThreadPlaces seen, Optional<CallSites> sites) {
        double futures = seen.threads(Cause.FUTURE);
        double awaiting = seen.calls().stream().mapToDouble(Calls::awaiting).sum();
        double standing = seen.threads(Cause.DOWNSTREAM) + seen.threads(Cause.DATABASE);
        if (futures <= 0
                || awaiting <= STRAY
                || standing > OF_THREADS * awaiting
                || seen.awaitingItself() > 0) {
            return seen;
        }
        double applied = Math.min(1, awaiting / futures);
        Optional<CallSites> calling =
                sites.filter(_ -> awaiting <= AT_A_TIME * futures)
                        .filter(_ -> peers(seen) == 1)
                        .map(s -> s.withThreads(s.threads() * applied));
        List<ThreadSamples.Busy> busy = new ArrayList<>();
        for (ThreadSamples.Busy b : seen.busy()) {
            if (b.cause() != Cause.FUTURE) {
                busy.add(b);
            } else if (applied < 1) {
                busy.add(
                        new ThreadSamples.Busy(
                                b.cause(), b.place(), b.threads() * (1 - applied), b.holder()));
            }
        }
        for (Calls c : seen.calls()) {
            if (c.awaiting() > 0) {
                busy.add(
                        new ThreadSamples.Busy(
                                cause(c),
                                c.peer(),
                                futures * applied * c.awaiting() / awaiting,
                                Optional.of(new Holder.AsyncClient()),
                                calling,
                                List.of()));
            }
        }
        busy.sort(Comparator.comparingDouble(ThreadSamples.Busy::threads).reversed());
        double databases =
                seen.calls().stream().filter(Calls::database).mapToDouble(Calls::awaiting).sum();
        return new ThreadPlaces(
                seen.pools().stream().map(p -> applied(p, applied, databases / awaiting)).toList(),
                busy,
                seen.calls());
    }

    private static long peers(ThreadPlaces seen) {
        return seen.calls().stream().filter(c -> c.awaiting() > 0).count();
    }

    private static Cause cause(Calls calls) {
        return calls.database() ? Cause.DATABASE : Cause.DOWNSTREAM;
    }

    /// Changes threads of a pool that wait for a task into threads that wait for another service.
    ///
    /// @param share share of the threads that wait for a task
    /// @param databases share of databases among the services they wait for
    static ThreadSamples.Pool applied(ThreadSamples.Pool pool, double share, double databases) {
        double moved = pool.doing(Cause.FUTURE) * share;
        if (moved <= 0) {
            return pool;
        }
        Map<Cause, Double> doing = new EnumMap<>(Cause.class);
        doing.putAll(pool.doing());
        doing.computeIfPresent(Cause.FUTURE, (_, f) -> f - moved > 0 ? f - moved : null);
        add(doing, Cause.DATABASE, moved * databases);
        add(doing, Cause.DOWNSTREAM, moved * (1 - databases));
        return new ThreadSamples.Pool(
                pool.name(),
                pool.size(),
                pool.busy(),
                pool.idle(),
                pool.minIdle(),
                pool.serving(),
                pool.loop(),
                pool.cores(),
                doing,
                pool.virtual());
    }

    private static void add(Map<Cause, Double> doing, Cause cause, double threads) {
        if (threads > 0) {
            doing.merge(cause, threads, Double::sum);
        }
    }
}
