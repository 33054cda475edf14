package dev.jdyno.cluster;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocket;

/// A process that waits to be invited, and works for one group at a time. When the founder of that
/// group is silent, its duties decide what they do (a load stops); when it has been silent for
/// {@link #GONE}, or another one invites, the group is left.
public final class Agent implements AutoCloseable {
    private static final Duration GONE = Duration.ofSeconds(30);
    private static final long LOOK_MS = 200;

    /// Hears what becomes of it.
    public interface Witness {
        void joined(String run);

        /// @param orderly whether the founder has ended it
        void left(String run, boolean orderly);
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
    private Optional<Session> session = Optional.empty();

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

    /// @param listener where it can be reached; closed with the agent
    /// @param facts what it says of itself, given the run it works for or an empty text
    /// @param duties one for each role, anew for each group
    public static Agent start(
            Listener listener,
            Function<String, Facts> facts,
            Supplier<List<Duty>> duties,
            Witness witness,
            NanoClock clock) {
        var agent = new Agent(listener, facts, duties, witness, clock);
        listener.door(agent::visit);
        var _ =
                agent.watch.scheduleWithFixedDelay(
                        agent::look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
        return agent;
    }

    public int port() {
        return listener.port();
    }

    private void visit(SSLSocket visitor) {
        try (visitor) {
            Optional<Invitation> invitation = Door.question(visitor).invitation();
            try {
                Facts now = invitation.isEmpty() ? said() : join(invitation.get(), visitor);
                Door.answer(visitor, Optional.of(now), Optional.empty());
            } catch (RuntimeException refused) {
                Door.answer(visitor, Optional.empty(), Optional.of(Refusal.of(refused)));
            }
        } catch (IOException gone) {
            // whoever asked hears nothing; the connection says why
        }
    }

    private synchronized Facts said() {
        return facts.apply(session.map(s -> s.invitation().run()).orElse(""));
    }

    private synchronized Facts join(Invitation invitation, SSLSocket visitor) {
        session.filter(s -> s.group().ended().isDone() || s.group().isFounderSilent())
                .ifPresent(this::leave);
        if (session.isPresent()) {
            throw UserError.usage(
                    "it is busy",
                    "it works for " + session.get().invitation().run(),
                    "wait until that run has ended, or end it");
        }
        InetAddress address = visitor.getLocalAddress();
        List<Duty> wanted = duties.get();
        var handlers = new Handlers();
        wanted.forEach(d -> d.handle(handlers));
        Facts mine = facts.apply(invitation.run());
        try {
            Group group = Group.join(invitation, mine, listener, address, handlers, clock);
            session = Optional.of(new Session(invitation, group, wanted));
            wanted.forEach(d -> d.begin(group));
        } catch (RuntimeException notJoined) {
            wanted.forEach(Duty::close);
            throw notJoined;
        }
        witness.joined(invitation.run());
        return mine;
    }

    private synchronized void look() {
        session.filter(s -> s.group().ended().isDone() || isGone(s.group())).ifPresent(this::leave);
    }

    private boolean isGone(Group group) {
        return clock.nanos() - group.founderHeardNanos() > GONE.toNanos();
    }

    private void leave(Session left) {
        session = Optional.empty();
        try {
            left.duties().forEach(Duty::close);
        } finally {
            left.group().close();
            witness.left(left.invitation().run(), left.group().ended().isDone());
        }
    }

    @Override
    public void close() {
        watch.shutdownNow();
        synchronized (this) {
            session.ifPresent(this::leave);
        }
        listener.close();
    }
}
