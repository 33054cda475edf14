package dev.jdyno.capacity.headroom;

import dev.jdyno.measure.verdict.Headroom;
import dev.jdyno.measure.verdict.Headroom.DiskLimit;
import dev.jdyno.measure.verdict.Headroom.First;
import dev.jdyno.measure.verdict.Headroom.Known;
import dev.jdyno.measure.verdict.Headroom.Limit;
import dev.jdyno.measure.verdict.Headroom.PoolLimit;
import dev.jdyno.measure.verdict.Headroom.Reason;
import dev.jdyno.measure.verdict.Headroom.Unknown;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Fits the utilisation law to windows of natural traffic, for each measured resource.
public final class NaturalLoad {
    /// Length of a window in seconds. In shorter windows, the CPU time of many requests falls into
    /// the next window. The fitted slope would be too small.
    public static final double WINDOW_S = 5;

    /// Minimum length of a window in seconds. The readings at its ends come a little late, each by
    /// another time, so it may be shorter than {@link #WINDOW_S}.
    public static final double MIN_WINDOW_S = 0.95 * WINDOW_S;

    private NaturalLoad() {}

    /// @param seen windows of any length, in the order of time; they are joined to windows of at
    ///   least {@link #MIN_WINDOW_S}
    /// @param rtMs mean response time of these windows, in ms; empty if it is unknown
    public static Headroom headroom(List<LoadWindow> seen, Optional<Double> rtMs) {
        return seen.isEmpty() ? uncounted() : ofWindows(joined(seen), rtMs, WINDOW_S);
    }

    /// The headroom of a service whose requests were not counted.
    static Headroom uncounted() {
        return new Headroom(
                new Unknown(Reason.NO_THROUGHPUT, Optional.empty()),
                List.of(),
                Optional.empty(),
                List.of());
    }

    /// Fits the law to the windows as they are.
    ///
    /// @param windows in the order of time
    /// @param windowS usual length of a window in seconds, for the time to watch if they are too
    ///   few
    static Headroom ofWindows(List<LoadWindow> windows, Optional<Double> rtMs, double windowS) {
        var cpu = new ResourceUse();
        windows.forEach(w -> cpu.add(w, w.cores(), w.availableCores(), w.allCores()));
        Optional<MixedCpu> mixed = MixedCpu.of(windows, cpu);
        Limit ofCpu = mixed.<Limit>map(MixedCpu::limit).orElseGet(() -> cpu.limit(windowS));
        List<PoolLimit> pools = pools(windows, windowS);
        List<String> devices = devices(windows);
        List<DiskLimit> disks = disks(devices, windows, windowS);
        Optional<First> first = FirstLimit.of(ofCpu, pools, disks);
        return new Headroom(
                ofCpu,
                mixed.map(MixedCpu::mix),
                pools,
                disks,
                devices.size() - disks.size(),
                first,
                first.isPresent() ? LoadedTimes.of(ofCpu, pools, rtMs) : List.of());
    }

    /// Returns the limits of the pools that the service still reports and that requests used, the
    /// earliest limit first.
    private static List<PoolLimit> pools(List<LoadWindow> windows, double windowS) {
        List<PoolUse> reported =
                windows.reversed().stream()
                        .map(LoadWindow::pools)
                        .filter(pools -> !pools.isEmpty())
                        .findFirst()
                        .orElse(List.of());
        return reported.stream()
                .flatMap(last -> pool(last, windows, windowS).stream())
                .sorted(Comparator.comparingDouble(p -> limitPerS(p.limit())))
                .toList();
    }

    private static Optional<PoolLimit> pool(
            PoolUse last, List<LoadWindow> windows, double windowS) {
        var use = new ResourceUse();
        for (LoadWindow window : windows) {
            window.pool(last).ifPresent(p -> use.add(window, p.inUse(), p.size()));
        }
        double highest = use.highestUtilisation();
        return highest <= 0
                ? Optional.empty()
                : Optional.of(
                        new PoolLimit(
                                last.name(),
                                last.library(),
                                last.size(),
                                highest,
                                use.limit(windowS)));
    }

    private static List<String> devices(List<LoadWindow> windows) {
        return windows.stream()
                .flatMap(w -> w.disks().stream())
                .map(DiskBusy::device)
                .distinct()
                .toList();
    }

    /// Returns the limits of the disks that had work, the earliest limit first.
    private static List<DiskLimit> disks(
            List<String> devices, List<LoadWindow> windows, double windowS) {
        return devices.stream()
                .flatMap(device -> disk(device, windows, windowS).stream())
                .sorted(Comparator.comparingDouble(d -> limitPerS(d.limit())))
                .toList();
    }

    private static Optional<DiskLimit> disk(
            String device, List<LoadWindow> windows, double windowS) {
        var use = new ResourceUse();
        for (LoadWindow window : windows) {
            window.disk(device).ifPresent(d -> use.add(window, d.share(), 1));
        }
        double highest = use.highestUtilisation();
        if (highest <= 0) {
            return Optional.empty();
        }
        return Optional.of(new DiskLimit(device, highest, use.limit(windowS)));
    }

    private static double limitPerS(Limit limit) {
        return limit instanceof Known k ? k.limitPerS() : Double.POSITIVE_INFINITY;
    }

    /// Joins the windows into windows of at least {@link #MIN_WINDOW_S}; the rest at the end is
    /// left out.
    private static List<LoadWindow> joined(List<LoadWindow> seen) {
        List<LoadWindow> joined = new ArrayList<>();
        Optional<LoadWindow> open = Optional.empty();
        for (LoadWindow window : seen) {
            LoadWindow longer = open.map(o -> o.and(window)).orElse(window);
            if (longer.seconds() >= MIN_WINDOW_S) {
                joined.add(longer);
                open = Optional.empty();
            } else {
                open = Optional.of(longer);
            }
        }
        return joined;
    }
}
