package dev.jdyno.cluster.load;

import dev.jdyno.cluster.AgentAddress;
import dev.jdyno.cluster.ClockOffset;
import dev.jdyno.cluster.Credentials;
import dev.jdyno.cluster.Facts;
import dev.jdyno.cluster.Group;
import dev.jdyno.cluster.Handlers;
import dev.jdyno.cluster.Kind;
import dev.jdyno.cluster.Listener;
import dev.jdyno.cluster.Member;
import dev.jdyno.cluster.Survey;
import dev.jdyno.load.LoadGenerator;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.pacing.Part;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.load.statistics.WindowText;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.load.HttpUrl;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Validity;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;

/// A load that agents on other hosts send together. Each order names an instant on the agent's own
/// clock, so all agents begin a level and end a window at the same time. A window contains the
/// measurements of all agents between two such instants, with the histograms added up.
///
/// If an agent is lost, the load of the others ends at once, and the next request to this object
/// fails.
public final class Fleet implements LoadGenerator {
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);
    private static final Duration ASSIGN_LIMIT = Duration.ofSeconds(15);
    private static final Duration CLOCK_LIMIT = Duration.ofSeconds(5);
    private static final long CHECK_INTERVAL_MS = 5;
    private static final long MIN_LEAD_NANOS = 2_000_000;
    private static final long MAX_LEAD_NANOS = 1_000_000_000;
    private static final long LEASE = 1;

    private final Listener listener;
    private final NanoClock clock;
    private final Witnesses witnesses = new Witnesses();
    private final Group group;
    private final List<Member> agents = new ArrayList<>();
    private volatile Optional<UserError> failure = Optional.empty();
    private volatile boolean assigned;
    private long cutNanos;

    private Fleet(Listener listener, InetAddress address, NanoClock clock) {
        this.listener = listener;
        this.clock = clock;
        this.group = Group.found(listener, address, new Handlers(), new Losses(), clock);
    }

    /// Invites the agents and gives each its part of the load. No request is sent yet.
    ///
    /// @param run name of the run, which the agents show
    /// @throws UserError that lists all problems: agents that cannot be reached, hold another
    ///   token, have another version, are busy, or may not send this load
    public static Fleet start(
            List<AgentAddress> addresses,
            Credentials credentials,
            LoadSpec spec,
            String run,
            NanoClock clock) {
        var problems = new Problems();
        check(spec, problems);
        Survey survey = Survey.of(addresses, credentials, problems, clock);
        survey.answers().stream()
                .filter(a -> !a.facts().roles().contains(Facts.Role.LOAD))
                .forEach(a ->
                        problems.add(
                                "agent " + a.agent(),
                                "it does not send load",
                                "start it with --role load"));
        problems.throwIfAny("the load from other hosts");
        InetAddress here = survey.meetingPoint(problems);
        checkLoopback(spec, here, problems);
        problems.throwIfAny("the load from other hosts");
        Listener listener = credentials.listen(new InetSocketAddress(here, 0), addresses);
        Fleet fleet;
        try {
            fleet = new Fleet(listener, here, clock);
        } catch (RuntimeException notFounded) {
            listener.close();
            throw notFounded;
        }
        try {
            fleet.gather(addresses, credentials, run, problems);
            fleet.assign(spec, problems);
            return fleet;
        } catch (RuntimeException notReady) {
            fleet.close();
            throw notReady;
        }
    }

    /// Reports the parts of a plan that cannot be sent from other hosts.
    private static void check(LoadSpec spec, Problems problems) {
        if (spec.workload().flatMap(w -> w.replay()).isPresent()) {
            problems.add(
                    "workload",
                    "a replayed access log has one order, which several hosts cannot keep",
                    "load from this host, or write the requests as journeys");
        }
        if (spec.grpc().filter(g -> Assignment.isTooLarge(g.messages())).isPresent()) {
            problems.add(
                    "grpc",
                    "the descriptors of the methods are larger than an agent takes",
                    "make a descriptor set of the files alone that the methods need");
        }
        if (spec.tls().caFile().isPresent()) {
            problems.add(
                    "tls.cacert",
                    "the file stays on this host",
                    "add the certificate to the JVMs of the agents, and drop it here");
        }
    }

    private static void checkLoopback(LoadSpec spec, InetAddress here, Problems problems) {
        try {
            if (!here.isLoopbackAddress()
                    && InetAddress.getByName(HttpUrl.host(spec.url()).orElse(""))
                            .isLoopbackAddress()) {
                problems.add(
                        spec.url().toString(),
                        "each agent would load its own loopback device",
                        "write the URL with an address that the agents reach");
            }
        } catch (UnknownHostException onlyAgentsMayKnowIt) {
            // each agent resolves the name, and reports if it cannot
        }
    }

    private void gather(
            List<AgentAddress> addresses, Credentials credentials, String run, Problems problems) {
        agents.addAll(Survey.together(addresses, a -> group.invite(a, credentials, run), problems));
        problems.throwIfAny("the load from other hosts");
        long start = clock.nanos();
        // while all are starting, an agent may be silent for a moment
        while (!group.members().containsAll(agents)
                || agents.stream().anyMatch(a -> group.clock(a).isEmpty())) {
            if (clock.nanos() - start > CLOCK_LIMIT.toNanos()) {
                throw UserError.target(
                        "an agent does not answer",
                        "its clock is not known after " + CLOCK_LIMIT.toSeconds() + " s",
                        "see whether the connection to it is overloaded");
            }
            sleep();
        }
    }

    private static void sleep() {
        try {
            TimeUnit.MILLISECONDS.sleep(CHECK_INTERVAL_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while agents join", e);
        }
    }

    private void assign(LoadSpec spec, Problems problems) {
        var seeds = new SplittableRandom(new SecureRandom().nextLong());
        List<Assignment> parts = new ArrayList<>();
        for (int i = 0; i < agents.size(); i++) {
            Part part = new Part(i, agents.size());
            parts.add(Assignment.of(spec, LEASE, part, seeds.nextLong()));
        }
        List<Integer> numbers = IntStream.range(0, agents.size()).boxed().toList();
        List<LoadCalls.Ready> _ =
                Survey.together(
                        numbers,
                        i ->
                                group.ask(
                                                agents.get(i),
                                                LoadCalls.ASSIGN,
                                                parts.get(i),
                                                ASSIGN_LIMIT)
                                        .join(),
                        problems);
        problems.throwIfAny("the load from other hosts");
        assigned = true;
        cutNanos = clock.nanos();
    }

    /// The agents' names for messages.
    public List<String> names() {
        return agents.stream().map(Member::name).toList();
    }

    /// Ends the load of all agents if one is lost. If that agent answers again, it gets the order
    /// to end its load.
    private final class Losses implements Group.Events {
        @Override
        public void lost(Member member, UserError why) {
            if (!assigned || failure.isPresent()) {
                return;
            }
            failure =
                    Optional.of(
                            new UserError(
                                    UserError.Kind.INVALID,
                                    why.what(),
                                    why.why() + "; a part of the load is missing since then",
                                    why.fix()));
            Thread.ofVirtual().name("jdyno-end-load").start(() -> idle());
        }

        @Override
        public void joined(Member member) {
            if (failure.isPresent()) {
                group.send(member, LoadCalls.END, new LoadCalls.Done(LEASE));
            }
        }
    }

    @Override
    public synchronized void apply(Level level) {
        if (level instanceof Level.Idle) {
            idle();
            return;
        }
        mustBeWhole();
        List<Level> shares = Shares.of(level, agents.size());
        long at = clock.nanos() + lead();
        all(LoadCalls.LEVEL, i -> LevelOrder.of(LEASE, theirs(agents.get(i), at), shares.get(i)));
    }

    /// Stops the load. Never fails: an agent that is out of reach stops by itself, and the loss is
    /// already known.
    private void idle() {
        long at = clock.nanos();
        List<CompletableFuture<LoadCalls.Done>> ending =
                agents.stream()
                        .map(a ->
                                group.ask(
                                        a,
                                        LoadCalls.LEVEL,
                                        LevelOrder.of(LEASE, theirs(a, at), new Level.Idle()),
                                        Group.SILENCE))
                        .toList();
        for (CompletableFuture<LoadCalls.Done> each : ending) {
            try {
                LoadCalls.Done _ = each.join();
            } catch (CompletionException e) {
                note(e);
            }
        }
    }

    private void note(CompletionException e) {
        if (!(e.getCause() instanceof UserError why)) {
            throw e;
        }
        if (failure.isEmpty()) {
            failure = Optional.of(why);
        }
    }

    @Override
    public synchronized LoadWindow take() {
        mustBeWhole();
        long at = clock.nanos() + lead();
        List<LoadWindow> windows =
                all(LoadCalls.CUT, i -> new LoadCalls.Cut(LEASE, theirs(agents.get(i), at)))
                        .stream()
                        .map(WindowText::parse)
                        .toList();
        for (int i = 0; i < windows.size(); i++) {
            witnesses.saw(agents.get(i).name(), windows.get(i));
        }
        LoadWindow window = LoadWindow.ofHosts(windows, cutNanos, at);
        cutNanos = at;
        return window;
    }

    private void mustBeWhole() {
        if (failure.isPresent()) {
            throw failure.get();
        }
    }

    /// Asks all agents at the same time.
    private <Q, A> List<A> all(Kind.Call<Q, A> call, Function<Integer, Q> question) {
        List<CompletableFuture<A>> asked = new ArrayList<>();
        for (int i = 0; i < agents.size(); i++) {
            asked.add(group.ask(agents.get(i), call, question.apply(i), ANSWER_LIMIT));
        }
        List<A> answers = new ArrayList<>();
        for (CompletableFuture<A> each : asked) {
            try {
                answers.add(each.join());
            } catch (CompletionException e) {
                note(e);
                throw failure.orElseThrow();
            }
        }
        return answers;
    }

    private long theirs(Member agent, long at) {
        return at + group.clock(agent).map(ClockOffset.Estimate::offsetNanos).orElse(0L);
    }

    /// Time from sending an order to its due instant, long enough to reach all agents.
    private long lead() {
        long max =
                agents.stream()
                        .flatMap(a -> group.clock(a).stream())
                        .mapToLong(e -> e.roundTripNanos() + e.errorNanos())
                        .max()
                        .orElse(0);
        return Math.clamp(max, MIN_LEAD_NANOS, MAX_LEAD_NANOS);
    }

    @Override
    public synchronized List<Validity.Warning> warnings() {
        List<Validity.Warning> warnings = new ArrayList<>(witnesses.warnings());
        for (Member agent : agents) {
            group.clock(agent)
                    .flatMap(e -> Witnesses.clock(agent.name(), e.errorNanos()))
                    .ifPresent(warnings::add);
        }
        return warnings;
    }

    @Override
    public void close() {
        assigned = false;
        for (Member agent : group.members()) {
            group.send(agent, LoadCalls.END, new LoadCalls.Done(LEASE));
        }
        group.close();
        listener.close();
    }
}
