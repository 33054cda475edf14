package dev.jdyno.measure;

import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// CPU that one request takes: the target's own, without what its compilers use beside the
/// requests, for that does not grow with them. The collector's part is in it: each request
/// allocates.
public final class RequestCpu {
    /// Rounds whose CPU per request is within this factor of the least have settled.
    private static final double SETTLED = 1.10;

    /// Requests that fail take less: rounds with a larger share of errors say nothing.
    private static final double ERRORS = 0.05;

    private RequestCpu() {}

    /// Cores that the target used in a round, without those of its compilers where a diagnostic
    /// window at the same load counted them; empty where its CPU was not seen.
    public static Optional<Double> cores(Round round, List<ThreadSamples> census) {
        return round.cpu()
                .map(CpuUse::processCores)
                .map(process ->
                        window(round, census)
                                .map(c -> cores(c, process, round.qps()))
                                .orElse(process));
    }

    /// Process less compilers, and no less than what the kernel counted in the window for the other
    /// threads, collectors among them, for as many requests.
    private static double cores(ThreadSamples window, double process, double qps) {
        double others = threads(window) + window.signals().of(Sign.GC_CORES).orElse(0.0);
        double least = Math.min(others * qps / window.qps(), process);
        return Math.clamp(process - compilers(window), least, process);
    }

    /// Of the cores that the process used, those of threads that requests wait for: collectors and
    /// compilers have threads of their own. At least what the kernel counted for the others.
    ///
    /// @param process cores that the target used
    public static double coresOfThreads(ThreadSamples census, double process) {
        double collectors = census.signals().of(Sign.GC_CORES).orElse(0.0);
        return Math.clamp(
                process - compilers(census) - collectors,
                Math.min(threads(census), process),
                process);
    }

    private static double compilers(ThreadSamples census) {
        return census.signals().of(Sign.JIT_CORES).orElse(0.0);
    }

    private static double threads(ThreadSamples census) {
        return Math.max(0, census.cores() - compilers(census));
    }

    private static Optional<ThreadSamples> window(Round round, List<ThreadSamples> census) {
        return census.stream()
                .filter(c -> c.concurrency() == round.concurrency() && c.qps() > 0)
                .max(Comparator.comparingInt(ThreadSamples::dumps));
    }

    /// In ms; empty where the target's CPU was not seen or nothing was answered.
    public static Optional<Double> ms(Round round, List<ThreadSamples> census) {
        return cores(round, census)
                .filter(cores -> cores > 0 && round.qps() > 0)
                .map(cores -> cores / round.qps() * 1000);
    }

    /// The rounds in which it has settled. All that adds to it goes away later or with a limit:
    /// code that is not compiled yet, waking up for a single request, switching between threads
    /// that queue. So the least is nearest to what a request takes once nothing else limits. Where
    /// the first round has least, nothing has settled since: it does not count beside others.
    ///
    /// @param rounds in the order in which they were measured
    public static List<Round> settled(List<Round> rounds, List<ThreadSamples> census) {
        List<Round> seen =
                rounds.stream()
                        .skip(rounds.size() > 1 ? 1 : 0)
                        .filter(r -> r.ratePerS().isEmpty() && r.errorShare() <= ERRORS)
                        .filter(r -> ms(r, census).isPresent())
                        .toList();
        double least = seen.stream().mapToDouble(r -> ms(r, census).orElseThrow()).min().orElse(0);
        return seen.stream().filter(r -> ms(r, census).orElseThrow() <= SETTLED * least).toList();
    }
}
