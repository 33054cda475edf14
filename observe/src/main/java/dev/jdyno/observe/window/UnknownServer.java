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

/// Finds the threads that handle requests if no frame shows it, because their server is unknown.
/// The kernel counts requests inside the target for which no thread was found. A pool is identified
/// if about that number of its threads wait for something for which idle threads do not wait.
final class UnknownServer {
    /// Causes of waits that show work. A thread that waits for a notification, for a queue or in an
    /// unknown way may be idle.
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

    /// Minimum number of requests inside; fewer may be a counting error.
    private static final double REQUESTS_FROM = 2;

    /// Share of the requests inside for which threads were found. From this share on, the server
    /// counts as known.
    private static final double FOUND = 0.3;

    /// Minimum and maximum number of waiting threads per request without a thread.
    private static final double FEWEST = 0.5;

    private static final double MAX = 1.5;

    private UnknownServer() {}

    /// Pools that handle requests although no frame shows it.
    ///
    /// @param known true for a thread that is known to be at work
    /// @param inside mean number of requests inside the target that a thread has read
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
                .filter(e -> e.getValue() / n <= MAX * missing)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /// True if the thread waits in a way that shows work.
    static boolean waits(SampledThread seen) {
        return !seen.serverSide()
                && seen.thread().doing().filter(d -> WORK.contains(d.cause())).isPresent();
    }
}
