package dev.jdyno.inside.remote;

import dev.jdyno.inside.Inside;
import dev.jdyno.inside.InsideWindows;
import dev.jdyno.inside.WindowSettings;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Standstill;
import dev.jdyno.measure.text.Explaining;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Validity.Warning;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// The agent's side of {@link RemoteInside}: answers one coordinator. Long windows run in sequence
/// on one thread and cuts on another, so that a slow target never blocks the link. Messages that
/// the link does not accept are dropped and counted; nothing ever waits for the coordinator.
public final class ObservingSession implements AutoCloseable {
    private static final long BEAT_MS = 500;

    /// Maximum number of waiting requests; a coordinator waits for each answer before its next
    /// request.
    private static final int MAX_QUEUED = 8;

    /// Maximum wait for the instant of an announced cut.
    private static final long AHEAD_NANOS = 60_000_000_000L;

    private static final int MAX_STANDSTILLS = 100;

    /// Maximum time for the request in progress to end. The same time again is allowed to end what
    /// was started in the target.
    private static final long CLOSE_SECONDS = 10;

    /// Finds the selected JVM and begins to observe it, with the same checks as without an agent.
    @FunctionalInterface
    public interface Opening {
        /// @param which in the form of {@link Ask.Open}
        /// @throws UserError if it may not be observed
        Begun open(String which) throws InterruptedException;

        /// Starts a command of the agent's own list.
        ///
        /// @param name of the command in that list
        /// @throws UserError if the list has no such name, or the command starts no JVM
        default Started launch(String name) throws InterruptedException {
            throw UserError.usage(
                    "it starts no service",
                    "it was started without --launch",
                    "start it with --launch " + name + "='COMMAND'");
        }
    }

    /// A service that was started for the session.
    public interface Started {
        /// The port that its command was given.
        int port();

        /// Begins to observe the JVM that listens on the port; empty if none does yet.
        ///
        /// @throws UserError if the service has ended, or cannot be observed
        Optional<Begun> begin() throws InterruptedException;

        /// @throws UserError with its last output if the service has ended
        void requireAlive();

        /// Ends its processes. May be called from several threads, and more than once.
        void end();
    }

    /// @param doubts warnings about the start of the observation, for the reader of the result
    /// @param after runs after the observation is closed and ends what was opened for it
    public record Begun(Inside inside, List<Warning> doubts, Runnable after) {
        public Begun {
            doubts = List.copyOf(doubts);
        }
    }

    private final Link link;
    private final Wire wire;
    private final NanoClock clock;
    private final Opening opening;
    private final Pace pace;
    private final AtomicLong unsent = new AtomicLong();
    private final ThreadPoolExecutor work =
            new ThreadPoolExecutor(
                    1,
                    1,
                    0,
                    TimeUnit.SECONDS,
                    new ArrayBlockingQueue<>(MAX_QUEUED),
                    r -> Thread.ofPlatform().name("jdyno-observe").daemon().unstarted(r));
    private final ScheduledExecutorService cuts =
            Executors.newScheduledThreadPool(
                    1, r -> Thread.ofPlatform().name("jdyno-cuts").daemon().unstarted(r));
    private volatile Optional<Begun> begun = Optional.empty();
    private volatile Optional<Started> started = Optional.empty();
    private volatile boolean stopped;
    private volatile boolean closing;
    private Optional<InsideWindows> windows = Optional.empty();
    private long openedNanos;

    private ObservingSession(Link link, Wire wire, NanoClock clock, Opening opening, Pace pace) {
        this.link = link;
        this.wire = wire;
        this.clock = clock;
        this.opening = opening;
        this.pace = pace;
    }

    /// Answers the requests that come over the link until it is closed.
    public static ObservingSession on(
            Link link, Wire wire, NanoClock clock, Opening opening, Pace pace) {
        var session = new ObservingSession(link, wire, clock, opening, pace);
        link.receive(session::received);
        var _ =
                session.cuts.scheduleWithFixedDelay(
                        session::beat, BEAT_MS, BEAT_MS, TimeUnit.MILLISECONDS);
        return session;
    }

    private void received(byte[] message) {
        try {
            Wire.Asked asked = wire.readAsk(message);
            switch (asked.ask()) {
                case Ask.Stop() -> stopped = true;
                case Ask.Cut(long at) -> {
                    long wait = Math.clamp(at - clock.nanos(), 0, AHEAD_NANOS);
                    var _ = cuts.schedule(() -> cut(asked.id()), wait, TimeUnit.NANOSECONDS);
                }
                default -> work.execute(() -> answer(asked));
            }
        } catch (Wire.Unreadable none) {
            refuse(
                    0,
                    UserError.usage(
                            "a message cannot be read",
                            String.valueOf(none.getMessage()),
                            "run the same version of jdyno on both hosts"));
        } catch (RejectedExecutionException tooMany) {
            unsent.incrementAndGet();
        }
    }

    private void send(long id, Wire.Kind kind, Object body) {
        byte[] message = wire.post(id, kind, body);
        if (message.length > Wire.MAX_BYTES) {
            refuse(
                    id,
                    UserError.target(
                            "an answer is too large",
                            message.length + " bytes",
                            "observe fewer threads, or leave profiles out"));
        } else if (!link.send(message)) {
            unsent.incrementAndGet();
        }
    }

    private void refuse(long id, UserError why) {
        send(
                id,
                Wire.Kind.FAILURE,
                new Wire.Failure(why.kind(), why.what(), why.why(), why.fix(), false));
    }

    private void beat() {
        begun.map(Begun::inside)
                .ifPresent(i -> {
                    List<Standstill> all = i.standstills(openedNanos);
                    send(
                            0,
                            Wire.Kind.BEAT,
                            new Wire.Beat(
                                    i.isAlive(),
                                    all.subList(
                                            Math.max(0, all.size() - MAX_STANDSTILLS), all.size()),
                                    unsent.get()));
                });
    }

    private void cut(long id) {
        try {
            send(id, Wire.Kind.ANSWER, required().take().orElseThrow());
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException failed) {
            refuse(id, Explaining.failure("it read the counters", failed));
        }
    }

    private void answer(Wire.Asked asked) {
        try {
            pace.require(asked.ask());
            send(asked.id(), Wire.Kind.ANSWER, body(asked.id(), asked.ask()));
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } catch (IOException unread) {
            send(
                    asked.id(),
                    Wire.Kind.FAILURE,
                    new Wire.Failure(
                            UserError.Kind.TARGET,
                            "a recording cannot be read",
                            String.valueOf(unread.getMessage()),
                            "look at the agent's host",
                            true));
        } catch (RuntimeException | OutOfMemoryError failed) {
            refuse(asked.id(), Explaining.failure("it observed", failed));
        }
    }

    private boolean isStopped() {
        return stopped || closing;
    }

    private Inside required() {
        return begun.map(Begun::inside)
                .orElseThrow(() ->
                        UserError.usage(
                                "nothing is observed",
                                "no session is open",
                                "begin with the target"));
    }

    private InsideWindows requiredWindows() {
        stopped = false;
        return windows.orElseThrow(
                () -> UserError.usage("nothing is looked at", "no window is open", "begin one"));
    }

    private Object body(long id, Ask ask) throws IOException, InterruptedException {
        return switch (ask) {
            case Ask.Open(String which) -> open(which);
            case Ask.Launch(String name) -> launch(name);
            case Ask.Begin() -> begin().stream().toList();
            case Ask.Alive() -> alive();
            case Ask.Close() -> {
                end();
                yield true;
            }
            case Ask.Stop(), Ask.Cut(_) -> throw new IllegalStateException("answered elsewhere");
            case Ask.Facts() -> required().facts();
            case Ask.TakeBack() -> required().takeBack();
            case Ask.AtRest() -> required().hostAtRest().stream().toList();
            case Ask.Heap() -> required().heapFill().stream().toList();
            case Ask.Killed() -> required().memoryKill().stream().toList();
            case Ask.BeginLook(var asked, boolean profile) -> {
                endWindows();
                stopped = false;
                InsideWindows opened =
                        required().windows(new WindowSettings(asked, profile, this::isStopped));
                windows = Optional.of(opened);
                yield opened.profilerMissing().stream().toList();
            }
            case Ask.EndLook() -> {
                endWindows();
                yield true;
            }
            case Ask.Sample(var window, int dumps) -> requiredWindows().sample(window, dumps);
            case Ask.Growth(var apart) -> requiredWindows().growth(apart);
            case Ask.ProfileWindow(var kind, var window) ->
                    requiredWindows().profile(kind, window).stream().toList();
            case Ask.Exceptions(var window) ->
                    requiredWindows()
                            .exceptions(
                                    window,
                                    () -> {
                                        send(id, Wire.Kind.MOMENT, true);
                                        return 0;
                                    });
            case Ask.Stages(var methods, var window) -> requiredWindows().stages(methods, window);
            case Ask.FinishRecording() -> required().finishRecording();
            case Ask.RefineGc(var counted, var round, long requests) ->
                    required().refined(counted, round, requests);
            case Ask.CodeThatRan(var pools, var round, var nearby) ->
                    required().runningCode(pools, round, nearby);
            case Ask.CpuSamples(var span, double cores) ->
                    required().cpuSamples(span, cores).stream().toList();
            case Ask.Waits(var span, int n, double qps) -> required().waits(span, n, qps);
            case Ask.CallRates(var span, int n, double qps) -> required().calls(span, n, qps);
            case Ask.Origins() -> required().origins();
            case Ask.Allocations(var span, int n, double qps) ->
                    required().allocations(span, n, qps);
            case Ask.Pinned(var span, int n, double qps) -> required().pinned(span, n, qps);
            case Ask.Lines(var methods) -> required().lines(methods);
            case Ask.Logging() -> required().logging();
        };
    }

    /// True if the observed JVM runs.
    ///
    /// @throws UserError with its last output if a service that was started here has ended
    private boolean alive() {
        boolean alive = required().isAlive();
        if (!alive) {
            started.ifPresent(Started::requireAlive);
        }
        return alive;
    }

    private Wire.Opened open(String which) throws InterruptedException {
        end();
        return opened(opening.open(which));
    }

    private Wire.Launched launch(String name) throws InterruptedException {
        end();
        Started service = opening.launch(name);
        started = Optional.of(service);
        if (closing) {
            service.end(); // the end may have come before it was known here
        }
        return new Wire.Launched(service.port());
    }

    private Optional<Wire.Opened> begin() throws InterruptedException {
        Started service =
                started.orElseThrow(() ->
                        UserError.usage(
                                "no service was started",
                                "no launch came before",
                                "name a command of the agent's list first"));
        if (begun.isPresent()) {
            throw UserError.usage(
                    "the service is observed already", "a begin came twice", "begin once");
        }
        return service.begin().map(this::opened);
    }

    private Wire.Opened opened(Begun now) {
        openedNanos = clock.nanos();
        unsent.set(0);
        begun = Optional.of(now);
        Inside inside = now.inside();
        return new Wire.Opened(
                inside.pid(),
                inside.attached(),
                inside.machine(),
                inside.leftovers(),
                now.doubts(),
                openedNanos);
    }

    private void endWindows() {
        Optional<InsideWindows> ended = windows;
        windows = Optional.empty();
        ended.ifPresent(InsideWindows::close);
    }

    private void end() {
        Optional<Begun> ended = begun;
        Optional<Started> service = started;
        begun = Optional.empty();
        started = Optional.empty();
        try {
            endWindows();
        } finally {
            try {
                ended.map(Begun::inside).ifPresent(Inside::close);
            } finally {
                try {
                    ended.map(Begun::after).ifPresent(Runnable::run);
                } finally {
                    service.ifPresent(Started::end);
                }
            }
        }
    }

    /// Ends what was started in the target, whatever happens to the coordinator. Waiting requests
    /// are dropped, and the one in progress is stopped.
    @Override
    public void close() {
        closing = true;
        cuts.shutdownNow();
        work.shutdown();
        work.getQueue().clear();
        try {
            if (!work.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                work.shutdownNow();
            }
            Thread ending = Thread.ofPlatform().name("jdyno-observe-end").daemon().start(this::end);
            // what cannot be ended in that time is ended by the next jdyno on that JVM
            boolean _ = ending.join(Duration.ofSeconds(CLOSE_SECONDS));
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }
}
