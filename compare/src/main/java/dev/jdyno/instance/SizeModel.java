package dev.jdyno.instance;

import dev.jdyno.capacity.Delay;
import dev.jdyno.capacity.OpenQueue;
import dev.jdyno.capacity.RequestPath;
import dev.jdyno.capacity.Resource;
import java.util.List;
import java.util.Optional;

/// Proposes a size, and divides the memory of a size into the heap and the rest.
///
/// - **CPU**: the smallest step whose utilisation is at most {@link #MAX_UTILISATION}, and at which
///   the open model (M/G/k) predicts a p99 within the strictest limit.
/// - **Memory**: heap + the memory outside the heap. The heap has room for the live objects, half
///   as much again, and {@link #YOUNG_SECONDS} of allocation.
///
/// The proposal is only a start: each size is verified.
public final class SizeModel {
    /// Highest utilisation of a proposed CPU limit. Above it, a quota that is spent early in a
    /// period stops the service for the rest of the period.
    private static final double MAX_UTILISATION = 0.75;

    /// Size of the heap as a multiple of the live objects, without the part for new objects.
    private static final double HEAP_OF_LIVE = 1.5;

    /// Seconds of allocation for which the heap has room, so that collections are not more
    /// frequent.
    private static final double YOUNG_SECONDS = 0.25;

    /// Factor on the memory outside the heap. It grows a little with time: more threads, more
    /// compiled code.
    private static final double OUTSIDE_GROWS = 1.1;

    /// Memory for buffers of the kernel that count in the group, and for short peaks.
    private static final double SPARE_MEBI = 16;

    private static final double MIN_HEAP_MEBI = 8;

    /// Share of the memory for the heap, if the memory outside the heap cannot be seen.
    private static final double HEAP_SHARE = 0.6;

    private static final double MEBI = 1024.0 * 1024.0;

    private static final double ROUNDING = 1e-9;

    private SizeModel() {}

    public static InstanceSize proposal(SizeDemand demand, SizeWish wish) {
        return wish.grid().atLeast(cores(demand, wish), mebi(demand));
    }

    private static double cores(SizeDemand demand, SizeWish wish) {
        double rate = wish.testedRatePerS();
        double limitMs = wish.strictestLimitMs();
        double highest = wish.grid().milliCpus().getLast() / 1000.0;
        return wish.grid().milliCpus().stream()
                .mapToDouble(m -> m / 1000.0)
                .filter(c -> rate * demand.cpuMs() / 1000 <= MAX_UTILISATION * c)
                .filter(c -> p99(demand, c, rate) <= limitMs)
                .findFirst()
                .orElse(highest);
    }

    /// The smallest number of full-size replicas of which each uses at most {@link
    /// #MAX_UTILISATION} of its cores for its part of the rate, with the reserve.
    static long replicas(SizeDemand demand, SizeWish wish) {
        double cores = wish.replicas() * wish.testedRatePerS() * demand.cpuMs() / 1000;
        double needed = cores / (MAX_UTILISATION * wish.grid().full().cores());
        // a whole number is not rounded up because of the last digit
        return Math.max(1, (long) Math.ceil(needed - ROUNDING));
    }

    private static double p99(SizeDemand demand, double cores, double rate) {
        RequestPath path =
                RequestPath.serial(
                        List.of(new Resource("cpu", demand.cpuMs(), cores)),
                        List.of(new Delay("rest", demand.restMs())));
        return OpenQueue.of(path)
                .at(rate)
                .map(OpenQueue.OpenPoint::p99Ms)
                .orElse(Double.POSITIVE_INFINITY);
    }

    private static double mebi(SizeDemand demand) {
        return demand.memory()
                .map(m ->
                        HEAP_OF_LIVE * m.liveBytes() / MEBI
                                + YOUNG_SECONDS * demand.allocBytesPerS() / MEBI
                                + outsideMebi(m.outsideBytes()))
                .or(demand::peakMebi)
                .orElse(Double.POSITIVE_INFINITY);
    }

    private static double outsideMebi(long outsideBytes) {
        return OUTSIDE_GROWS * outsideBytes / MEBI + SPARE_MEBI;
    }

    /// Largest heap for a memory limit, in MiB.
    static int heapMebi(InstanceSize size, Optional<SizeDemand> demand) {
        double heap =
                demand.flatMap(SizeDemand::memory)
                        .map(m -> size.mebibytes() - outsideMebi(m.outsideBytes()))
                        .orElse(HEAP_SHARE * size.mebibytes());
        return (int) Math.max(MIN_HEAP_MEBI, Math.floor(heap));
    }

    /// JVM flags for a size.
    static List<String> flags(InstanceSize size, Optional<SizeDemand> demand) {
        return List.of("-Xmx" + heapMebi(size, demand) + "m");
    }
}
