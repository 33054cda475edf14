package dev.jdyno.inside;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.thread.MethodName;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.SampledThreads;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.StageTimes;
import dev.jdyno.observe.heap.LeakTrail;
import dev.jdyno.observe.jfr.ExceptionWatch;
import dev.jdyno.observe.profiler.Profiler;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stacks.SourceLines;
import dev.jdyno.observe.stages.StageTimer;
import dev.jdyno.observe.window.ThreadSampler;
import dev.jdyno.target.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;

/// Diagnostic windows of a target on this machine.
final class LocalWindows implements InsideWindows {
    private final Target target;
    private final NanoClock clock;
    private final Frames frames;
    private final SourceLines lines;
    private final BooleanSupplier stop;
    private final ThreadSampler sampler;
    private final Optional<Profiler> profiler;

    private LocalWindows(
            Target target,
            NanoClock clock,
            Frames frames,
            SourceLines lines,
            BooleanSupplier stop,
            ThreadSampler sampler,
            Optional<Profiler> profiler) {
        this.target = target;
        this.clock = clock;
        this.frames = frames;
        this.lines = lines;
        this.stop = stop;
        this.sampler = sampler;
        this.profiler = profiler;
    }

    /// @param lines receives the source lines at which threads are seen
    static LocalWindows open(
            Target target, NanoClock clock, Frames frames, SourceLines lines, WindowSettings wanted)
            throws InterruptedException {
        ThreadSampler sampler =
                ThreadSampler.of(target, clock, frames).asking(wanted.asked()).until(wanted.stop());
        try {
            Optional<Profiler> profiler =
                    wanted.profile()
                            ? Optional.of(Profiler.of(target, clock, wanted.stop(), frames))
                            : Optional.empty();
            return new LocalWindows(target, clock, frames, lines, wanted.stop(), sampler, profiler);
        } catch (RuntimeException | InterruptedException notOpened) {
            sampler.close();
            throw notOpened;
        }
    }

    @Override
    public Sampled sample(Duration window, int dumps) throws InterruptedException {
        SampledThreads threads = sampler.take(0, window, dumps);
        return new Sampled(threads, sampler.profile(), sampler.missing());
    }

    @Override
    public Growth growth(Duration apart) throws InterruptedException {
        List<String> missing = new ArrayList<>();
        Signals grown = LeakTrail.during(target, () -> sampler.liveGrowth(apart), missing::add);
        return new Growth(grown, missing);
    }

    @Override
    public Optional<String> profilerMissing() {
        return profiler.flatMap(Profiler::missing);
    }

    @Override
    public Optional<Profile> profile(Profile.Kind kind, Duration window)
            throws InterruptedException {
        if (profiler.isEmpty()) {
            return Optional.empty();
        }
        return switch (kind) {
            case CPU -> profiler.get().cpu(window);
            case WALL -> profiler.get().wall(window);
        };
    }

    @Override
    public ExceptionWatch.Seen exceptions(Duration window, DoubleSupplier qps)
            throws InterruptedException {
        return ExceptionWatch.during(target, clock, stop, window, qps, frames);
    }

    @Override
    public StageTimes stages(List<MethodName> methods, Duration window)
            throws InterruptedException {
        return StageTimer.time(target, clock, stop, methods, window);
    }

    @Override
    public void close() {
        lines.addAll(sampler.lines());
        try {
            profiler.ifPresent(Profiler::close);
        } finally {
            sampler.close();
        }
    }
}
