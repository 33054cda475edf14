package dev.jdyno.driver;

import dev.jdyno.load.LoadGenerator;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.statistics.ClientMeter;
import dev.jdyno.load.statistics.ClientUse;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.load.statistics.ReportedWindow;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.load.DriverFacts;
import dev.jdyno.measure.statistics.Latency;
import dev.jdyno.measure.text.Secrets;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Drive;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Load that a program of the user sends.
///
/// A level is held by a long run whose figures are not read. It is ended when the level changes. If
/// figures are wanted ({@link #awaitWindow}), a short run replaces it, and the window lies inside
/// that run: after its start and the first connections, before its end. The program's report of the
/// run counts for the window. If the report lists each request, the requests that ended in the
/// window count; otherwise the report's rate and response times count. If no reader knows the form
/// of the first report, the service's own counters are used from the next run on.
///
/// If the driver sends through a proxy of ours, the proxy counts, and there are no short runs.
public final class DrivenLoad implements LoadGenerator {
    /// Length of a run without a window; it is ended earlier or started again after this time.
    private static final int HELD_SECONDS = 600;

    /// Length of a run of a driver that starts at once.
    private static final int RUN_SECONDS = 3;

    private static final int MAX_RUN_SECONDS = 20;

    /// Minimum length of a run as a multiple of the driver's start-up time.
    private static final double STARTS = 4;

    /// Time at both ends of a run outside of the window: the first connections, and the requests in
    /// flight at the end.
    private static final double LEAD_SECONDS = 0.25;

    private static final double TAIL_SECONDS = 0.15;

    /// Start-up time that is assumed until the first run has shown it.
    private static final double USUAL_START_SECONDS = 0.1;

    /// Maximum time for a driver to end after its load, because k6 lets iterations run for 30 s
    /// more.
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Duration CHECK_INTERVAL = Duration.ofMillis(50);

    /// Gap between two runs with windows, after which a run without a window holds the level.
    private static final double GAP_SECONDS = 0.5;

    private final Drive drive;
    private final Path folder;
    private final NanoClock clock;
    private final Optional<CountingProxy> through;
    private final Optional<ServiceCounts> counts;
    private final ClientMeter meter = new ClientMeter();
    private final Thread keeper;
    private Level level = new Level.Idle();
    private @Nullable DriverRun run;
    private boolean measured;
    private long windowStart;
    private long windowEnd;
    private long idleSince;
    private ProgramCpu atStart = ProgramCpu.NONE;
    private ProgramCpu atEnd = ProgramCpu.NONE;
    private double startSeconds = USUAL_START_SECONDS;
    private Optional<DriverReport> last = Optional.empty();
    private Optional<Double> runSeconds = Optional.empty();
    private volatile boolean closed;

    private Optional<UserError> failure = Optional.empty();

    /// True after a report in an unknown form: the service's counters are used from then on.
    private boolean byService;

    private Optional<ServiceCounts.Served> served = Optional.empty();

    private DrivenLoad(
            Drive drive,
            Path folder,
            NanoClock clock,
            Optional<CountingProxy> through,
            Optional<ServiceCounts> counts) {
        this.drive = drive;
        this.through = through;
        this.counts = counts;
        this.folder = folder;
        this.clock = clock;
        this.windowStart = clock.nanos();
        this.keeper = Thread.ofPlatform().name("jdyno-driver").daemon().unstarted(this::keep);
    }

    /// Creates the load; starts no run yet.
    ///
    /// @param service to which a proxy of ours forwards the driver's requests
    /// @param folder for the driver's output
    /// @param counts the service's own counters, which are closed with this load
    /// @throws UserError if the proxy's port is taken
    public static DrivenLoad start(
            Drive drive,
            InetSocketAddress service,
            Path folder,
            NanoClock clock,
            Optional<ServiceCounts> counts) {
        var load =
                new DrivenLoad(
                        drive,
                        folder,
                        clock,
                        drive.through().map(port -> CountingProxy.start(port, service, clock)),
                        counts);
        load.keeper.start();
        return load;
    }

    @Override
    public synchronized void apply(Level wanted) {
        if (wanted instanceof Level.Open || wanted instanceof Level.Replay) {
            throw UserError.usage(
                    "the driver cannot send a rate",
                    "jdyno gives it a number of users ({n})",
                    "leave --goal out, or let jdyno send the load: give a URL without --drive");
        }
        if (wanted.equals(level) && run != null && run.isRunning()) {
            return;
        }
        stop();
        level = wanted;
        if (!(wanted instanceof Level.Idle) && !closed) {
            var _ = begin(HELD_SECONDS, false);
        }
    }

    private DriverRun begin(int seconds, boolean withWindow) {
        DriverRun started = DriverRun.start(drive, level.connections(), seconds, folder, clock);
        run = started;
        measured = withWindow;
        return started;
    }

    private void stop() {
        if (run != null) {
            run.close();
            run = null;
        }
        measured = false;
        idleSince = clock.nanos();
    }

    /// Holds the level by runs without a window if no run with a window follows.
    private void keep() {
        try {
            while (!closed) {
                TimeUnit.NANOSECONDS.sleep(CHECK_INTERVAL.toNanos());
                keepOnce();
            }
        } catch (InterruptedException end) {
            // close() ends this thread by an interrupt
        }
    }

    private synchronized void keepOnce() {
        if (run != null) {
            run.limit();
        }
        boolean wanted = !(level instanceof Level.Idle) && !closed && !measured;
        if (!wanted) {
            return;
        }
        if (run == null && clock.secondsSince(idleSince) > GAP_SECONDS) {
            var _ = begin(HELD_SECONDS, false);
        } else if (run != null
                && !run.isRunning()
                && clock.secondsSince(run.startNanos()) > GAP_SECONDS) {
            if (through.isPresent() && failure.isEmpty()) {
                failure = run.failure();
            }
            stop();
        }
    }

    @Override
    public boolean awaitWindow(BooleanSupplier stop) throws InterruptedException {
        DriverRun started;
        synchronized (this) {
            if (level instanceof Level.Idle || through.isPresent()) {
                return false;
            }
            stop();
            started = begin(runSeconds(), true);
        }
        awaitStart(started, startSeconds, stop);
        begin();
        return true;
    }

    /// Waits until a run that holds the level sends: without a proxy, as long as the last measured
    /// run needed for its start.
    @Override
    public void awaitSending(BooleanSupplier stop) throws InterruptedException {
        DriverRun held;
        double startup;
        synchronized (this) {
            held = run;
            startup = startSeconds;
        }
        if (held == null) {
            return;
        }
        if (through.isPresent()) {
            CountingProxy proxy = through.get();
            awaitStart(held, MAX_RUN_SECONDS / STARTS, () -> stop.getAsBoolean() || proxy.counts());
        } else {
            awaitStart(held, startup, stop);
        }
    }

    private void awaitStart(DriverRun started, double startup, BooleanSupplier stop)
            throws InterruptedException {
        long until = started.startNanos() + Math.round((startup + LEAD_SECONDS) * 1e9);
        while (!stop.getAsBoolean() && clock.nanos() < until && started.isRunning()) {
            TimeUnit.NANOSECONDS.sleep(
                    Math.clamp(until - clock.nanos(), 1, CHECK_INTERVAL.toNanos()));
        }
    }

    private int runSeconds() {
        double lost = startSeconds + readingSeconds();
        return (int) Math.clamp(Math.ceil(STARTS * lost), RUN_SECONDS, MAX_RUN_SECONDS);
    }

    /// Time that a reading of the service's counters takes; 0 if they are not used.
    private double readingSeconds() {
        return byService ? counts.map(ServiceCounts::readingSeconds).orElse(0.0) : 0;
    }

    /// The service's counters, if they count the present run.
    private synchronized Optional<ServiceCounts> counting() {
        return counts.filter(_ -> byService && measured);
    }

    @Override
    public void begin() {
        counting().ifPresent(ServiceCounts::begin);
        beginWindow();
    }

    private synchronized void beginWindow() {
        windowStart = clock.nanos();
        windowEnd = 0;
        atStart = run == null ? ProgramCpu.NONE : run.cpu();
        through.ifPresent(CountingProxy::take);
        var _ = meter.since(List.of());
    }

    @Override
    public synchronized Duration window() {
        // the counters are read at both ends, while the load is on
        double ends = LEAD_SECONDS + TAIL_SECONDS + 2 * readingSeconds();
        double seconds =
                run == null || !measured ? 1 : Math.max(TAIL_SECONDS, run.seconds() - ends);
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }

    @Override
    public void cut() {
        cutWindow();
        served = counting().flatMap(ServiceCounts::end);
    }

    private synchronized void cutWindow() {
        windowEnd = clock.nanos();
        atEnd = run == null ? ProgramCpu.NONE : run.cpu();
    }

    @Override
    public LoadWindow take() {
        return through.map(this::counted).orElseGet(this::reported);
    }

    private synchronized LoadWindow counted(CountingProxy proxy) {
        if (failure.isPresent()) {
            throw failure.get();
        }
        cutWindow();
        double seconds = Math.max(1e-9, (windowEnd - windowStart) / 1e9);
        ClientUse use = atEnd.since(atStart, meter.since(List.of()), seconds);
        var window = ReportedWindow.of(windowStart, windowEnd, proxy.take(), use);
        windowStart = windowEnd;
        windowEnd = 0;
        atStart = atEnd;
        return window;
    }

    private LoadWindow reported() {
        DriverRun ending;
        boolean wanted;
        int users;
        if (windowEnd == 0) {
            cut();
        }
        synchronized (this) {
            users = level.connections();
            ending = run;
            wanted = measured;
        }
        long from = windowStart;
        long to = windowEnd;
        double seconds = Math.max(1e-9, (to - from) / 1e9);
        ClientUse use = atEnd.since(atStart, meter.since(List.of()), seconds);
        Optional<DriverReport> report =
                wanted && ending != null ? report(ending, from, to) : Optional.empty();
        LoadWindow window =
                report.map(r -> ReportedWindow.of(from, to, counts(r, users, seconds), use))
                        .orElseGet(() -> ReportedWindow.uncounted(from, to, use));
        synchronized (this) {
            if (wanted && run == ending) {
                stop();
            }
            begin();
        }
        return window;
    }

    private Optional<DriverReport> report(DriverRun ending, long from, long to) {
        try {
            if (!ending.await(PATIENCE)) {
                return Optional.empty();
            }
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
        long endNanos = clock.nanos();
        long nowMs = InstantSource.system().millis();
        double lasted = (endNanos - ending.startNanos()) / 1e9;
        runSeconds = Optional.of(lasted);
        if (byService) {
            startSeconds = Math.clamp(lasted - ending.seconds(), 0, MAX_RUN_SECONDS / STARTS);
            last = Optional.of(served(ending));
            return last;
        }
        Optional<DriverReport> read =
                ending.report(
                        new DriverOutput.Window(
                                nowMs - (endNanos - from) / 1_000_000,
                                nowMs - (endNanos - to) / 1_000_000));
        if (read.isEmpty()) {
            // one source for the whole run
            if (counts.isEmpty() || last.isPresent()) {
                throw ending.unknownForm(List.of());
            }
            byService = true;
            counts.get().begin(); // opens them now, because that may take seconds
            return Optional.empty();
        }
        DriverReport report = read.get();
        double took =
                report.sent()
                        .map(s -> lasted - (nowMs - s.firstMs()) / 1e3)
                        .orElse(lasted - report.seconds());
        startSeconds = Math.clamp(took, 0, MAX_RUN_SECONDS / STARTS);
        last = read;
        return last;
    }

    /// The report of a run that the service's counters counted.
    private DriverReport served(DriverRun ending) {
        ServiceCounts.Served seen =
                served.orElseThrow(() ->
                        ending.unknownForm(counts.map(ServiceCounts::failures).orElse(List.of())));
        if (seen.requests() + seen.failed() == 0) {
            throw ending.sentNothing(
                    "the service counted 0 requests in it (" + seen.source() + ")");
        }
        double unknown = Printed.UNKNOWN;
        return new DriverReport(
                seen.source(),
                seen.seconds(),
                seen.requests(),
                seen.failed() > 0 ? Map.of(DriverErrors.STATUS, seen.failed()) : Map.of(),
                Optional.empty(),
                new Latency(
                        seen.meanMs().orElse(unknown), unknown, unknown, unknown, unknown, unknown),
                seen.missing());
    }

    /// Counts of a window of that length.
    ///
    /// @param users requests that the program keeps in flight; with its rate they give a mean
    ///   response time that it does not print (Little's law)
    private static ReportedWindow.Counts counts(DriverReport report, int users, double seconds) {
        double part = report.seconds() <= 0 ? 0 : seconds / report.seconds();
        Map<String, Long> errors = new HashMap<>();
        report.errorKinds().forEach((kind, n) -> errors.put(kind, Math.round(n * part)));
        return new ReportedWindow.Counts(
                Math.round(report.requests() * part),
                errors,
                report.bytes().map(b -> Math.round(b * part)).orElse(0L),
                report.latencyNanos(),
                report.latency()
                        .map(l ->
                                Double.isNaN(l.mean()) && report.perSecond() > 0
                                        ? l.withMean(1000 * users / report.perSecond())
                                        : l));
    }

    @Override
    public Optional<DriverFacts> driver() {
        if (through.isPresent()) {
            return Optional.of(
                    new DriverFacts(
                            Secrets.commandLine(drive.command()),
                            "proxy",
                            List.of(DriverErrors.NO_INTENDED_START),
                            Optional.empty()));
        }
        return Optional.of(
                new DriverFacts(
                        Secrets.commandLine(drive.command()),
                        last.map(DriverReport::source).orElse("none"),
                        last.map(DriverReport::missing).orElse(List.of()),
                        runSeconds));
    }

    @Override
    public void close() {
        closed = true;
        keeper.interrupt();
        synchronized (this) {
            level = new Level.Idle();
            stop();
        }
        through.ifPresent(CountingProxy::close);
        counts.ifPresent(ServiceCounts::close);
    }
}
