package dev.jdyno.measure;

import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// CPU time of one request: the target's CPU use without its compilers, because their use does not
/// grow with the number of requests. It includes the collector, because each request allocates.
public final class RequestCpu {
    /// Maximum ratio of a round's CPU per request to the smallest one for the round to count as
    /// settled.
    private static final double SETTLED = 1.10;

    /// Maximum share of errors of a settled round. Requests that fail take less CPU, so rounds with
    /// more errors are not evidence.
    private static final double ERRORS = 0.05;

    /// Relative standard error of a figure from a diagnostic window before or after the round: the
    /// window has its own share of collections, compilations and neighbour load.
    public static final double WINDOW_ERROR = 0.05;

    /// Relative error of a clock or a kernel counter over a round, because a reading is late by up
    /// to a tick. The same number is also the absolute error of CPU use, in cores.
    public static final double CLOCK_ERROR = 0.02;

    private RequestCpu() {}

    /// Cores that the target used in a round. The compilers' cores are subtracted if a diagnostic
    /// window at the same load counted them. Empty if the target's CPU was not measured.
    public static Optional<Double> cores(Round round, List<ThreadSamples> threadSamples) {
        return round.cpu()
                .map(CpuUse::processCores)
                .map(process ->
                        window(round, threadSamples)
                                .map(c -> cores(c, process, round.qps()))
                                .orElse(process));
    }

    /// The process's cores without the compilers' cores. The result is at least the CPU that the
    /// kernel counted in the window for all threads except compilers, scaled to the round's
    /// throughput.
    private static double cores(ThreadSamples window, double process, double qps) {
        double others = threads(window) + window.signals().of(Sign.GC_CORES).orElse(0.0);
        double min = Math.min(others * qps / window.qps(), process);
        return Math.clamp(process - compilers(window), min, process);
    }

    /// Cores used by threads that requests wait for: the process's cores without those of collector
    /// and compiler threads. The result is at least the CPU that the kernel counted for these
    /// threads.
    ///
    /// @param process cores that the target used
    public static double coresOfThreads(ThreadSamples threadSamples, double process) {
        double collectors = threadSamples.signals().of(Sign.GC_CORES).orElse(0.0);
        return Math.clamp(
                process - compilers(threadSamples) - collectors,
                Math.min(threads(threadSamples), process),
                process);
    }

    private static double compilers(ThreadSamples threadSamples) {
        return threadSamples.signals().of(Sign.JIT_CORES).orElse(0.0);
    }

    private static double threads(ThreadSamples threadSamples) {
        return Math.max(0, threadSamples.cores() - compilers(threadSamples));
    }

    private static Optional<ThreadSamples> window(Round round, List<ThreadSamples> threadSamples) {
        return threadSamples.stream()
                .filter(c -> c.concurrency() == round.concurrency() && c.qps() > 0)
                .max(Comparator.comparingInt(ThreadSamples::dumps));
    }

    /// CPU time per request, in ms; empty if the target's CPU was not measured or no request was
    /// answered.
    public static Optional<Double> ms(Round round, List<ThreadSamples> threadSamples) {
        return cores(round, threadSamples)
                .filter(cores -> cores > 0 && round.qps() > 0)
                .map(cores -> cores / round.qps() * 1000);
    }

    /// The rounds in which CPU per request has settled. Some costs add to CPU per request only for
    /// a time or only at a limit. Examples are code not yet compiled, waking up for a single
    /// request, and switching between queued threads. So the smallest value is nearest to a
    /// request's CPU time without any other limit. The first of several rounds is left out. If it
    /// has the smallest value, CPU per request has grown since then.
    ///
    /// @param rounds in the order in which they were measured
    public static List<Round> settled(List<Round> rounds, List<ThreadSamples> threadSamples) {
        List<Round> seen =
                rounds.stream()
                        .skip(rounds.size() > 1 ? 1 : 0)
                        .filter(r -> r.ratePerS().isEmpty() && r.errorShare() <= ERRORS)
                        .filter(r -> ms(r, threadSamples).isPresent())
                        .toList();
        double min =
                seen.stream().mapToDouble(r -> ms(r, threadSamples).orElseThrow()).min().orElse(0);
        return seen.stream()
                .filter(r -> ms(r, threadSamples).orElseThrow() <= SETTLED * min)
                .toList();
    }
}
