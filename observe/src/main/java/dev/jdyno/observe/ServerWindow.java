package dev.jdyno.observe;

import dev.jdyno.measure.ChildProgram;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Neighbour;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.statistics.Trend;
import dev.jdyno.measure.thread.ThreadCounts;
import dev.jdyno.measure.thread.ThreadCounts.Stops;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/// Observations of the target between two calls of {@link Observer#take}. Several windows can be
/// joined to one.
///
/// @param gc with `requestBytes` left empty: {@link #gcFor} fills it
public record ServerWindow(
        double seconds,
        Optional<CpuUse> cpu,
        Optional<ThreadCounts> threads,
        Optional<GcActivity> gc) {

    /// The collector's activity, with the mean bytes that a request allocated in the heap (formula
    /// F7).
    ///
    /// @param requests that ended in these {@link #seconds}; a share of those of a longer time need
    ///   not be whole
    public Optional<GcActivity> gcFor(double requests) {
        return gc.map(g ->
                new GcActivity(
                        g.young(),
                        g.full(),
                        g.pauseShare(),
                        g.allocBytesPerS(),
                        g.promotedBytesPerS(),
                        requests > 0
                                ? g.allocBytesPerS().map(b -> b * seconds / requests)
                                : Optional.empty(),
                        g.oldUsedBytes(),
                        g.oldCapacityBytes(),
                        g.detail(),
                        g.why()));
    }

    /// The same window with the threads that waited for the collector.
    ServerWindow withStalledThreads(double threads) {
        return new ServerWindow(
                seconds,
                cpu,
                this.threads,
                gc.map(g ->
                        new GcActivity(
                                g.young(),
                                g.full(),
                                g.pauseShare(),
                                g.allocBytesPerS(),
                                g.promotedBytesPerS(),
                                g.requestBytes(),
                                g.oldUsedBytes(),
                                g.oldCapacityBytes(),
                                g.detail(),
                                new GcActivity.Why(
                                        g.why().causes(),
                                        g.why().cycles(),
                                        g.why().oldFloorBytes(),
                                        Optional.of(threads),
                                        g.why().afterFull()))));
    }

    /// Joins the windows to one. Rates are averaged, weighted by time, and counts are added. A
    /// size, such as that of the old generation, comes from the last window.
    public static ServerWindow over(List<ServerWindow> windows) {
        double seconds = windows.stream().mapToDouble(ServerWindow::seconds).sum();
        return new ServerWindow(
                seconds,
                joined(windows, ServerWindow::cpu, ServerWindow::joinCpu),
                joined(windows, ServerWindow::threads, ServerWindow::joinThreads),
                joined(windows, ServerWindow::gc, ServerWindow::joinGc));
    }

    /// One part of a window with the window's length.
    private record Part<T>(T value, double seconds) {}

    private static <T> Optional<T> joined(
            List<ServerWindow> windows,
            Function<ServerWindow, Optional<T>> part,
            Function<List<Part<T>>, T> join) {
        List<Part<T>> parts =
                windows.stream()
                        .flatMap(w -> part.apply(w).stream().map(v -> new Part<>(v, w.seconds())))
                        .toList();
        return parts.isEmpty() ? Optional.empty() : Optional.of(join.apply(parts));
    }

    private static <T> double mean(List<Part<T>> parts, ToDoubleFunction<T> figure) {
        double sum = 0;
        double seconds = 0;
        for (Part<T> p : parts) {
            sum += figure.applyAsDouble(p.value()) * p.seconds();
            seconds += p.seconds();
        }
        return seconds == 0 ? 0 : sum / seconds;
    }

    private static CpuUse joinCpu(List<Part<CpuUse>> parts) {
        return new CpuUse(
                mean(parts, CpuUse::processCores),
                mean(parts, CpuUse::systemCores),
                mean(parts, CpuUse::clientCores),
                mean(parts, CpuUse::otherCores),
                mean(parts, CpuUse::availableCores),
                mean(parts, CpuUse::leftCores),
                mean(parts, CpuUse::machinePct),
                mean(parts, CpuUse::stealPct),
                mean(parts, CpuUse::throttledPct),
                mean(parts, CpuUse::throttledPeriodsPct),
                joinNeighbours(parts),
                joinChildren(parts));
    }

    /// CPU use of the programs that the target started, over the whole time: a program that ran in
    /// a part of it counts as 0 in the rest.
    private static List<ChildProgram> joinChildren(List<Part<CpuUse>> parts) {
        double seconds = parts.stream().mapToDouble(Part::seconds).sum();
        Map<String, Double> cores = new LinkedHashMap<>();
        for (Part<CpuUse> p : parts) {
            for (ChildProgram child : p.value().children()) {
                cores.merge(child.name(), child.cores() * p.seconds() / seconds, Double::sum);
            }
        }
        return ChildProgram.largest(cores);
    }

    /// CPU use of the neighbours over the whole time: a neighbour that started later counts as 0
    /// before.
    private static List<Neighbour> joinNeighbours(List<Part<CpuUse>> parts) {
        double seconds = parts.stream().mapToDouble(Part::seconds).sum();
        Map<Long, Neighbour> all = new HashMap<>();
        for (Part<CpuUse> p : parts) {
            for (Neighbour n : p.value().neighbours()) {
                all.merge(
                        n.pid(),
                        new Neighbour(n.name(), n.pid(), n.cores() * p.seconds() / seconds),
                        (a, b) -> new Neighbour(b.name(), b.pid(), a.cores() + b.cores()));
            }
        }
        return all.values().stream()
                .sorted(Comparator.comparingDouble(Neighbour::cores).reversed())
                .toList();
    }

    private static ThreadCounts joinThreads(List<Part<ThreadCounts>> parts) {
        var counted = parts.stream().filter(p -> p.value().startedPerS().isPresent()).toList();
        return new ThreadCounts(
                parts.getLast().value().live(),
                counted.isEmpty()
                        ? Optional.empty()
                        : Optional.of(mean(counted, t -> t.startedPerS().orElse(0.0))),
                mean(parts, ThreadCounts::runQueueThreads),
                joinStops(parts));
    }

    private static Optional<Stops> joinStops(List<Part<ThreadCounts>> parts) {
        List<Part<Stops>> seen =
                parts.stream()
                        .flatMap(p ->
                                p.value().stops().stream().map(s -> new Part<>(s, p.seconds())))
                        .toList();
        return seen.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Stops(
                                mean(seen, Stops::share),
                                mean(seen, Stops::syncShare),
                                mean(seen, Stops::perS)));
    }

    private static GcActivity joinGc(List<Part<GcActivity>> parts) {
        GcActivity last = parts.getLast().value();
        return new GcActivity(
                sum(parts, GcActivity::young),
                sum(parts, GcActivity::full),
                mean(parts, GcActivity::pauseShare),
                last.allocBytesPerS().map(_ -> mean(parts, g -> g.allocBytesPerS().orElse(0.0))),
                last.promotedBytesPerS()
                        .map(_ -> mean(parts, g -> g.promotedBytesPerS().orElse(0.0))),
                Optional.empty(),
                last.oldUsedBytes(),
                last.oldCapacityBytes(),
                Optional.empty(),
                joinWhy(parts));
    }

    private static GcActivity.Why joinWhy(List<Part<GcActivity>> parts) {
        Map<String, Long> causes = new HashMap<>();
        long cycles = 0;
        for (Part<GcActivity> p : parts) {
            p.value().why().causes().forEach((cause, n) -> causes.merge(cause, n, Long::sum));
            cycles += p.value().why().cycles();
        }
        var stalled =
                parts.stream().filter(p -> p.value().why().stalledThreads().isPresent()).toList();
        return new GcActivity.Why(
                causes,
                cycles,
                parts.stream()
                        .flatMap(p -> p.value().why().oldFloorBytes().stream())
                        .min(Double::compare),
                stalled.isEmpty()
                        ? Optional.empty()
                        : Optional.of(mean(stalled, g -> g.why().stalledThreads().orElse(0.0))),
                leftByFull(parts));
    }

    private static List<Trend.Point> leftByFull(List<Part<GcActivity>> parts) {
        List<Trend.Point> left = new ArrayList<>();
        double atS = 0;
        for (Part<GcActivity> p : parts) {
            atS += p.seconds();
            if (p.value().full().count() > 0 && p.value().why().oldFloorBytes().isPresent()) {
                left.add(new Trend.Point(atS, p.value().why().oldFloorBytes().get()));
            }
        }
        return left;
    }

    private static GcActivity.Count sum(
            List<Part<GcActivity>> parts, Function<GcActivity, GcActivity.Count> which) {
        long count = 0;
        double ms = 0;
        for (Part<GcActivity> p : parts) {
            count += which.apply(p.value()).count();
            ms += which.apply(p.value()).ms();
        }
        return new GcActivity.Count(count, ms);
    }
}
