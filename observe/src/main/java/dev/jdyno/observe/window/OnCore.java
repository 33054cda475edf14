package dev.jdyno.observe.window;

import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.Place.Activity;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.observe.threads.CoreUse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Splits RUNNABLE threads into those that run, those that wait for a core, and those in native
/// code. The scheduler's statistics of these threads give the proportions. Pure.
final class OnCore {
    /// Minimum share of the RUNNABLE threads that the scheduler must account for. Below it, the
    /// remaining threads are blocked in native code. Above it, the difference is the dumps'
    /// sampling error.
    private static final double NATIVE_BELOW = 0.5;

    private OnCore() {}

    /// Use of cores by the threads of both sets, from the scheduler's statistics.
    static CoreUse sum(Set<Long> some, Set<Long> others, Map<Long, CoreUse> cores) {
        Set<Long> all = new HashSet<>(some);
        all.addAll(others);
        double onCpu = 0;
        double waiting = 0;
        for (long tid : all) {
            CoreUse use = cores.getOrDefault(tid, CoreUse.NONE);
            onCpu += use.onCpu();
            waiting += use.waiting();
        }
        return new CoreUse(onCpu, waiting);
    }

    /// Share of the threads found RUNNABLE in a file's system call that ran or waited for a core.
    /// The scheduler's statistics give the threads that ran or waited; those found running
    /// elsewhere are subtracted.
    static double kernelShare(double running, double inFiles, CoreUse scheduled) {
        return inFiles == 0
                ? 0
                : Math.clamp(
                        (scheduled.onCpu() + scheduled.waiting() - running) / inFiles, 0.0, 1.0);
    }

    /// @param running mean number of RUNNABLE threads at each place in the code
    /// @param use use of cores by these threads, from the scheduler's statistics
    /// @param scheduler whether its statistics could be read
    /// @param held place of the threads that neither run nor wait for a core
    static List<ThreadSamples.Busy> split(
            Map<Place, Double> running, CoreUse use, boolean scheduler, Place held) {
        double threads = running.values().stream().mapToDouble(Double::doubleValue).sum();
        if (threads == 0) {
            return List.of();
        }
        // a thread that neither runs nor waits for a core is blocked in native code
        double seen = use.onCpu() + use.waiting();
        double explained = seen < NATIVE_BELOW * threads ? threads : seen;
        double cpuShare = scheduler ? use.onCpu() / explained : 1;
        double queueShare = use.waiting() / explained;
        List<ThreadSamples.Busy> split = places(running, cpuShare);
        if (queueShare > 0) {
            split.add(
                    new ThreadSamples.Busy(
                            Cause.RUN_QUEUE,
                            new Place.Common(Activity.RUN_QUEUE),
                            threads * queueShare));
        }
        double rest = threads * (1 - cpuShare - queueShare);
        if (rest > 1e-9) {
            split.add(new ThreadSamples.Busy(Cause.OTHER, held, rest));
        }
        return split;
    }

    private static List<ThreadSamples.Busy> places(Map<Place, Double> running, double cpuShare) {
        List<ThreadSamples.Busy> places = new ArrayList<>();
        double elsewhere = 0;
        for (var e :
                running.entrySet().stream()
                        .sorted(Map.Entry.<Place, Double>comparingByValue().reversed())
                        .toList()) {
            double here = e.getValue() * cpuShare;
            if (places.size() < ThreadSamples.CPU_PLACES) {
                places.add(new ThreadSamples.Busy(Cause.CPU, e.getKey(), here));
            } else {
                elsewhere += here;
            }
        }
        if (elsewhere > 0) {
            places.add(
                    new ThreadSamples.Busy(
                            Cause.CPU, new Place.Common(Activity.ELSEWHERE), elsewhere));
        }
        return places;
    }
}
