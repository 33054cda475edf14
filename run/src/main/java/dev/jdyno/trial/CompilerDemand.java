package dev.jdyno.trial;

import dev.jdyno.measure.load.WarmUpFacts;
import dev.jdyno.observe.threads.CompilerLook;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// What JIT compilers had to do over some seconds: the cores that they used and waited for, and the
/// methods that waited for them. A compiler that gets no core uses nothing, and looks idle by its
/// CPU alone.
///
/// @param used cores; empty where the compilers' threads are not seen
/// @param waited cores that they waited for
/// @param queues methods that waited for them, at each look that saw the queue
/// @param compiledPerS methods that they finished; empty where that is not counted
/// @param serviceCores that the whole process used
record CompilerDemand(
        Optional<Double> used,
        Optional<Double> waited,
        List<Integer> queues,
        Optional<Double> compiledPerS,
        Optional<Double> serviceCores) {
    /// Methods in the queue that are no backlog: a fraction of a second's work, and a service that
    /// is warm has one now and then.
    static final int FEW = 10;

    /// Share of the service's own CPU that the compilers may still take: requests get no more than
    /// that much faster when they have ended.
    private static final double SHARE = 0.1;

    /// What the compilers may take where the service itself takes little, in cores: the cores are
    /// free then.
    private static final double CORES = 0.1;

    /// Cores below which nothing is compiled: a thread that only looks for work takes less.
    private static final double NOTHING_CORES = 0.01;

    CompilerDemand {
        queues = List.copyOf(queues);
    }

    static CompilerDemand of(List<CompilerLook> looks, Optional<Double> serviceCores) {
        return new CompilerDemand(
                Means.of(looks.stream().flatMap(l -> l.used().stream()).toList()),
                Means.of(looks.stream().flatMap(l -> l.waited().stream()).toList()),
                looks.stream().flatMap(l -> l.queued().stream()).toList(),
                Means.of(looks.stream().flatMap(l -> l.compiledPerS().stream()).toList()),
                serviceCores);
    }

    /// Methods that wait now.
    Optional<Integer> queued() {
        return queues.isEmpty() ? Optional.empty() : Optional.of(queues.getLast());
    }

    /// Whether they have next to nothing to do: no CPU that matters used or waited for, and a queue
    /// that is empty or that nothing works on any more.
    boolean isQuiet() {
        return !isBusy() && !isKeptWaiting() && !hasWork();
    }

    /// Whether they use CPU that requests would get if they ended.
    boolean isBusy() {
        return used.filter(u -> u > limit()).isPresent();
    }

    /// Whether more than a few methods waited at each look, and will be compiled. A queue that
    /// stays as it is while no compiler runs or wants to is not worked on any more: the compilers
    /// were stopped.
    boolean hasBacklog() {
        return !queues.isEmpty() && longQueues() == queues.size() && !isStuck();
    }

    /// The same at most of the looks: what is compiled is more than a few methods now and then.
    boolean mostlyHasWork() {
        return 2 * longQueues() > queues.size() && !isStuck();
    }

    /// The same at any of the looks: a queue that was short once may be long again a second later.
    private boolean hasWork() {
        return longQueues() > 0 && !isStuck();
    }

    private long longQueues() {
        return queues.stream().filter(q -> q > FEW).count();
    }

    /// Whether the compilers have work and do not get on with it for lack of cores.
    ///
    /// @param patienceSeconds for which a queue may last at the pace of now
    boolean isStarved(double patienceSeconds) {
        if (queues.isEmpty()) {
            return isKeptWaiting();
        }
        if (!hasBacklog()) {
            return false;
        }
        // a quota that is spent stops a thread without a wait in any run queue
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

    /// What they still have to do, as a clause; empty where that is next to nothing.
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
