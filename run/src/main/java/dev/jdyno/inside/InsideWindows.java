package dev.jdyno.inside;

import dev.jdyno.measure.thread.MethodName;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.SampledThreads;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.StageTimes;
import dev.jdyno.observe.jfr.ExceptionWatch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/// Diagnostic windows that follow each other while one load is held. They stop or slow the target.
/// Every method throws a {@link dev.jdyno.measure.text.UserError} if the target refuses.
public interface InsideWindows extends AutoCloseable {
    /// @param profile flame graph of the busy threads in the thread dumps
    /// @param missing what the windows so far could not measure, with the reasons
    record Sampled(SampledThreads threads, Profile profile, List<String> missing) {
        public Sampled {
            missing = List.copyOf(missing);
        }
    }

    /// @param missing the reason why the holders of growing objects are unknown
    record Growth(Signals signals, List<String> missing) {
        public Growth {
            missing = List.copyOf(missing);
        }
    }

    /// Takes thread dumps spread over a window, and reads the kernel's counters over that time.
    Sampled sample(Duration window, int dumps) throws InterruptedException;

    /// Counts live objects three times.
    ///
    /// @param apart time between two counts
    Growth growth(Duration apart) throws InterruptedException;

    /// The reason why there is no profiler; empty if there is one, or if none is wanted.
    Optional<String> profilerMissing();

    /// Empty if there is no profiler.
    Optional<Profile> profile(Profile.Kind kind, Duration window) throws InterruptedException;

    /// @param qps returns the requests per second since its last call; it is called at the
    ///   beginning and at the end of the window
    ExceptionWatch.Seen exceptions(Duration window, DoubleSupplier qps) throws InterruptedException;

    StageTimes stages(List<MethodName> methods, Duration window) throws InterruptedException;

    @Override
    void close();
}
