package dev.jdyno.cluster;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocket;

/// A process that waits for an invitation and works for one group at a time. If the group's founder
/// is silent, each duty decides what to do (a load stops). The agent leaves the group when the
/// founder has been silent for {@link #GONE}, or when another run invites it during a shorter
/// silence.
public final class Agent implements AutoCloseable {
    private static final Duration GONE = Duration.ofSeconds(30);
    private static final long CHECK_INTERVAL_MS = 200;

    /// The reason why the agent left a run.
    public enum Left {
        /// The founder has ended it.
        ENDED,
        /// The founder was silent for too long, or another run invited this agent during its
        /// silence.
        SILENT,
        /// The agent's process is ending, or its work has failed.
        FAILED
    }

    /// Is notified when the agent joins or leaves a run, and of its failures.
    public interface Witness {
        void joined(String run);

        void left(String run, Left why);

        /// A task failed, or its end failed. The agent goes on.
        ///
        /// @param run empty if the failure belongs to no run
        void failed(String run, Throwable why);
    }

    private record Session(Invitation invitation, Group group, List<Duty> duties) {}

    private final Listener listener;
    private final Function<String, Facts> facts;
    private final Supplier<List<Duty>> duties;
    private final Witness witness;
    private final NanoClock clock;
    private final ScheduledExecutorService watch =
            Executors.newSingleThreadScheduledExecutor(
                    r -> Thread.ofPlatform().name("jdyno-agent").daemon().unstarted(r));
    private volatile Optional<Session> session = Optional.empty();

    /// Invitation that is being accepted: the group is not joined yet.
    private volatile Optional<Invitation> joining = Optional.empty();

    private volatile boolean closed;

    private Agent(
            Listener listener,
            Function<String, Facts> facts,
            Supplier<List<Duty>> duties,
            Witness witness,
            NanoClock clock) {
        this.listener = listener;
        this.facts = facts;
        this.duties = duties;
        this.witness = witness;
        this.clock = clock;
    }

    /// @param listener accepts the agent's connections; closed with the agent
    /// @param facts gives the agent's description of itself, for the name of the run that it works
    ///   for (empty if none)
    /// @param duties creates one duty for each role; called for each group
    public static Agent start(
            Listener listener,
            Function<String, Facts> facts,
            Supplier<List<Duty>> duties,
            Witness witness,
            NanoClock clock) {
        var agent = new Agent(listener, facts, duties, witness, clock);
        listener.door(agent::visit);
        Repeated.every(agent.watch, CHECK_INTERVAL_MS, agent::look, why -> witness.failed("", why));
        return agent;
    }

    public int port() {
        return listener.port();
    }

    private void visit(SSLSocket visitor) {
        try (visitor) {
            Optional<Invitation> invitation = Door.question(visitor).invitation();
            try {
                Facts now = invitation.isEmpty() ? currentFacts() : join(invitation.get(), visitor);
                Door.answer(visitor, Optional.of(now), Optional.empty());
            } catch (RuntimeException | Error refused) {
                Door.answer(visitor, Optional.empty(), Optional.of(Refusal.of(refused)));
            }
        } catch (IOException gone) {
            // the run that asked gets no answer; its broken connection shows the reason
        }
    }

    private Facts currentFacts() {
        return facts.apply(
                joining.or(() -> session.map(Session::invitation)).map(Invitation::run).orElse(""));
    }

    /// Joins the founder's group. This does not hold the lock, because it may take long: in the
    /// meantime other visitors are answered, and refused.
    private Facts join(Invitation invitation, SSLSocket visitor) {
        var founder =
                new Founder(invitation.founderAt(visitor.getInetAddress()), Identity.peer(visitor));
        require(invitation);
        try {
            Facts mine = facts.apply(invitation.run());
            List<Duty> wanted = duties.get();
            var handlers = new Handlers();
            wanted.forEach(d -> d.handle(handlers));
            Group group;
            try {
                group =
                        Group.join(
                                invitation,
                                founder,
                                mine,
                                listener,
                                visitor.getLocalAddress(),
                                handlers,
                                clock);
            } catch (RuntimeException | Error notJoined) {
                Closing.all(closings(wanted)).ifPresent(notJoined::addSuppressed);
                throw notJoined;
            }
            begin(new Session(invitation, group, wanted));
            witness.joined(invitation.run());
            return mine;
        } finally {
            joining = Optional.empty();
        }
    }

    /// Marks the agent as busy with this invitation, or refuses it.
    private synchronized void require(Invitation invitation) {
        session.filter(s -> hasEnded(s.group()) || s.group().isFounderSilent())
                .ifPresent(this::leave);
        Optional<Invitation> other = joining.or(() -> session.map(Session::invitation));
        if (other.isPresent()) {
            throw UserError.usage(
                    "it is busy",
                    "it works for " + other.get().run(),
                    "wait until that run has ended, or end it");
        }
        joining = Optional.of(invitation);
    }

    private synchronized void begin(Session joined) {
        session = Optional.of(joined);
        try {
            if (closed) {
                throw ended();
            }
            joined.duties().forEach(d -> d.begin(joined.group()));
        } catch (RuntimeException | Error notBegun) {
            joined.group().fail(notBegun);
            leave(joined);
            throw notBegun;
        }
    }

    private synchronized void look() {
        Optional<Session> over = session.filter(s -> hasEnded(s.group()) || isGone(s.group()));
        over.ifPresent(s -> {
            String run = s.invitation().run();
            s.group()
                    .failure()
                    .ifPresent(why -> witness.failed(run, why.by(s.invitation().name())));
            leave(s);
        });
    }

    private static boolean hasEnded(Group group) {
        return group.ended().isDone() || group.failure().isPresent();
    }

    private boolean isGone(Group group) {
        return clock.nanos() - group.founderHeardNanos() > GONE.toNanos();
    }

    private static List<Runnable> closings(List<Duty> duties) {
        return duties.stream().<Runnable>map(d -> d::close).toList();
    }

    private void leave(Session left) {
        session = Optional.empty();
        List<Runnable> steps = new ArrayList<>();
        left.group().failure().ifPresent(why -> steps.add(() -> left.group().announce(why)));
        steps.addAll(closings(left.duties()));
        steps.add(left.group()::close);
        String run = left.invitation().run();
        Closing.all(steps).ifPresent(why -> witness.failed(run, why));
        witness.left(run, why(left.group()));
    }

    private static Left why(Group left) {
        if (left.ended().isDone()) {
            return Left.ENDED;
        }
        return left.failure().isPresent() ? Left.FAILED : Left.SILENT;
    }

    /// Leaves the run because the work for it failed in this process, for example for lack of
    /// memory. The run is informed of the reason. Does not wait.
    public void fail(UserError why) {
        session.ifPresent(s -> s.group().fail(why));
    }

    private static UserError ended() {
        return new UserError(
                UserError.Kind.INVALID,
                "it has ended",
                "its process was asked to end",
                "start it again, or run without it");
    }

    /// Leaves the run for which the agent works, and informs it.
    @Override
    public void close() {
        closed = true;
        watch.shutdownNow();
        fail(ended());
        synchronized (this) {
            session.ifPresent(this::leave);
        }
        listener.close();
    }
}
