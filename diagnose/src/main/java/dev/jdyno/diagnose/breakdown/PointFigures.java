package dev.jdyno.diagnose.breakdown;

import dev.jdyno.diagnose.reconcile.Balance;
import dev.jdyno.diagnose.reconcile.Measurement;
import dev.jdyno.diagnose.reconcile.Reconciled;
import dev.jdyno.diagnose.reconcile.Reconciliation;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.RequestCpu;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place.Activity;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.FigureId;
import dev.jdyno.measure.verdict.FigureId.Total;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// The measurements at one load and the laws that they must satisfy.
///
/// | law | figures |
/// | --- | --- |
/// | Little | requests in flight = throughput · response time |
/// | sum | the sum of the parts is at most the response time |
/// | utilisation | cores of the request threads = throughput · CPU of a request |
/// | whole | CPU by samples ≤ cores of the request threads ≤ cores of the process |
/// | scheduler | throughput · run-queue time of a request ≤ threads that the kernel counted in a run queue |
/// | pools | threads in use ≤ size of the pool; threads in use ≤ requests in flight |
/// | rates | events per second = throughput · events per request |
///
/// The place of threads is measured as a share of the requests in flight. So it does not depend on
/// the throughput of the window, which thread dumps reduce.
final class PointFigures {
    // names of figures, as the solver uses them
    private static final String IN_FLIGHT = Total.IN_FLIGHT.id();
    private static final String THROUGHPUT = Total.THROUGHPUT.id();
    private static final String RESPONSE_TIME = Total.RESPONSE_TIME.id();
    private static final String CPU = Total.CPU.id();
    static final String CPU_OF_THREADS = Total.CPU_OF_THREADS.id();
    static final String CPU_BY_SAMPLES = Total.CPU_BY_SAMPLES.id();
    static final String RUN_QUEUE = Total.RUN_QUEUE.id();
    private static final String RUN_QUEUE_OF_REQUESTS = Total.RUN_QUEUE_OF_REQUESTS.id();

    /// Minimum variance of the number of threads in one dump. Even if no thread or every thread is
    /// in a state, a dump may find a thread in it a moment too early or too late.
    private static final double MIN_VARIANCE = 0.25;

    /// Relative error of the number in flight: a connection has no request between an answer and
    /// the next request.
    private static final double TURNAROUND = 0.005;

    /// Full width of the 95 % interval of a normal distribution, in standard errors.
    private static final double WIDTH_95 = 2 * 1.96;

    /// Relative error of the mean length of the kernel's run queue. It is also the absolute error,
    /// in threads.
    private static final double SCHEDULER = 0.1;

    private static final double SCHEDULER_THREADS = 0.3;

    private final Round round;
    private final ThreadSamples window;
    private final Breakdown raw;
    private final List<Insight.Thrown> thrown;
    private final List<Measurement> measurements = new ArrayList<>();
    private final List<Balance> balances = new ArrayList<>();

    private PointFigures(
            Round round, ThreadSamples window, Breakdown raw, List<Insight.Thrown> thrown) {
        this.round = round;
        this.window = window;
        this.raw = raw;
        this.thrown = thrown;
    }

    /// @param round the round, with throughput and response times
    /// @param window the diagnostic window at the same load
    /// @param raw the round's breakdown from the window
    /// @param thrown exceptions at the same load
    static Reconciled reconciled(
            Round round, ThreadSamples window, Breakdown raw, List<Insight.Thrown> thrown) {
        var figures = new PointFigures(round, window, raw, thrown);
        figures.client();
        figures.cpu();
        figures.parts();
        figures.runQueue();
        figures.pools();
        figures.events();
        return Reconciliation.of(figures.measurements, figures.balances);
    }

    static String part(Cause cause) {
        return new FigureId.Part(cause).id();
    }

    static String pool(ThreadSamples.Pool pool) {
        return new FigureId.Pool(pool.name()).id();
    }

    static String events(int i) {
        return new FigureId.Exceptions(i).id();
    }

    /// Adds a measurement. A recording from a file may contain any number. An invalid number counts
    /// as not measured.
    private void measured(String name, double value, double standardError) {
        measurements.add(
                Double.isFinite(value) && standardError > 0
                        ? new Measurement(name, value, standardError)
                        : Measurement.unknown(name, 0));
    }

    private void unknown(String name, double guess) {
        measurements.add(Measurement.unknown(name, Double.isFinite(guess) ? guess : 0));
    }

    /// Adds the client's figures. The mean response time includes only a part of the requests that
    /// are open when the round begins or ends.
    private void client() {
        double qps = round.qps();
        double ofQps = Math.max(round.qpsCi95().width() / WIDTH_95 / qps, TURNAROUND);
        double edges = round.concurrency() / (2.0 * Math.max(1, round.requests()));
        measured(THROUGHPUT, qps, qps * ofQps);
        double mean = round.rtMs().mean();
        measured(RESPONSE_TIME, mean, mean * (ofQps + Math.min(1, edges)));
        if (round.ratePerS().isEmpty() && round.errors() == 0 && !round.client().saturated()) {
            double n = round.concurrency();
            measured(IN_FLIGHT, n, TURNAROUND * n);
            balances.add(
                    new Balance.Product(
                            "Little's law", IN_FLIGHT, 1e-3, THROUGHPUT, RESPONSE_TIME));
        }
    }

    private boolean knowsInFlight() {
        return measurements.stream().anyMatch(m -> m.name().equals(IN_FLIGHT));
    }

    private double threadsError(double threads) {
        double n = Math.max(round.concurrency(), threads);
        double variance = Math.max(threads * (1 - threads / n), MIN_VARIANCE);
        return Math.hypot(
                Math.sqrt(variance / Math.max(1, window.dumps())),
                RequestCpu.WINDOW_ERROR * threads);
    }

    private double msError(double ms) {
        double perThread = 1000 / round.qps();
        return threadsError(ms / perThread) * perThread;
    }

    private void cpu() {
        double ms = raw.ms(Cause.CPU);
        if (round.cpu().isEmpty() || ms <= 0) {
            return;
        }
        double process = round.cpu().get().ownCores();
        double threads = RequestCpu.coresOfThreads(window, process);
        measured(CPU, process, RequestCpu.CLOCK_ERROR * process + RequestCpu.CLOCK_ERROR);
        measured(
                CPU_OF_THREADS,
                threads,
                RequestCpu.WINDOW_ERROR * threads + RequestCpu.CLOCK_ERROR);
        balances.add(Balance.within("cores of the process", CPU, List.of(CPU_OF_THREADS)));
        unknown(part(Cause.CPU), ms);
        balances.add(
                new Balance.Product(
                        "utilisation law", CPU_OF_THREADS, 1e-3, THROUGHPUT, part(Cause.CPU)));
        double sampled = window.threads(Cause.CPU);
        if (sampled > 0) {
            measured(CPU_BY_SAMPLES, sampled, threadsError(sampled));
            balances.add(Balance.within("CPU of methods", CPU_OF_THREADS, List.of(CPU_BY_SAMPLES)));
        }
    }

    private void parts() {
        List<String> names = new ArrayList<>();
        for (Cause cause : Cause.values()) {
            double ms = raw.ms(cause);
            if (ms <= 0) {
                continue;
            }
            names.add(part(cause));
            boolean byClock = cause == Cause.CPU && round.cpu().isPresent();
            if (!byClock) {
                boolean counted = cause == Cause.GC || cause == Cause.SAFEPOINT;
                measured(
                        part(cause),
                        ms,
                        counted
                                ? RequestCpu.WINDOW_ERROR * ms + 1e-3 * round.rtMs().mean()
                                : msError(ms));
            }
        }
        if (!names.isEmpty()) {
            balances.add(Balance.within(ClosedPoint.SUM, RESPONSE_TIME, names));
        }
    }

    /// Adds the run queue. Virtual threads without a carrier are in no run queue of the kernel.
    private void runQueue() {
        double kernel = round.threads().map(t -> t.runQueueThreads()).orElse(0.0);
        double ms = raw.ms(Cause.RUN_QUEUE);
        if (kernel <= 0 || ms <= 0) {
            return;
        }
        measured(RUN_QUEUE, kernel, SCHEDULER * kernel + SCHEDULER_THREADS);
        unknown(RUN_QUEUE_OF_REQUESTS, ms * round.qps() / 1000);
        balances.add(
                new Balance.Product(
                        "run queue of a request",
                        RUN_QUEUE_OF_REQUESTS,
                        1e-3,
                        THROUGHPUT,
                        part(Cause.RUN_QUEUE)));
        balances.add(
                new Balance.Sum(
                        "run queue of the kernel",
                        Map.of(RUN_QUEUE_OF_REQUESTS, 1.0, RUN_QUEUE, -1.0),
                        withoutCarrier(window),
                        true));
    }

    static double withoutCarrier(ThreadSamples window) {
        return window.busy().stream()
                .filter(b -> b.cause() == Cause.RUN_QUEUE && b.place().is(Activity.CARRIER))
                .mapToDouble(ThreadSamples.Busy::threads)
                .sum();
    }

    /// Returns the pools that accept requests. Empty if the service sends requests to itself,
    /// because such a request has two threads.
    static List<ThreadSamples.Pool> pools(ThreadSamples window) {
        return window.pools().stream()
                .filter(p -> p.serving() && !p.virtual() && !p.loop())
                .filter(p -> p.size() > 0 && p.busy() > 0)
                .collect(
                        Collectors.toMap(
                                ThreadSamples.Pool::name,
                                p -> p,
                                (one, _) -> one,
                                LinkedHashMap::new))
                .values()
                .stream()
                .toList();
    }

    private void pools() {
        boolean twice = window.busy().stream().anyMatch(b -> b.ownPlace().isPresent());
        for (ThreadSamples.Pool pool : pools(window)) {
            String name = pool(pool);
            measured(name, pool.busy(), threadsError(pool.busy()));
            balances.add(Balance.atMost("size of pool " + pool.name(), name, pool.size()));
            if (knowsInFlight() && !twice) {
                balances.add(
                        Balance.within(
                                "threads in use of " + pool.name() + " within requests in flight",
                                IN_FLIGHT,
                                List.of(name)));
            }
        }
    }

    /// Adds the events per request, which are counted in a separate window. Their number per second
    /// is computed with the throughput of this load, because that of the window differs.
    private void events() {
        for (int i = 0; i < thrown.size(); i++) {
            Insight.Thrown t = thrown.get(i);
            if (t.perRequest() <= 0) {
                continue;
            }
            String ofARequest = new FigureId.ExceptionsPerRequest(i).id();
            double ofCount = 1 / Math.sqrt((double) Math.max(1, t.samples()));
            measured(
                    ofARequest,
                    t.perRequest(),
                    t.perRequest() * Math.hypot(RequestCpu.WINDOW_ERROR, ofCount));
            unknown(events(i), t.perSecond());
            balances.add(
                    new Balance.Product(
                            "rate of exceptions", events(i), 1, THROUGHPUT, ofARequest));
        }
    }
}
