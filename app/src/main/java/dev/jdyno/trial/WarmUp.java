package dev.jdyno.trial;

import dev.jdyno.load.pacing.Level;
import dev.jdyno.measure.Slice;
import dev.jdyno.measure.load.LoadPoint;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.observe.threads.CompilerThreads;
import dev.jdyno.plan.Plan;
import dev.jdyno.target.ProcFs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Load until latency and CPU per request are steady and the JIT compilers have little left to do;
/// what was measured meanwhile does not count.
///
/// Fewer requests meanwhile would leave more of the cores to the compilers, but run each method
/// less often: in two designs of that, with one request in flight until its compilers had ended, a
/// Spring Boot application was steady after 64 and 68 s, and without after 77 s.
final class WarmUp {
    private final Loading loading;
    private final TrialListener listener;
    private final Windows windows = new Windows(LoadPoint.Part.WARM_UP);
    private final List<Double> compilerCores = new ArrayList<>();

    /// Empty where the target's threads are not seen from here.
    private final Optional<CompilerThreads> compilers;

    private double seconds;

    WarmUp(Loading loading, TrialListener listener) {
        this.loading = loading;
        this.listener = listener;
        this.compilers =
                loading.ground().target().map(t -> new CompilerThreads(ProcFs.SYSTEM, t.pid()));
    }

    /// How long it has lasted.
    double seconds() {
        return seconds;
    }

    List<Slice> slices() {
        return windows.slices();
    }

    /// @return that the service was not steady when the time was over
    Optional<Warning> run(Plan.Warmup warmup) throws InterruptedException {
        listener.phase("warming up with " + warmup.concurrency() + " in flight");
        loading.apply(new Level.Closed(warmup.concurrency(), Duration.ZERO));
        long start = loading.clock().nanos();
        loading.take();
        compilers.ifPresent(CompilerThreads::takeSeconds);
        while (loading.slice(windows).isPresent()) {
            double before = seconds;
            seconds = loading.clock().secondsSince(start);
            double elapsed = seconds - before;
            compilers.ifPresent(c -> compilerCores.add(c.takeSeconds() / elapsed));
            listener.progress(
                    seconds, Optional.empty(), Optional.of(windows.slices().getLast().qps()));
            var steadiness = new Steadiness(windows.slices(), compilerCores);
            boolean longEnough = seconds >= Durations.seconds(warmup.atLeast());
            if (longEnough && steadiness.reached()) {
                return Optional.empty();
            }
            if (seconds >= Durations.seconds(warmup.atMost())) {
                return steadiness.missed(
                        warmup.atMost(), Runtime.getRuntime().availableProcessors());
            }
        }
        return Optional.empty();
    }
}
