package dev.jdyno.trial;

import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Slice;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.LoadPoint;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.observe.threads.CompilerSample;
import dev.jdyno.observe.threads.CompilerWatch;
import dev.jdyno.plan.Plan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// Measures one start of a service under load, from the launch of its process. This is what
/// production sees when an instance restarts while users keep sending requests.
public final class ColdStart {
    /// Maximum time for a JVM to write an archive when it ends.
    private static final double MAX_ARCHIVE_SECONDS = 180;

    private static final double MAX_REST_SECONDS = 30;

    private final NanoClock clock;
    private final TrialListener listener;
    private final BooleanSupplier stop;

    /// @param stop polled at least four times a second; true ends the measurement
    public ColdStart(TrialListener listener, NanoClock clock, BooleanSupplier stop) {
        this.listener = listener;
        this.clock = clock;
        this.stop = stop;
    }

    /// The load that a start gets.
    ///
    /// @param inFlight requests of the traffic at any time
    /// @param seconds of traffic
    /// @param callsSeconds duration of the calls before the traffic, one at a time; 0 for none
    /// @param fewSeconds first seconds of the traffic, with only `few` requests in flight; 0 for
    ///   none
    /// @param few requests in flight in that time
    /// @param limitMs response time from which a request is slow; empty to count none
    public record Traffic(
            int inFlight,
            double seconds,
            double callsSeconds,
            double fewSeconds,
            int few,
            Optional<Double> limitMs) {}

    /// One second of the traffic.
    ///
    /// @param atS end of the second, since the launch
    /// @param qps good requests per second
    /// @param errors requests that failed
    /// @param slow requests that took longer than the limit, or timed out
    /// @param queued methods that waited for a compiler; empty if the queue is unknown
    public record Second(
            double atS,
            double seconds,
            double qps,
            double rtMs,
            long errors,
            long slow,
            Optional<Integer> queued) {}

    /// One start.
    ///
    /// @param firstAnswerS time from the launch to the first good answer
    /// @param trafficS time from the launch to the begin of the traffic
    /// @param seconds the traffic, second by second
    /// @param afterRestQps throughput after a rest, in which the JIT compilers get all cores; empty
    ///   if they had nothing left to do
    /// @param facts of its JVM
    public record Curve(
            double firstAnswerS,
            double trafficS,
            List<Second> seconds,
            Optional<Double> afterRestQps,
            Optional<TargetFacts> facts) {
        public Curve {
            seconds = List.copyOf(seconds);
        }
    }

    /// Launches the service, loads it, and ends it.
    ///
    /// @param restAfter whether to measure at the end how much a rest of the JIT compilers raises
    ///   throughput
    /// @return empty if it was stopped before the traffic had ended
    /// @throws UserError if it does not start, or gives no good answer
    public Optional<Curve> measure(Plan plan, Traffic traffic, boolean restAfter, Path folder)
            throws InterruptedException {
        long launch = clock.nanos();
        try (TrialSetup setup = TrialSetup.untouched(plan, folder, clock, launch, stop);
                Loading loading = Loading.on(setup, clock, launch, stop)) {
            double first = clock.secondsSince(launch);
            if (traffic.callsSeconds() > 0) {
                loading.apply(closed(1));
                loading.waitFor(traffic.callsSeconds());
            }
            return traffic(loading, traffic, launch, first, restAfter);
        }
    }

    private Optional<Curve> traffic(
            Loading loading, Traffic traffic, long launch, double first, boolean restAfter)
            throws InterruptedException {
        Optional<CompilerWatch> watch = loading.trialSetup().target().map(CompilerWatch::of);
        try {
            double began = clock.secondsSince(launch);
            loading.apply(closed(traffic.fewSeconds() > 0 ? traffic.few() : traffic.inFlight()));
            loading.take();
            var windows = new Windows(LoadPoint.Part.WARM_UP);
            List<Second> seconds = new ArrayList<>();
            List<CompilerSample> looks = new ArrayList<>();
            boolean few = traffic.fewSeconds() > 0;
            double at = began;
            while (at - began < traffic.seconds()) {
                if (few && at - began >= traffic.fewSeconds()) {
                    few = false;
                    loading.apply(closed(traffic.inFlight()));
                }
                Optional<LoadWindow> seen = loading.slice(windows);
                if (seen.isEmpty()) {
                    return Optional.empty();
                }
                double now = clock.secondsSince(launch);
                CompilerSample look =
                        watch.isPresent() ? watch.get().look(now - at) : CompilerSample.UNSEEN;
                looks.add(look);
                seconds.add(second(seen.get(), windows, now, now - at, traffic, look));
                at = now;
                listener.progress(
                        at - began,
                        Optional.of(traffic.seconds()),
                        Optional.of(seconds.getLast().qps()));
            }
            Optional<Double> rested =
                    restAfter && watch.isPresent()
                            ? afterRest(loading, watch.get(), windows, looks, traffic)
                            : Optional.empty();
            return stop.getAsBoolean()
                    ? Optional.empty()
                    : Optional.of(new Curve(first, began, seconds, rested, facts(loading)));
        } finally {
            watch.ifPresent(CompilerWatch::close);
            loading.rest();
        }
    }

    private static Second second(
            LoadWindow seen,
            Windows windows,
            double at,
            double length,
            Traffic traffic,
            CompilerSample look) {
        Slice slice = windows.slices().getLast();
        long slow =
                traffic.limitMs()
                        .map(ms -> {
                            var histogram = seen.latencyNanos();
                            long limit = Math.round(ms * 1e6);
                            return histogram.getTotalCount()
                                    - histogram.getCountBetweenValues(0, limit)
                                    + seen.errorKinds().getOrDefault(ErrorKind.TIMEOUT.key(), 0L);
                        })
                        .orElse(0L);
        return new Second(
                at, length, slice.qps(), slice.rtMeanMs(), seen.errors(), slow, look.queued());
    }

    /// Throughput after a rest; empty if the compilers had nothing left to do when the traffic
    /// ended.
    private Optional<Double> afterRest(
            Loading loading,
            CompilerWatch watch,
            Windows windows,
            List<CompilerSample> looks,
            Traffic traffic)
            throws InterruptedException {
        if (new Steadiness(windows.slices(), looks, Optional.empty()).demand().isQuiet()) {
            return Optional.empty();
        }
        listener.phase("a rest for the compilers: what is full speed?");
        CompilerRest.of(loading, watch, MAX_REST_SECONDS);
        loading.apply(closed(traffic.inFlight()));
        loading.take();
        var after = new Windows(LoadPoint.Part.WARM_UP);
        for (int s = 0; s < 2 * Steadiness.WINDOW; s++) {
            if (loading.slice(after).isEmpty()) {
                return Optional.empty();
            }
        }
        return Optional.of(new Steadiness(after.slices(), List.of(), Optional.empty()).qps());
    }

    /// Launches the service with the flags that record an archive, loads it a little, and lets it
    /// end by itself, which writes the archive.
    ///
    /// @throws UserError if it does not start or does not end in time
    public void train(Plan plan, int inFlight, double seconds, Path folder)
            throws InterruptedException {
        long launch = clock.nanos();
        try (TrialSetup setup = TrialSetup.untouched(plan, folder, clock, launch, stop);
                Loading loading = Loading.on(setup, clock, launch, stop)) {
            loading.apply(closed(inFlight));
            loading.waitFor(seconds);
            loading.rest();
            long pid = setup.target().orElseThrow().pid();
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy);
            long start = clock.nanos();
            while (setup.targetIsAlive() && !stop.getAsBoolean()) {
                loading.waitFor(0.25);
                if (clock.secondsSince(start) > MAX_ARCHIVE_SECONDS) {
                    throw UserError.target(
                            "the JVM does not end, so that it writes no archive",
                            "SIGTERM was sent, and it still runs after "
                                    + Math.round(MAX_ARCHIVE_SECONDS)
                                    + " s",
                            "leave this try out with --try");
                }
            }
        }
    }

    private static Optional<TargetFacts> facts(Loading loading) throws InterruptedException {
        return loading.trialSetup().inside().isPresent()
                ? Optional.of(loading.trialSetup().inside().get().facts())
                : Optional.empty();
    }

    private static Level closed(int inFlight) {
        return new Level.Closed(inFlight, Duration.ZERO);
    }
}
