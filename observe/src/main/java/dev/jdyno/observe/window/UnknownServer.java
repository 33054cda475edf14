package dev.jdyno.observe.window;

import dev.jdyno.measure.thread.Cause;
import dev.jdyno.observe.threads.SampledThread;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Tells by numbers which threads handle requests where no frame does, for their server is not
/// known: the kernel counts requests inside of the target for which no thread was found, and a pool
/// has about as many threads that wait for something that threads at rest do not wait for.
final class UnknownServer {
    /// Waits of work. Who waits to be notified, for a queue or in a way of its own may be at rest.
    private static final Set<Cause> WORK =
            EnumSet.of(
                    Cause.DISK,
                    Cause.DATABASE,
                    Cause.DOWNSTREAM,
                    Cause.DNS,
                    Cause.LOGGING,
                    Cause.SLEEP,
                    Cause.FUTURE,
                    Cause.CLASS_LOADING);

    /// Fewer requests than these may as well be counted amiss.
    private static final double REQUESTS_FROM = 2;

    /// Share of the requests inside for which threads must be found: with more nothing is missing.
    private static final double FOUND = 0.3;

    /// Threads for each request that is missing a thread.
    private static final double FEWEST = 0.5;

    private static final double MOST = 1.5;

    private UnknownServer() {}

    /// Pools that handle requests by these numbers.
    ///
    /// @param known whether a thread is known to be at work
    /// @param inside requests inside of the target that some thread has read, mean
    static Set<String> pools(
            List<List<SampledThread>> dumps, Predicate<SampledThread> known, double inside) {
        double n = Math.max(1, dumps.size());
        double found =
                dumps.stream()
                                .flatMap(List::stream)
                                .filter(known)
                                .mapToDouble(SampledThread::weight)
                                .sum()
                        / n;
        if (inside < REQUESTS_FROM || found >= FOUND * inside) {
            return Set.of();
        }
        double missing = inside - found;
        Map<String, Double> waiting = new HashMap<>();
        dumps.stream()
                .flatMap(List::stream)
                .filter(s -> !known.test(s) && !s.thread().loop() && waits(s))
                .forEach(s -> waiting.merge(s.thread().pool(), s.weight(), Double::sum));
        return waiting.entrySet().stream()
                .filter(e -> e.getValue() / n >= FEWEST * missing)
                .filter(e -> e.getValue() / n <= MOST * missing)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /// Whether it waits as one does who is at work.
    static boolean waits(SampledThread seen) {
        return !seen.serverSide()
                && seen.thread().doing().filter(d -> WORK.contains(d.cause())).isPresent();
    }
}
