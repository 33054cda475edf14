package dev.jdyno.trial.watch;

import dev.jdyno.capacity.headroom.LoadWindow;
import dev.jdyno.inside.MachineFacts;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.Unseen;
import dev.jdyno.measure.service.ServiceFigures;
import dev.jdyno.measure.statistics.Throughput;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.MethodName;
import dev.jdyno.measure.thread.SampledThreads;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.SourceLine;
import dev.jdyno.measure.thread.StageTimes;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.observe.Observer;
import dev.jdyno.observe.ServerWindow;
import dev.jdyno.observe.host.DiskWatch;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stacks.SourceLines;
import dev.jdyno.observe.stages.StageTimer;
import dev.jdyno.observe.throughput.LineCount;
import dev.jdyno.observe.window.ThreadSampler;
import dev.jdyno.plan.MetricsPlan;
import dev.jdyno.target.Target;
import dev.jdyno.trial.Ending;
import dev.jdyno.trial.ExclusiveTarget;
import dev.jdyno.trial.LeftBehind;
import dev.jdyno.trial.NamedMethods;
import dev.jdyno.trial.TrialListener;
import dev.jdyno.trial.rounds.CountNote;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// Observes a running JVM under the load that it has: first counters, then a window of thread
/// dumps. It starts and changes nothing in the target, except to time stages or to start JMX if the
/// user wants that.
public final class LiveDiagnosis {
    private static final long SLICE_NANOS = 1_000_000_000L;

    /// Share of the time that goes to counters alone; the dumps, which stop the target, have the
    /// rest.
    private static final double COUNTERS_SHARE = 0.6;

    /// Seconds of thread dumps if the headroom is wanted, too. Counters get the rest of the time.
    private static final double DUMPS_S = 12;

    /// Time added for stages, as a share of the duration.
    private static final double STAGES_SHARE = 1.0 / 3;

    /// @param accessLog the file that the service appends a line to for each request
    /// @param startJmx whether the JVM's local JMX connector may be started to read the container's
    ///   request counter; it cannot be stopped again
    /// @param frames the meaning of stack frames
    /// @param headroom whether windows of natural load are collected for {@link
    ///   dev.jdyno.capacity.headroom.NaturalLoad}
    /// @param metrics place of the service's own metrics
    /// @param stages methods to time afterwards, which instruments them; empty to change nothing
    public record Settings(
            long pid,
            Duration duration,
            int dumps,
            Optional<Path> accessLog,
            boolean startJmx,
            boolean headroom,
            MetricsPlan metrics,
            List<MethodName> stages,
            Frames frames) {
        public Settings {
            stages = List.copyOf(stages);
        }
    }

    /// @param recording one round and its thread samples
    /// @param inFlight mean number of requests in the service; empty if it was not measured
    /// @param windows windows of natural load, in which requests were counted; empty if none were
    ///   wanted
    /// @param unmeasured figures of requests and pools that are unknown
    /// @param ended the reason why the observation was cut short: the JVM has ended
    public record Seen(
            Recording recording,
            Optional<Double> inFlight,
            Optional<Throughput> throughput,
            List<LoadWindow> windows,
            List<Unseen> unmeasured,
            Optional<UserError> ended) {
        public Seen {
            windows = List.copyOf(windows);
            unmeasured = List.copyOf(unmeasured);
        }

        /// Mean response time in ms: as the container or the service counted it, else by Little's
        /// law (F3).
        public Optional<Double> rtMs() {
            Optional<Double> counted = throughput.flatMap(Throughput::containerRtMs);
            return counted.isPresent()
                    ? counted
                    : throughput
                            .filter(x -> x.perS() > 0)
                            .flatMap(x -> inFlight.map(n -> n / x.perS() * 1000));
        }
    }

    private final Settings settings;
    private final TrialListener listener;
    private final NanoClock clock;
    private final BooleanSupplier stop;
    private final List<Warning> warnings = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();
    private final SourceLines sources = new SourceLines();
    private final NaturalWindows natural = new NaturalWindows(true);
    private Optional<UserError> ended = Optional.empty();
    private boolean force;

    public LiveDiagnosis(
            Settings settings, TrialListener listener, NanoClock clock, BooleanSupplier stop) {
        this.settings = settings;
        this.listener = listener;
        this.clock = clock;
        this.stop = stop;
    }

    /// Sets whether to go on if another jdyno works on the same target.
    public LiveDiagnosis force(boolean wanted) {
        force = wanted;
        return this;
    }

    /// Observes the JVM. If it gives no thread dump, only counters are read. If it ends, the result
    /// covers the time until then. The result reports both cases.
    ///
    /// @throws UserError if there is no such JVM, if it may not be observed, or if another jdyno
    ///   works on it
    public Seen run() throws InterruptedException {
        long startNanos = clock.nanos();
        Optional<LineCount> lines = settings.accessLog().map(this::opened);
        try (Target target = Target.attach(settings.pid());
                ExclusiveTarget alone = ExclusiveTarget.on(target, force);
                Observer observer = Observer.open(target, clock);
                RequestRate rate =
                        RequestRate.begin(target, clock, lines, settings.startJmx(), warnings)) {
            warnings.addAll(alone.warnings());
            warnings.addAll(LeftBehind.seen(target));
            TargetFacts facts = observer.facts();
            double seconds = Durations.seconds(settings.duration());
            OwnMetrics own = OwnMetrics.of(settings.metrics(), target, facts.flags(), clock);
            listener.phase("watching " + settings.pid());
            own.begin();
            List<ServerWindow> windows = counters(target, observer, rate, own, seconds);
            own.end();
            Optional<Throughput> throughput = throughput(rate, own);
            double qps = throughput.map(Throughput::perS).orElse(0.0);
            Optional<SampledThreads> threads = sampled(target, qps, seconds);
            windows.add(observer.take());
            Optional<Double> inFlight = threads.flatMap(LiveDiagnosis::inFlight);
            int concurrency = (int) Math.max(1, Math.round(inFlight.orElse(0.0)));
            List<ThreadSamples> threadSamples =
                    threads.map(t -> t.at(concurrency, qps)).stream().toList();
            ServerWindow did = ServerWindow.over(windows);
            Round round =
                    Round.watched(
                            concurrency,
                            did.seconds(),
                            qps,
                            inFlight.orElse(0.0),
                            did.cpu(),
                            did.threads(),
                            did::gcFor);
            List<Unseen> unseen = new ArrayList<>();
            Optional<StageTimes> stages = stages(target, seconds, unseen);
            List<ServiceFigures> read = figures(own, concurrency, throughput);
            List<Unseen> unmeasured = new ArrayList<>(rate.missing());
            unmeasured.addAll(own.missing());
            unmeasured.forEach(u -> missing.add(u.text()));
            List<SourceLine> places = sources.of(NamedMethods.of(threadSamples));
            var recording =
                    new Recording(
                            MachineFacts.read(),
                            facts.with(own.means(), List.of())
                                    .with(rate.means(), missing)
                                    .with(observer.standstills(startNanos)),
                            Optional.empty(),
                            List.of(round),
                            threadSamples,
                            warnings,
                            stop.getAsBoolean() || ended.isPresent(),
                            insight(stages, unseen, places).withService(read),
                            Optional.empty(),
                            List.of());
            Optional<UserError> why =
                    ended.map(e ->
                            Ending.asError(
                                    e,
                                    target.isAlive(),
                                    observer.memoryKill(),
                                    observer.heapFill(),
                                    facts.heapMaxBytes()));
            List<LoadWindow> loads = natural.windows(settings.accessLog().isPresent());
            return new Seen(recording, inFlight, throughput, loads, unmeasured, why);
        }
    }

    private LineCount opened(Path log) {
        return settings.headroom() ? LineCount.byEndpoint(log) : LineCount.of(log);
    }

    /// Returns the throughput by the access log if there is one, else by the service's own metrics,
    /// else by another count.
    private Optional<Throughput> throughput(RequestRate rate, OwnMetrics own)
            throws InterruptedException {
        Optional<Throughput> counted =
                settings.accessLog().isPresent() ? Optional.empty() : own.throughput();
        return counted.isPresent() ? counted : rate.take();
    }

    private List<ServiceFigures> figures(
            OwnMetrics own, int concurrency, Optional<Throughput> throughput) {
        Optional<Double> logged =
                settings.accessLog().isPresent()
                        ? throughput.map(Throughput::perS)
                        : Optional.empty();
        List<ServiceFigures> read =
                own.figures().map(f -> f.at(concurrency, logged)).stream().toList();
        read.forEach(f -> CountNote.of(f).ifPresent(warnings::add));
        return read;
    }

    private static Insight insight(
            Optional<StageTimes> stages, List<Unseen> unseen, List<SourceLine> places) {
        return new Insight(
                List.of(),
                stages.stream().toList(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                unseen,
                places,
                List.of());
    }

    /// Thread samples of the window; empty if the JVM ended before the first dump.
    private Optional<SampledThreads> sampled(Target target, double qps, double seconds)
            throws InterruptedException {
        if (hasEnded(target)) {
            return Optional.empty();
        }
        listener.phase("taking thread dumps of " + settings.pid());
        try (var taker = ThreadSampler.of(target, clock, settings.frames()).until(stop)) {
            SampledThreads threads =
                    taker.take(
                            qps,
                            Durations.ofSeconds(seconds - countersS(seconds)),
                            stop.getAsBoolean() ? 1 : settings.dumps());
            missing.addAll(taker.missing());
            sources.addAll(taker.lines());
            // a JVM that ended before its first dump has no samples, which does not mean no busy
            // threads
            boolean gone = hasEnded(target);
            return gone && threads.dumps() == 0 ? Optional.empty() : Optional.of(threads);
        }
    }

    private boolean hasEnded(Target target) {
        if (ended.isEmpty()) {
            try {
                target.requireAlive();
            } catch (UserError gone) {
                ended = Optional.of(gone);
                missing.add("the rest of the time: " + gone.why());
            }
        }
        return ended.isPresent();
    }

    /// Times of the stages; empty if none are wanted, or if they cannot be measured.
    private Optional<StageTimes> stages(Target target, double seconds, List<Unseen> unseen)
            throws InterruptedException {
        if (settings.stages().isEmpty() || stop.getAsBoolean() || ended.isPresent()) {
            return Optional.empty();
        }
        listener.phase("timing stages of " + settings.pid());
        try {
            return Optional.of(
                    StageTimer.time(
                            target,
                            clock,
                            stop,
                            settings.stages(),
                            Durations.ofSeconds(Math.max(1, seconds * STAGES_SHARE))));
        } catch (UserError refused) {
            unseen.add(new Unseen(Unseen.STAGES, refused.why()));
            return Optional.empty();
        }
    }

    /// Seconds in which only counters are read: for the headroom, all except those of the dumps.
    private double countersS(double seconds) {
        double share = seconds * COUNTERS_SHARE;
        return settings.headroom() ? Math.max(share, seconds - DUMPS_S) : share;
    }

    private List<ServerWindow> counters(
            Target target, Observer observer, RequestRate rate, OwnMetrics own, double all)
            throws InterruptedException {
        List<ServerWindow> windows = new ArrayList<>();
        double seconds = countersS(all);
        Optional<DiskWatch> disks =
                settings.headroom()
                        ? Optional.of(DiskWatch.of(target.pid(), clock))
                        : Optional.empty();
        observer.take();
        long start = clock.nanos();
        while (!stop.getAsBoolean() && clock.secondsSince(start) < seconds) {
            TimeUnit.NANOSECONDS.sleep(SLICE_NANOS);
            rate.look();
            if (hasEnded(target)) {
                return windows;
            }
            ServerWindow seen = observer.take();
            windows.add(seen);
            if (settings.headroom() && natural.add(seen)) {
                disks.ifPresent(d -> natural.addDisks(d.take()));
                close(natural, rate, own);
            }
            listener.progress(clock.secondsSince(start), Optional.of(seconds), Optional.empty());
        }
        return windows;
    }

    private static void close(NaturalWindows natural, RequestRate rate, OwnMetrics own)
            throws InterruptedException {
        natural.addEndpoints(rate.endpoints());
        if (own.mayRead()) {
            natural.close(rate.since(), own.look());
        } else {
            natural.close(rate.since());
        }
    }

    /// Number of requests in the service: those found in its threads, or those without an answer by
    /// the kernel's data on connections, whichever is more. Empty without thread dumps if the
    /// kernel has no such data.
    static Optional<Double> inFlight(SampledThreads threads) {
        Optional<Double> inside = threads.signals().of(Sign.REQUESTS_INSIDE);
        return threads.dumps() == 0 && inside.isEmpty()
                ? Optional.empty()
                : Optional.of(Math.max(threads.requestsFound(), inside.orElse(0.0)));
    }
}
