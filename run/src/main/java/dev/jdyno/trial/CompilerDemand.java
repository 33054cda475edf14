package dev.jdyno.trial;

import dev.jdyno.measure.load.WarmUpFacts;
import dev.jdyno.observe.threads.CompilerSample;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The work of the JIT compilers over some seconds: the cores that they used and waited for, and
/// the methods in their queue. A compiler that gets no core uses no CPU, so by its CPU time alone
/// it looks idle.
///
/// @param used cores that the compilers used; empty if their threads are not visible
/// @param waited cores that they waited for
/// @param queues number of methods in their queue, one for each sample that shows the queue
/// @param compiledPerS methods that they finished; empty if they are not counted
/// @param serviceCores cores that the whole process used
record CompilerDemand(
        Optional<Double> used,
        Optional<Double> waited,
        List<Integer> queues,
        Optional<Double> compiledPerS,
        Optional<Double> serviceCores) {
    /// Maximum number of queued methods that does not count as a backlog. It is a fraction of a
    /// second's work, and a warm service has such a queue now and then.
    static final int FEW = 10;

    /// Maximum share of the service's own CPU that the compilers may still take. Requests get at
    /// most this much faster when the compilers have ended.
    private static final double SHARE = 0.1;

    /// Cores that the compilers may take if the service itself takes few. The cores are free then.
    private static final double CORES = 0.1;

    /// Number of cores below which the compilers compile nothing. A thread that only looks for work
    /// takes less.
    private static final double NOTHING_CORES = 0.01;

    CompilerDemand {
        queues = List.copyOf(queues);
    }

    static CompilerDemand of(List<CompilerSample> looks, Optional<Double> serviceCores) {
        return new CompilerDemand(
                Means.of(looks.stream().flatMap(l -> l.used().stream()).toList()),
                Means.of(looks.stream().flatMap(l -> l.waited().stream()).toList()),
                looks.stream().flatMap(l -> l.queued().stream()).toList(),
                Means.of(looks.stream().flatMap(l -> l.compiledPerS().stream()).toList()),
                serviceCores);
    }

    /// Number of methods in the queue in the last sample.
    Optional<Integer> queued() {
        return queues.isEmpty() ? Optional.empty() : Optional.of(queues.getLast());
    }

    /// True if the compilers have next to nothing to do. They use and wait for little CPU, and
    /// their queue is short or no compiler works on it any more.
    boolean isQuiet() {
        return !isBusy() && !isKeptWaiting() && !hasWork();
    }

    /// True if the compilers use CPU that requests would get if the compilers ended.
    boolean isBusy() {
        return used.filter(u -> u > limit()).isPresent();
    }

    /// True if the queue was long in every sample and compilers still work on it. If the queue does
    /// not change and no compiler uses or waits for a core, the compilers were stopped.
    boolean hasBacklog() {
        return !queues.isEmpty() && longQueues() == queues.size() && !isStuck();
    }

    /// True if the queue was long in most samples and compilers still work on it. A single long
    /// queue now and then is normal.
    boolean hasWorkMostly() {
        return 2 * longQueues() > queues.size() && !isStuck();
    }

    /// True if the queue was long in any sample and compilers still work on it. A queue that was
    /// short once may be long again a second later.
    private boolean hasWork() {
        return longQueues() > 0 && !isStuck();
    }

    private long longQueues() {
        return queues.stream().filter(q -> q > FEW).count();
    }

    /// True if the compilers have work and make no progress because they lack cores.
    ///
    /// @param patienceSeconds longest time that the queue may take at the present pace
    boolean isStarved(double patienceSeconds) {
        if (queues.isEmpty()) {
            return isKeptWaiting();
        }
        if (!hasBacklog()) {
            return false;
        }
        // when a CPU quota is used up, threads stop without waiting in a run queue
        return isKeptWaiting() || !drainsWithin(patienceSeconds);
    }

    private boolean isKeptWaiting() {
        return waited.filter(w -> w > limit() && w > used.orElse(0.0)).isPresent();
    }

    private boolean isStuck() {
        double wanted = used.orElse(0.0) + waited.orElse(0.0);
        return used.isPresent()
                && wanted < NOTHING_CORES
                && queues.stream().distinct().count() == 1
                && compiledPerS.filter(c -> c > 0).isEmpty();
    }

    private boolean drainsWithin(double seconds) {
        return compiledPerS
                .map(perS -> perS * seconds >= queues.getLast())
                .orElse(queues.getLast() < queues.getFirst());
    }

    private double limit() {
        return Math.max(CORES, SHARE * serviceCores.orElse(0.0));
    }

    /// Remaining work of the compilers, as a clause; empty if it is next to nothing.
    Optional<String> says() {
        if (hasWork()) {
            return Optional.of(
                    String.format(
                            Locale.ROOT,
                            "up to %,d methods still wait for the JIT compilers%s",
                            Collections.max(queues),
                            waited.map(w ->
                                            String.format(
                                                    Locale.ROOT,
                                                    ", which used %.2g cores and waited for %.2g",
                                                    used.orElse(0.0),
                                                    w))
                                    .orElse("")));
        }
        if (isBusy()) {
            return Optional.of(
                    String.format(
                            Locale.ROOT,
                            "the JIT compilers still used %.2g of the %.2g cores that the service used",
                            used.orElse(0.0),
                            serviceCores.orElse(0.0)));
        }
        if (isKeptWaiting()) {
            return Optional.of(
                    String.format(
                            Locale.ROOT,
                            "the JIT compilers used %.2g cores and waited for %.2g",
                            used.orElse(0.0),
                            waited.orElse(0.0)));
        }
        return Optional.empty();
    }

    WarmUpFacts.Compilers facts() {
        return new WarmUpFacts.Compilers(used, waited, queued());
    }
}
