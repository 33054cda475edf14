package dev.jdyno.trial.watch;

import dev.jdyno.inside.MachineFacts;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Machine;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.Standstill;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.Unseen;
import dev.jdyno.measure.service.ServiceFigures;
import dev.jdyno.measure.statistics.Throughput;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.SampledThreads;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.observe.Observer;
import dev.jdyno.observe.ServerWindow;
import dev.jdyno.observe.probe.Wait;
import dev.jdyno.plan.MetricsPlan;
import dev.jdyno.target.Target;
import dev.jdyno.trial.watch.LiveDiagnosis.Seen;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// Observes a running JVM minute by minute, for as long as it runs. It starts and changes nothing
/// in the JVM. Unlike {@link LiveDiagnosis} it keeps nothing of the minutes before, and it does not
/// lock the target: a `run` or `diagnose` may work on the same JVM meanwhile.
public final class MinuteWatch implements AutoCloseable {
    /// Seconds between two samples of data segments. Each sample starts `ss` twice, which would
    /// cost too much once a second.
    private static final double SEGMENTS_EVERY_S = 20;

    /// Minutes after which metrics that were not found are searched for again: a service may expose
    /// them only after its first request.
    private static final List<Integer> SEARCH_AGAIN = List.of(1, 10);

    /// Stops of the target after which the observer is opened again, because it reports at most 100
    /// of them separately.
    private static final int MANY_STOPS = 50;

    /// @param metrics place of the service's own metrics
    public record Settings(long pid, MetricsPlan metrics) {}

    private final Settings settings;
    private final NanoClock clock;
    private final BooleanSupplier stop;
    private final Target target;
    private final TargetFacts facts;
    private final Machine machine = MachineFacts.read();
    private final MinuteDumps dumps;
    private final NaturalWindows natural = new NaturalWindows(false);
    private Observer observer;
    private OwnMetrics own;
    private double perS;
    private int minutes;
    private boolean stoppedBefore;

    private MinuteWatch(
            Settings settings,
            NanoClock clock,
            BooleanSupplier stop,
            Target target,
            Observer observer)
            throws InterruptedException {
        this.settings = settings;
        this.clock = clock;
        this.stop = stop;
        this.target = target;
        this.observer = observer;
        this.facts = observer.facts();
        this.dumps = new MinuteDumps(target, clock);
        this.own = search();
    }

    /// Attaches to a JVM.
    ///
    /// @param stop true ends a minute early
    /// @throws UserError if there is no such JVM, or if it may not be observed
    public static MinuteWatch attach(Settings settings, NanoClock clock, BooleanSupplier stop)
            throws InterruptedException {
        Target target = Target.attach(settings.pid());
        try {
            return observed(settings, clock, stop, target);
        } catch (RuntimeException | InterruptedException refused) {
            target.close();
            throw refused;
        }
    }

    private static MinuteWatch observed(
            Settings settings, NanoClock clock, BooleanSupplier stop, Target target)
            throws InterruptedException {
        Observer observer = Observer.openSparing(target, clock);
        try {
            return new MinuteWatch(settings, clock, stop, target, observer);
        } catch (RuntimeException | InterruptedException refused) {
            // also after a defect: a watch tries again, and each try would leave two threads
            observer.close();
            throw refused;
        }
    }

    private OwnMetrics search() throws InterruptedException {
        OwnMetrics found = OwnMetrics.of(settings.metrics(), target, facts.flags(), clock);
        found.begin();
        return found;
    }

    /// True if the JVM still runs.
    public boolean isAlive() {
        return target.isAlive();
    }

    /// Observes the JVM for a minute. It ends early if the JVM ends, or if the user wants that.
    ///
    /// @param wanted number of thread dumps, spread over the minute
    public Seen observe(double seconds, int wanted) throws InterruptedException {
        long start = clock.nanos();
        List<Warning> warnings = new ArrayList<>();
        List<Unseen> unmeasured = new ArrayList<>();
        natural.next(own.found());
        if (stoppedBefore) {
            natural.leaveOutReading();
        }
        if (!own.found() && settings.metrics().search() && SEARCH_AGAIN.contains(minutes)) {
            own = search();
        }
        minutes++;
        dumps.begin(seconds, wanted, perS);
        List<ServerWindow> windows;
        Optional<Throughput> throughput;
        // one count of all requests is enough, whether it is by endpoint or not
        if (own.countsRequests()) {
            windows = counters(start, seconds, Optional.empty());
            own.turn();
            throughput = own.throughput();
        } else {
            try (RequestRate rate =
                    RequestRate.begin(target, clock, Optional.empty(), false, warnings)) {
                windows = counters(start, seconds, Optional.of(rate));
                own.turn();
                Optional<Throughput> counted = own.throughput();
                throughput = counted.isPresent() ? counted : rate.take();
                unmeasured.addAll(rate.missing());
            }
        }
        Optional<SampledThreads> threads = dumps.end();
        perS = throughput.map(Throughput::perS).orElse(0.0);
        unmeasured.addAll(own.missing());
        Seen seen = seen(start, windows, throughput, threads, warnings, unmeasured);
        renew();
        return seen;
    }

    /// @param rate counts requests; empty if the service's own metrics do
    private List<ServerWindow> counters(long start, double seconds, Optional<RequestRate> rate)
            throws InterruptedException {
        boolean bySegments = rate.filter(RequestRate::isBySegments).isPresent();
        var loads =
                new LoadSlices(
                        natural,
                        own,
                        () -> rate.isPresent() ? rate.get().since() : Optional.empty(),
                        bySegments);
        List<ServerWindow> windows = new ArrayList<>();
        double sampledS = -SEGMENTS_EVERY_S;
        // what happened between the minutes is not a part of this one
        observer.take();
        var slices = new Slices(clock.nanos(), start + Math.round(seconds * 1e9));
        while (!isOver(start, seconds)) {
            if (bySegments && clock.secondsSince(start) - sampledS >= SEGMENTS_EVERY_S) {
                sampledS = clock.secondsSince(start);
                rate.get().look();
            }
            Wait.until(clock, slices.end(clock.nanos()), stop);
            ServerWindow taken = observer.take();
            if (!target.isAlive()) {
                break;
            }
            windows.add(taken);
            loads.add(taken);
        }
        if (bySegments) {
            rate.get().look();
        }
        loads.end();
        return windows;
    }

    private boolean isOver(long start, double seconds) {
        return stop.getAsBoolean() || clock.secondsSince(start) >= seconds;
    }

    private Seen seen(
            long start,
            List<ServerWindow> windows,
            Optional<Throughput> throughput,
            Optional<SampledThreads> threads,
            List<Warning> warnings,
            List<Unseen> unmeasured) {
        Optional<Double> inFlight = threads.flatMap(LiveDiagnosis::inFlight);
        int concurrency = (int) Math.max(1, Math.round(inFlight.orElse(0.0)));
        ServerWindow did = ServerWindow.over(windows);
        Round round =
                Round.watched(
                        concurrency,
                        clock.secondsSince(start),
                        perS,
                        inFlight.orElse(0.0),
                        did.cpu(),
                        did.threads(),
                        did::gcFor);
        List<ThreadSamples> samples = threads.map(t -> t.at(concurrency, perS)).stream().toList();
        List<ServiceFigures> figures =
                own.figures().map(f -> f.at(concurrency, Optional.empty())).stream().toList();
        List<Standstill> stops = stops(start);
        stoppedBefore = !stops.isEmpty();
        Optional<UserError> ended = ended();
        var recording =
                new Recording(
                        machine,
                        facts.with(own.means(), unmeasured.stream().map(Unseen::text).toList())
                                .with(stops),
                        Optional.empty(),
                        List.of(round),
                        samples,
                        warnings,
                        stop.getAsBoolean() || ended.isPresent(),
                        Insight.NONE.withService(figures),
                        Optional.empty(),
                        List.of());
        boolean byService =
                throughput.filter(t -> t.source() == Throughput.Source.METRICS).isPresent();
        return new Seen(
                recording, inFlight, throughput, natural.countedBy(byService), unmeasured, ended);
    }

    /// The stops of the target in this minute.
    private List<Standstill> stops(long start) {
        return observer.standstills(start).stream()
                .filter(s -> s.toS().isEmpty() || s.toS().get() > 0)
                .toList();
    }

    private Optional<UserError> ended() {
        try {
            target.requireAlive();
            return Optional.empty();
        } catch (UserError gone) {
            return Optional.of(gone);
        }
    }

    private void renew() {
        if (observer.standstills(0).size() >= MANY_STOPS) {
            observer.close();
            observer = Observer.openSparing(target, clock);
        }
    }

    @Override
    public void close() {
        dumps.close();
        observer.close();
        target.close();
    }
}
