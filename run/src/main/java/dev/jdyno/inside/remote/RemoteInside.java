package dev.jdyno.inside.remote;

import dev.jdyno.inside.HostAtRest;
import dev.jdyno.inside.Inside;
import dev.jdyno.inside.InsideWindows;
import dev.jdyno.inside.RunningCode;
import dev.jdyno.inside.Span;
import dev.jdyno.inside.WindowSettings;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Machine;
import dev.jdyno.measure.MemoryKill;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Standstill;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.gc.HeapFill;
import dev.jdyno.measure.load.HttpUrl;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.LoggingCost;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.SourceLine;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.observe.Leftovers;
import dev.jdyno.observe.ServerWindow;
import dev.jdyno.target.Target;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// A target on another host, observed by an agent there. The agent ends windows at instants that
/// are sent in advance, so that the delay of a message does not shift them. An answer that comes
/// too late is left out and counted. The load goes on whatever happens to the agent.
public final class RemoteInside implements Inside {
    /// Maximum wait for an answer of the target: a JVM under load answers attach within seconds.
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(15);

    /// Maximum time for a started service to end, which has 10 s after SIGTERM.
    private static final Duration END_LIMIT = Duration.ofSeconds(40);

    static final Duration OPEN_LIMIT = Duration.ofSeconds(40);

    /// Maximum time for the first exchanges, which measure the clock offset.
    private static final Duration CLOCK_LIMIT = Duration.ofSeconds(5);

    private static final Duration CLOCK_CHECK = Duration.ofMillis(20);

    /// Maximum time to read a recording, which takes the agent some seconds of CPU.
    private static final Duration READ_LIMIT = Duration.ofSeconds(60);

    /// Maximum wait for a window; a later one is useless.
    private static final Duration WINDOW_LIMIT = Duration.ofMillis(1500);

    /// Error of the clock offset from which a warning reports that windows of client and server may
    /// not be aligned.
    static final long CLOCK_ERROR_NANOS = 5_000_000;

    private final String agent;
    private final Link link;
    private final RemoteCalls calls;
    private final Wire wire;
    private final NanoClock clock;
    private final Wire.Opened opened;
    private final Beats beats;

    /// The service's port on the agent's host; empty if the port of the URL is the same.
    private final OptionalInt servicePort;

    private Optional<RemoteCalls.Pending> announced = Optional.empty();
    private boolean recorded;
    private int windowsLost;
    private int answersLost;
    private int windowsTaken;
    private long worstErrorNanos;

    private RemoteInside(
            String agent,
            Link link,
            RemoteCalls calls,
            Wire wire,
            NanoClock clock,
            Wire.Opened opened,
            Beats beats,
            OptionalInt servicePort) {
        this.agent = agent;
        this.link = link;
        this.calls = calls;
        this.wire = wire;
        this.clock = clock;
        this.opened = opened;
        this.beats = beats;
        this.servicePort = servicePort;
    }

    /// Begins to observe.
    ///
    /// @param agent address of the agent, for messages
    /// @param which the JVM to observe on its host, as in {@link Ask.Open}
    /// @throws UserError if the agent refuses or does not answer
    public static RemoteInside open(
            String agent, Link link, Wire wire, NanoClock clock, String which)
            throws InterruptedException {
        return open(agent, link, wire, clock, which, OptionalInt.empty());
    }

    /// Begins to observe a service whose port on the agent's host differs from the port in the URL.
    public static RemoteInside open(
            String agent,
            Link link,
            Wire wire,
            NanoClock clock,
            String which,
            OptionalInt servicePort)
            throws InterruptedException {
        return begin(
                agent,
                link,
                wire,
                clock,
                calls ->
                        wire.convert(
                                calls.call(new Ask.Open(which), OPEN_LIMIT), Wire.Opened.class),
                servicePort);
    }

    static RemoteInside begin(
            String agent,
            Link link,
            Wire wire,
            NanoClock clock,
            RemoteCalls.Beginning beginning,
            OptionalInt servicePort)
            throws InterruptedException {
        var beats = new Beats();
        var calls = new RemoteCalls(agent, link, wire, clock, beats::heard);
        try {
            long until = clock.nanos() + CLOCK_LIMIT.toNanos();
            while (link.clock().isEmpty() && clock.nanos() < until) {
                Thread.sleep(CLOCK_CHECK);
            }
            Wire.Opened opened = beginning.with(calls);
            beats.begin();
            return new RemoteInside(agent, link, calls, wire, clock, opened, beats, servicePort);
        } catch (Wire.Unreadable broken) {
            throw calls.unreadable(broken);
        } catch (RemoteCalls.Unrecorded none) {
            throw new IllegalStateException(none);
        }
    }

    /// Converts an instant of our clock to the agent's clock.
    private long theirs(long nanos) {
        Link.Offset offset =
                link.clock()
                        .orElseThrow(() ->
                                UserError.target(
                                        "the clock of the agent at " + agent + " is not known",
                                        "no exchange of messages has come back yet",
                                        "look at the network between the hosts"));
        worstErrorNanos = Math.max(worstErrorNanos, offset.errorNanos());
        return nanos + offset.offsetNanos();
    }

    private Span theirs(Span span) {
        long from = theirs(span.fromNanos());
        return new Span(from, from + span.toNanos() - span.fromNanos());
    }

    private <T> T ask(Ask ask, Duration limit, Class<T> type) throws InterruptedException {
        return read(ask, limit, answer -> wire.convert(answer, type));
    }

    private <T> List<T> list(Ask ask, Duration limit, Class<T> type) throws InterruptedException {
        return read(ask, limit, answer -> wire.list(answer, type));
    }

    private interface Reading<T> {
        T of(JsonNode answer) throws Wire.Unreadable;
    }

    private <T> T read(Ask ask, Duration limit, Reading<T> reading) throws InterruptedException {
        try {
            return reading.of(calls.call(ask, limit));
        } catch (Wire.Unreadable broken) {
            throw calls.unreadable(broken);
        } catch (RemoteCalls.Unrecorded unread) {
            throw UserError.target(
                            "the flight recording cannot be read",
                            String.valueOf(unread.getMessage()),
                            "look at the agent's host")
                    .causedBy(unread);
        }
    }

    /// Requests optional data. Data that are lost on the way are counted, and the result is empty.
    private <T> List<T> listOrNothing(Ask ask, Class<T> type) throws InterruptedException {
        try {
            return list(ask, ANSWER_LIMIT, type);
        } catch (UserError lost) {
            answersLost++;
            return List.of();
        }
    }

    /// The only element of an answer with at most one.
    private <T> Optional<T> one(Ask ask, Duration limit, Class<T> type)
            throws InterruptedException {
        return list(ask, limit, type).stream().findFirst();
    }

    @Override
    public long pid() {
        return opened.pid();
    }

    @Override
    public boolean attached() {
        return opened.attached();
    }

    @Override
    public Optional<Target> local() {
        return Optional.empty();
    }

    @Override
    public Machine machine() {
        return opened.machine();
    }

    /// True if the agent last reported a running target. A lost agent does not mean that the target
    /// has ended.
    @Override
    public boolean isAlive() {
        return beats.last.alive();
    }

    @Override
    public void requireAlive() {
        if (!isAlive()) {
            if (!opened.attached()) {
                calls.reportEnd();
            }
            throw ended();
        }
    }

    private UserError ended() {
        return UserError.target(
                "the target ended in the middle of the run",
                "process " + pid() + " on the host of the agent at " + agent + " is gone",
                "see its own log; what was measured so far is kept");
    }

    /// An agent ends a service that it has started when the agent itself ends, or when it receives
    /// no more messages from this run. So requests that fail while this run has no contact to the
    /// agent say nothing about the service.
    @Override
    public void confirmAlive() throws InterruptedException {
        if (opened.attached() || calls.confirmsAlive()) {
            requireAlive();
        } else {
            throw ended();
        }
    }

    @Override
    public TargetFacts facts() throws InterruptedException {
        // its start time is by the clock of its host, not by ours
        return ask(new Ask.Facts(), ANSWER_LIMIT, TargetFacts.class).withJvmStart(Optional.empty());
    }

    @Override
    public List<String> leftovers() {
        return opened.leftovers();
    }

    @Override
    public List<Leftovers.Leftover> takeBack() throws InterruptedException {
        // if this message is lost, the agent ends what it has started after it gets no more
        // messages
        return listOrNothing(new Ask.TakeBack(), Leftovers.Leftover.class);
    }

    @Override
    public Optional<HostAtRest.Totals> hostAtRest() throws InterruptedException {
        return listOrNothing(new Ask.AtRest(), HostAtRest.Totals.class).stream().findFirst();
    }

    @Override
    public void announce(long atNanos) {
        if (link.isUp() && link.clock().isPresent()) {
            announced = Optional.of(calls.send(new Ask.Cut(theirs(atNanos))));
        }
    }

    @Override
    public Optional<ServerWindow> take() throws InterruptedException {
        Optional<RemoteCalls.Pending> cut = announced;
        announced = Optional.empty();
        windowsTaken++;
        try {
            RemoteCalls.Pending pending =
                    cut.isPresent() ? cut.get() : calls.send(new Ask.Cut(theirs(clock.nanos())));
            return Optional.of(
                    wire.convert(
                            calls.await(pending, WINDOW_LIMIT, RemoteCalls.Meanwhile.NOTHING),
                            ServerWindow.class));
        } catch (UserError | Wire.Unreadable | RemoteCalls.Unrecorded lost) {
            windowsLost++;
            return Optional.empty();
        }
    }

    /// Converts the times of a standstill to seconds since an instant of our clock.
    private Standstill from(Standstill theirs, long originNanos) {
        double shift = (opened.openedNanos() - theirs(originNanos)) / 1e9;
        return new Standstill(
                theirs.by(), theirs.fromS() + shift, theirs.toS().map(s -> s + shift));
    }

    @Override
    public List<Standstill> standstills(long originNanos) {
        return beats.last.standstills().stream().map(s -> from(s, originNanos)).toList();
    }

    @Override
    public Optional<Standstill> standstill(long originNanos) {
        return beats.last.standstills().stream()
                .filter(s -> s.toS().isEmpty())
                .findFirst()
                .map(s -> from(s, originNanos));
    }

    @Override
    public Optional<HeapFill> heapFill() throws InterruptedException {
        return listOrNothing(new Ask.Heap(), HeapFill.class).stream().findFirst();
    }

    @Override
    public Optional<MemoryKill> memoryKill() throws InterruptedException {
        return listOrNothing(new Ask.Killed(), MemoryKill.class).stream().findFirst();
    }

    @Override
    public InsideWindows windows(WindowSettings wanted) throws InterruptedException {
        // only the server of the URL matters, not its path, query or user
        URI where = origin(wanted.asked(), servicePort);
        Optional<String> missing =
                one(new Ask.BeginLook(where, wanted.profile()), ANSWER_LIMIT, String.class);
        return new RemoteWindows(calls, wire, wanted.stop(), missing);
    }

    /// @param port in place of that of the URL
    static URI origin(URI url, OptionalInt port) {
        String host = HttpUrl.host(url).orElse("");
        int at = port.orElseGet(() -> HttpUrl.port(url));
        return URI.create(url.getScheme() + "://" + host + ":" + at);
    }

    @Override
    public boolean finishRecording() throws InterruptedException {
        recorded = ask(new Ask.FinishRecording(), READ_LIMIT, Boolean.class);
        return recorded;
    }

    @Override
    public GcActivity refined(GcActivity counted, Span round, long requests)
            throws InterruptedException {
        return ask(
                new Ask.RefineGc(counted, theirs(round), requests), ANSWER_LIMIT, GcActivity.class);
    }

    @Override
    public RunningCode runningCode(Set<String> pools, Span round, Optional<Span> nearby)
            throws InterruptedException {
        return ask(
                new Ask.CodeThatRan(pools, theirs(round), nearby.map(this::theirs)),
                ANSWER_LIMIT,
                RunningCode.class);
    }

    @Override
    public boolean recorded() {
        return recorded;
    }

    private <T> List<T> read(Ask ask, Class<T> type) throws IOException, InterruptedException {
        try {
            return wire.list(calls.call(ask, READ_LIMIT), type);
        } catch (Wire.Unreadable broken) {
            throw calls.unreadable(broken);
        } catch (RemoteCalls.Unrecorded | UserError unread) {
            throw new IOException(unread.getMessage(), unread);
        }
    }

    @Override
    public Optional<Profile> cpuSamples(Span span, double cores)
            throws IOException, InterruptedException {
        return read(new Ask.CpuSamples(theirs(span), cores), Profile.class).stream().findFirst();
    }

    @Override
    public List<Insight.Wait> waits(Span span, int concurrency, double qps)
            throws IOException, InterruptedException {
        return read(new Ask.Waits(theirs(span), concurrency, qps), Insight.Wait.class);
    }

    @Override
    public List<Insight.CallRate> calls(Span span, int concurrency, double qps)
            throws IOException, InterruptedException {
        return read(new Ask.CallRates(theirs(span), concurrency, qps), Insight.CallRate.class);
    }

    @Override
    public List<Insight.PoolOrigin> origins() throws IOException, InterruptedException {
        return read(new Ask.Origins(), Insight.PoolOrigin.class);
    }

    @Override
    public List<Insight.Allocation> allocations(Span span, int concurrency, double qps)
            throws IOException, InterruptedException {
        return read(new Ask.Allocations(theirs(span), concurrency, qps), Insight.Allocation.class);
    }

    @Override
    public List<Insight.Pinned> pinned(Span span, int concurrency, double qps)
            throws IOException, InterruptedException {
        return read(new Ask.Pinned(theirs(span), concurrency, qps), Insight.Pinned.class);
    }

    @Override
    public List<SourceLine> lines(Set<String> methods) throws InterruptedException {
        return listOrNothing(new Ask.Lines(methods), SourceLine.class);
    }

    @Override
    public List<LoggingCost> logging() throws InterruptedException {
        return listOrNothing(new Ask.Logging(), LoggingCost.class);
    }

    @Override
    public List<Warning> doubts() {
        List<Warning> doubts = new ArrayList<>(opened.doubts());
        if (worstErrorNanos > CLOCK_ERROR_NANOS) {
            doubts.add(
                    new Warning(
                            "clock-offset",
                            String.format(
                                    Locale.ROOT,
                                    "the windows of client and service may be shifted against each"
                                            + " other by %.1f ms: the network to the agent at %s is"
                                            + " slow",
                                    worstErrorNanos / 1e6,
                                    agent),
                            false));
        }
        long unsent = beats.last.unsent();
        if (windowsLost + answersLost > 0 || unsent > 0 || calls.unread() > 0 || !link.isUp()) {
            doubts.add(
                    new Warning(
                            "observer-lost",
                            String.format(
                                    Locale.ROOT,
                                    "%d of %d windows of the service and %d other answers did not"
                                            + " come from the agent at %s in time, %d messages were"
                                            + " not sent, %d could not be read%s",
                                    windowsLost,
                                    windowsTaken,
                                    answersLost,
                                    agent,
                                    unsent,
                                    calls.unread(),
                                    link.isUp() ? "" : "; nothing was heard of it at the end"),
                            false));
        }
        return doubts;
    }

    /// Waits until the agent has ended what it started in the target.
    @Override
    public void close() {
        try {
            var _ = calls.call(new Ask.Close(), opened.attached() ? ANSWER_LIMIT : END_LIMIT);
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        } catch (UserError | RemoteCalls.Unrecorded lost) {
            // after the agent gets no more messages from this run, it ends what it has started
        } finally {
            link.close();
        }
    }
}
