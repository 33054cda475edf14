package dev.jdyno.diagnose;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.wait.RateLimitRule;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Holder;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.ThreadPlaces;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.thread.ThreadSamples.Busy;
import dev.jdyno.measure.verdict.Bottleneck;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The requests at one resource at saturation: those that it serves and those that wait for it. The
/// number of waiting requests gives the utilisation of the resource, also if it is not the resource
/// with the most waiting requests.
///
/// In a closed system, the first limit is saturated. The queue of any other resource then has the
/// length that it would have in an open system with the same throughput. With one server this
/// length is L = c · ρ² / (1 - ρ). For random service times c is 1, for constant ones 1/2
/// (Pollaczek and Khinchine).
///
/// @param threads mean number of requests at the resource
/// @param waiting the part of them that waits
/// @param growth true if `waiting` is a difference between two windows
/// @param holder the holder of the resource, if it is known
/// @param beside the most frequent activity of the other threads. If the holder of a pooled
///   resource is unknown, its holders probably do that.
record Queue(
        Bottleneck bottleneck,
        Cause cause,
        String where,
        Sentence named,
        double threads,
        double waiting,
        boolean growth,
        Optional<Holder> holder,
        Optional<Cause> beside) {
    /// Factor c between random and constant service times. It is used for the estimate.
    private static final double USUAL = 0.75;

    /// Factor c for random service times. It gives the lowest utilisation, and so the highest
    /// limit.
    private static final double RANDOM = 1;

    /// Minimum ratio of a difference between two windows to its standard error.
    private static final double SURE = 2;

    /// Factor c for constant service times. It gives the highest utilisation, and so the lowest
    /// limit.
    private static final double CONSTANT = 0.5;

    /// Share of the measured length for the upper end of the limit. The length of a queue near
    /// saturation varies for seconds around its mean, as much as that mean. So the mean over a few
    /// seconds may be twice the true one.
    private static final double SHORTEST = 0.5;

    /// The queues at saturation, the longest first. A wait that is no queue itself counts only with
    /// its growth since the window at low load.
    static List<Queue> all(Evidence evidence) {
        return all(evidence, evidence.saturated().stream().toList());
    }

    /// The queues over several windows, with mean lengths.
    ///
    /// @param windows windows at saturation or beyond it, with thread dumps
    static List<Queue> all(Evidence evidence, List<ThreadSamples> windows) {
        int dumps = windows.stream().mapToInt(ThreadSamples::dumps).sum();
        Map<String, Queue> byPlace = new LinkedHashMap<>();
        for (ThreadSamples window : windows) {
            for (Busy busy : window.requests().busy()) {
                bottleneck(busy)
                        .flatMap(name -> at(name, busy, window, evidence))
                        .map(q -> q.times(window.dumps(), dumps))
                        .ifPresent(q ->
                                byPlace.merge(q.cause + " " + q.where, q, (x, y) -> x.plus(y)));
            }
        }
        return byPlace.values().stream()
                .filter(q -> !q.growth || q.waiting > SURE * q.error(dumps))
                .sorted(Comparator.comparingDouble(Queue::waiting).reversed())
                .toList();
    }

    private static Optional<Queue> at(
            Bottleneck name, Busy busy, ThreadSamples window, Evidence evidence) {
        Optional<Holder> holder = window.likelyHolder(busy);
        Optional<Cause> beside =
                busy.cause() == Cause.POOL
                        ? window.topOtherCause(busy).map(Busy::cause)
                        : Optional.empty();
        if (busy.cause() == Cause.LOCK || busy.cause() == Cause.POOL) {
            return Optional.of(
                    new Queue(
                            name,
                            busy.cause(),
                            busy.where(),
                            busy.place().named(),
                            busy.threads(),
                            busy.threads(),
                            false,
                            holder,
                            beside));
        }
        return evidence.relaxed()
                .filter(r -> r.qps() > 0 && window.qps() > 0)
                .map(r -> grown(busy, window, r) * window.qps())
                .map(grown -> Math.max(0, grown - waitingForCores(busy, window, evidence)))
                .map(waiting ->
                        new Queue(
                                name,
                                busy.cause(),
                                busy.where(),
                                busy.place().named(),
                                busy.threads(),
                                waiting,
                                true,
                                holder,
                                beside));
    }

    /// Returns the growth of the time per request at a place, in seconds.
    private static double grown(Busy busy, ThreadSamples high, ThreadSamples low) {
        double before = threads(low.requests(), busy) / low.qps();
        return Math.max(0, busy.threads() / high.qps() - before);
    }

    /// Returns the maximum number of requests that a shortage of cores keeps at this place. A
    /// called service on this machine waits for a core when it begins, as the threads of the target
    /// do. It waits more often the more CPU it uses, at most that of all other processes.
    private static double waitingForCores(Busy busy, ThreadSamples window, Evidence evidence) {
        boolean away = busy.peer().flatMap(Place.Peer::address).filter(Queue::isAway).isPresent();
        if (away || !evidence.cpuIsShort()) {
            return 0;
        }
        double others =
                evidence.fullestCpu()
                        .filter(c -> c.processCores() > 0)
                        .map(c -> c.otherCores() / c.processCores())
                        .orElse(Double.POSITIVE_INFINITY);
        return window.requests().threads(Cause.RUN_QUEUE) * (1 + others);
    }

    private static double threads(ThreadPlaces window, Busy busy) {
        return window.busy().stream()
                .filter(b -> b.cause() == busy.cause() && b.where().equals(busy.where()))
                .mapToDouble(Busy::threads)
                .sum();
    }

    /// Returns the standard error of `waiting`, if the numbers of threads in the dumps have a
    /// Poisson distribution.
    private double error(int dumps) {
        return dumps <= 0 ? Double.POSITIVE_INFINITY : Math.sqrt((2 * threads - waiting) / dumps);
    }

    private static Optional<Bottleneck> bottleneck(Busy busy) {
        return switch (busy.cause()) {
            case LOCK -> Optional.of(Bottleneck.LOCK);
            case POOL ->
                    Optional.of(
                            RateLimitRule.isPermit(busy)
                                    ? Bottleneck.RATE_LIMIT
                                    : Bottleneck.CONNECTION_POOL);
            case DOWNSTREAM -> Optional.of(Bottleneck.DOWNSTREAM);
            case DATABASE -> Optional.of(Bottleneck.DATABASE);
            case SLEEP -> Optional.of(Bottleneck.RATE_LIMIT);
            case DISK -> Optional.of(Bottleneck.DISK);
            case CPU, RUN_QUEUE, FUTURE, DNS, LOGGING, NETWORK -> Optional.empty();
            case CLASS_LOADING, THREAD_START, GC, SAFEPOINT, JVM_MUTEX, OTHER -> Optional.empty();
        };
    }

    private Queue times(int dumps, int of) {
        double share = (double) dumps / of;
        return new Queue(
                bottleneck,
                cause,
                where,
                named,
                threads * share,
                waiting * share,
                growth,
                holder,
                beside);
    }

    private Queue plus(Queue other) {
        return new Queue(
                bottleneck,
                cause,
                where,
                named,
                threads + other.threads,
                waiting + other.waiting,
                growth,
                holder.or(other::holder),
                beside);
    }

    private static boolean isAway(String address) {
        return !address.startsWith("127.")
                && !address.startsWith("localhost")
                && !address.startsWith("[::1]")
                && !address.startsWith("::1");
    }

    /// Throughput at which the resource is saturated ÷ the present throughput: 1 ÷ utilisation.
    double times() {
        return times(USUAL, waiting);
    }

    /// The lower end of {@link #times()}. It decides whether the resource may be nearly saturated.
    double leastTimes() {
        return times(CONSTANT, waiting);
    }

    /// The upper end of {@link #times()}.
    double mostTimes() {
        return times(RANDOM, SHORTEST * waiting);
    }

    /// @param c factor for the variation of the service times
    private static double times(double c, double l) {
        double utilisation = (Math.sqrt(l * l + 4 * c * l) - l) / (2 * c);
        return utilisation <= 0 ? Double.POSITIVE_INFINITY : 1 / utilisation;
    }

    /// True if requests hold this resource while they are in `other`. The resource is then in use
    /// for longer only because of `other`.
    boolean isHeldDuring(Cause other) {
        return holder.filter(h -> h.isIn(other)).isPresent();
    }

    /// True if a shortage of cores may lengthen this queue, because the holder of a lock or pool
    /// waits for a core.
    boolean growsWithoutCores() {
        if (growth) {
            // what a shortage of cores explains is not in `waiting`
            return false;
        }
        return holder.isPresent()
                ? isHeldDuring(Cause.CPU) || isHeldDuring(Cause.RUN_QUEUE)
                : beside.filter(c -> c != Cause.CPU && c != Cause.RUN_QUEUE).isEmpty();
    }
}
