package dev.jdyno.observe.profiler;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stacks.StackClassifier;
import dev.jdyno.target.Target;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// CPU and wall profiles of a target by async-profiler, when the target loads it. For separate
/// windows.
public final class Profiler implements AutoCloseable {
    private final Optional<NativeProfiler> loaded;
    private final Optional<String> missing;

    private Profiler(Optional<NativeProfiler> loaded, Optional<String> missing) {
        this.loaded = loaded;
        this.missing = missing;
    }

    /// @param stop ends a window early, with the data so far
    /// @param frames meanings of stack frames, to recognise idle threads
    public static Profiler of(Target target, NanoClock clock, BooleanSupplier stop, Frames frames)
            throws InterruptedException {
        try {
            return new Profiler(
                    Optional.of(
                            NativeProfiler.load(target, clock, stop, new StackClassifier(frames))),
                    Optional.empty());
        } catch (UserError refused) {
            return new Profiler(Optional.empty(), Optional.of(refused.why()));
        }
    }

    /// The reason why the profiler gives no profiles; empty if it gives profiles.
    public Optional<String> missing() {
        return missing;
    }

    /// Threads on a core during the window; empty when the profiler is not loaded.
    ///
    /// @throws UserError when the target refuses during the window
    public Optional<Profile> cpu(Duration window) throws InterruptedException {
        return loaded.isPresent() ? Optional.of(loaded.get().cpu(window)) : Optional.empty();
    }

    /// Busy threads during the window; empty when the profiler is not loaded.
    ///
    /// @throws UserError when the target refuses during the window
    public Optional<Profile> wall(Duration window) throws InterruptedException {
        return loaded.isPresent() ? Optional.of(loaded.get().wall(window)) : Optional.empty();
    }

    @Override
    public void close() {
        loaded.ifPresent(NativeProfiler::close);
    }
}
