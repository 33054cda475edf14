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

/// Diagnostic windows, one after another: what stops or slows the target, at a load that is held
/// meanwhile. Every method throws a {@link dev.jdyno.measure.text.UserError} when the target
/// refuses.
public interface Look extends AutoCloseable {
    /// @param profile the dumps' threads in use as a flame graph
    /// @param missing what could not be seen in the windows so far, with the reasons
    record Sampled(SampledThreads threads, Profile profile, List<String> missing) {
        public Sampled {
            missing = List.copyOf(missing);
        }
    }

    /// @param missing why the holders of what grows are not known
    record Growth(Signals signals, List<String> missing) {
        public Growth {
            missing = List.copyOf(missing);
        }
    }

    /// Thread dumps spread over a window, with what the kernel counts meanwhile.
    Sampled sample(Duration window, int dumps) throws InterruptedException;

    /// Counts live objects three times.
    ///
    /// @param apart time from one count to the next
    Growth growth(Duration apart) throws InterruptedException;

    /// Why there is no profiler; empty when there is one, or when none is wanted.
    Optional<String> profilerMissing();

    /// Empty when there is no profiler.
    Optional<Profile> profile(Profile.Kind kind, Duration window) throws InterruptedException;

    /// @param qps requests per second since it was last asked; asked when the window begins and
    ///   when it ends
    ExceptionWatch.Seen exceptions(Duration window, DoubleSupplier qps) throws InterruptedException;

    StageTimes stages(List<MethodName> methods, Duration window) throws InterruptedException;

    @Override
    void close();
}
