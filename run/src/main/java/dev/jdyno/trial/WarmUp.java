package dev.jdyno.trial;

import dev.jdyno.load.pacing.Level;
import dev.jdyno.measure.Slice;
import dev.jdyno.measure.load.LoadPoint;
import dev.jdyno.measure.load.WarmUpFacts;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.observe.threads.CompilerSample;
import dev.jdyno.observe.threads.CompilerWatch;
import dev.jdyno.plan.Plan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Holds load until latency and CPU per request are steady and the JIT compilers have little left
/// to do. Measurements of this time are not used. If the load leaves the compilers no core, the
/// load rests for some seconds. Without the rest, their queue would last for minutes, with
/// throughput far below that of compiled code.
///
/// A lower load would also leave cores to the compilers, but it runs each method less often. In two
/// designs, one request was in flight until the compilers had ended: a Spring Boot application was
/// steady after 64 and 68 s. Without that, it was steady after 77 s.
final class WarmUp implements AutoCloseable {
    /// Maximum length of a rest, in which the compilers compile thousands of methods at some
    /// milliseconds each.
    private static final double MAX_REST_SECONDS = 30;

    /// Minimum time that must be left after a rest, because only the load after it shows its gain.
    private static final double MIN_LEFT_SECONDS = 2 * Steadiness.WINDOW + 2;

    private final Loading loading;
    private final TrialListener listener;
    private final Windows windows = new Windows(LoadPoint.Part.WARM_UP);

    /// The target's compiler threads; empty if they are not visible from here.
    private final Optional<CompilerWatch> compilers;

    private final List<WarmUpFacts.Rest> rests = new ArrayList<>();

    /// Samples of the compilers since the load began or since the last rest.
    private final List<CompilerSample> looks = new ArrayList<>();

    private int burstFrom;
    private Optional<Integer> queuedMost = Optional.empty();
    private double seconds;

    WarmUp(Loading loading, TrialListener listener) {
        this.loading = loading;
        this.listener = listener;
        this.compilers = loading.trialSetup().target().map(CompilerWatch::of);
    }

    /// Length of the warm-up so far.
    double seconds() {
        return seconds;
    }

    List<Slice> slices() {
        return windows.slices();
    }

    /// @return a warning if the service was not steady when the time was over
    Optional<Warning> run(Plan.Warmup warmup) throws InterruptedException {
        listener.phase("warming up with " + warmup.concurrency() + " in flight");
        var level = new Level.Closed(warmup.concurrency(), Duration.ZERO);
        loading.apply(level);
        long start = loading.clock().nanos();
        double max = Durations.seconds(warmup.atMost());
        loading.take();
        look(0);
        looks.clear();
        while (loading.slice(windows).isPresent()) {
            double before = seconds;
            seconds = loading.clock().secondsSince(start);
            look(seconds - before);
            listener.progress(
                    seconds, Optional.empty(), Optional.of(windows.slices().getLast().qps()));
            Steadiness steadiness = steadiness();
            boolean longEnough = seconds >= Durations.seconds(warmup.atLeast());
            Steadiness.Step next = steadiness.next();
            if (longEnough && next == Steadiness.Step.WARM) {
                return Optional.empty();
            }
            if (seconds >= max) {
                return steadiness.missed(
                        warmup.atMost(), Runtime.getRuntime().availableProcessors());
            }
            double left = max - seconds;
            if (next == Steadiness.Step.REST && left > MIN_LEFT_SECONDS) {
                rest(steadiness, Math.min(MAX_REST_SECONDS, left - 2 * Steadiness.WINDOW));
                listener.phase("warming up with " + warmup.concurrency() + " in flight again");
                loading.apply(level);
                loading.take();
                seconds = loading.clock().secondsSince(start);
                look(0);
                looks.clear();
            }
        }
        return Optional.empty();
    }

    /// Facts about the warm-up so far.
    WarmUpFacts facts() {
        List<WarmUpFacts.Rest> all = new ArrayList<>(rests);
        if (!all.isEmpty() && windows.slices().size() > burstFrom) {
            all.set(all.size() - 1, followed(all.getLast(), steadiness().qps()));
        }
        List<String> missing =
                compilers
                        .map(CompilerWatch::missing)
                        .orElse(List.of("the target's compilers are not seen from here"));
        return new WarmUpFacts(
                seconds, steadiness().demand().facts(), queuedMost, all, Optional.empty(), missing);
    }

    private Steadiness steadiness() {
        List<Slice> burst = windows.slices().subList(burstFrom, windows.slices().size());
        Optional<Double> gained = Optional.empty();
        if (!rests.isEmpty() && burst.size() >= 2 * Steadiness.WINDOW) {
            double now = new Steadiness(burst, looks, Optional.empty()).qps();
            gained = followed(rests.getLast(), now).ratio();
        }
        return new Steadiness(burst, looks, gained);
    }

    private static WarmUpFacts.Rest followed(WarmUpFacts.Rest rest, double qps) {
        return new WarmUpFacts.Rest(
                rest.fromS(),
                rest.seconds(),
                rest.queuedBefore(),
                rest.queuedAfter(),
                rest.qpsBefore(),
                Optional.of(qps));
    }

    /// @param elapsed seconds since the previous sample
    private void look(double elapsed) throws InterruptedException {
        if (compilers.isEmpty()) {
            return;
        }
        CompilerSample now = compilers.get().look(elapsed);
        looks.add(now);
        queuedMost = now.queued().map(q -> Math.max(q, queuedMost.orElse(0))).or(() -> queuedMost);
    }

    private void rest(Steadiness so, double max) throws InterruptedException {
        Optional<Integer> queued = so.demand().queued();
        listener.phase(
                queued.map(q -> String.format(Locale.ROOT, "%,d methods wait", q))
                                .orElse("the compilers wait")
                        + " for a core: a rest of at most "
                        + Math.round(max)
                        + " s lets them work");
        if (!rests.isEmpty()) {
            rests.set(rests.size() - 1, followed(rests.getLast(), so.qps()));
        }
        CompilerRest.Rested rested = CompilerRest.of(loading, compilers.orElseThrow(), max);
        rests.add(
                new WarmUpFacts.Rest(
                        seconds,
                        rested.seconds(),
                        queued,
                        rested.queued(),
                        so.qps(),
                        Optional.empty()));
        burstFrom = windows.slices().size();
    }

    @Override
    public void close() {
        compilers.ifPresent(CompilerWatch::close);
    }
}
