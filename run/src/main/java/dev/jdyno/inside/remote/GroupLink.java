package dev.jdyno.inside.remote;

import dev.jdyno.cluster.AgentAddress;
import dev.jdyno.cluster.Credentials;
import dev.jdyno.cluster.Facts;
import dev.jdyno.cluster.Group;
import dev.jdyno.cluster.Handlers;
import dev.jdyno.cluster.Kind;
import dev.jdyno.cluster.Listener;
import dev.jdyno.cluster.Member;
import dev.jdyno.cluster.Payload;
import dev.jdyno.cluster.ReturnConnections;
import dev.jdyno.cluster.Survey;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/// The run's end of a link to one observing agent, as a group of two. It has two lanes with
/// separate sessions at the agent, because a comparison observes two services at once. A run that
/// observes one JVM uses the link itself, which is the first lane.
public final class GroupLink implements Link {
    /// Number of sessions of one run at an agent.
    public static final int LANES = 2;

    private static final Payload<byte[]> BYTES =
            new Payload<>() {
                @Override
                public byte[] write(byte[] value) {
                    return value;
                }

                @Override
                public byte[] read(byte[] bytes) {
                    return bytes;
                }
            };

    /// Messages from the run to the agent, by lane.
    static final List<Kind<byte[]>> ASK =
            List.of(kind(200, "observe-ask"), kind(202, "observe-ask-2"));

    /// Messages from the agent to the run, by lane.
    static final List<Kind<byte[]>> ANSWER =
            List.of(kind(201, "observe-answer"), kind(203, "observe-answer-2"));

    private static Kind<byte[]> kind(int id, String name) {
        return new Kind<>(id, name, Wire.MAX_BYTES, BYTES);
    }

    private final Listener listener;
    private final ExecutorService reading =
            Executors.newSingleThreadExecutor(
                    r -> Thread.ofPlatform().name("jdyno-observed").daemon().unstarted(r));
    private final Group group;
    private final List<Lane> lanes = List.of(new Lane(0), new Lane(1));
    private volatile Optional<Member> agent = Optional.empty();
    private volatile boolean up;

    /// Present if the agent is behind a port-forward.
    private volatile Optional<ReturnConnections> returns = Optional.empty();

    private GroupLink(Listener listener, InetAddress here, NanoClock clock) {
        this.listener = listener;
        var handlers = new Handlers();
        for (Lane lane : lanes) {
            handlers.on(ANSWER.get(lane.number), reading, (_, bytes) -> lane.heard(bytes));
        }
        this.group = Group.found(listener, here, handlers, new Presence(), clock);
    }

    /// Messages of one session at the agent. Closing it leaves the group in place.
    private final class Lane implements Link {
        private final int number;
        private volatile Consumer<byte[]> receiver = _ -> {};

        Lane(int number) {
            this.number = number;
        }

        void heard(byte[] message) {
            receiver.accept(message);
        }

        @Override
        public boolean send(byte[] message) {
            // messages to an agent from which nothing comes would pile up
            if (!up || agent.isEmpty()) {
                return false;
            }
            group.send(agent.get(), ASK.get(number), message);
            return true;
        }

        @Override
        public void receive(Consumer<byte[]> wanted) {
            receiver = wanted;
        }

        @Override
        public Optional<Offset> clock() {
            return GroupLink.this.clock();
        }

        @Override
        public boolean isUp() {
            return up;
        }

        @Override
        public void close() {
            receiver = _ -> {};
        }
    }

    /// A lane; its sessions follow one another.
    ///
    /// @param number below {@link #LANES}
    public Link lane(int number) {
        return lanes.get(number);
    }

    private final class Presence implements Group.Events {
        @Override
        public void joined(Member member) {
            up = true;
        }

        @Override
        public void lost(Member member, UserError why) {
            up = false;
        }
    }

    /// Invites the agent into a group with this process.
    ///
    /// @param run name of the run, which the agent displays
    /// @throws UserError if the agent cannot be reached, holds another token, has another version,
    ///   is busy, or does not observe
    public static GroupLink to(
            AgentAddress at, Credentials credentials, String run, NanoClock clock) {
        return to(at, credentials, run, clock, false);
    }

    /// Does the same for an agent behind a port-forward of this host that was started for this run.
    public static GroupLink throughForward(
            AgentAddress at, Credentials credentials, String run, NanoClock clock) {
        return to(at, credentials, run, clock, true);
    }

    private static GroupLink to(
            AgentAddress at,
            Credentials credentials,
            String run,
            NanoClock clock,
            boolean forwarded) {
        var problems = new Problems();
        Survey survey = Survey.of(List.of(at), credentials, problems, clock);
        survey.answers().stream()
                .filter(a -> !a.facts().roles().contains(Facts.Role.OBSERVE))
                .forEach(a ->
                        problems.add(
                                "agent " + a.agent(),
                                "it does not observe",
                                "start it with --role observe, or without --role"));
        problems.throwIfAny("observing on another host");
        InetAddress here = survey.meetingPoint(problems);
        problems.throwIfAny("observing on another host");
        Listener listener = credentials.listen(new InetSocketAddress(here, 0), List.of(at));
        GroupLink link;
        try {
            link = new GroupLink(listener, here, clock);
        } catch (RuntimeException notFounded) {
            listener.close();
            throw notFounded;
        }
        if (forwarded) {
            var own = new InetSocketAddress(here, listener.port());
            link.returns = Optional.of(ReturnConnections.keep(at, credentials, own));
        }
        try {
            link.agent = Optional.of(link.group.invite(at, credentials, run));
            link.up = true;
            return link;
        } catch (RuntimeException refused) {
            link.close();
            throw refused;
        }
    }

    @Override
    public boolean send(byte[] message) {
        return lanes.getFirst().send(message);
    }

    @Override
    public void receive(Consumer<byte[]> wanted) {
        lanes.getFirst().receive(wanted);
    }

    @Override
    public Optional<Offset> clock() {
        return agent.flatMap(group::clock).map(e -> new Offset(e.offsetNanos(), e.errorNanos()));
    }

    @Override
    public boolean isUp() {
        return up;
    }

    @Override
    public void close() {
        group.close();
        listener.close();
        returns.ifPresent(ReturnConnections::close);
        reading.shutdown();
    }
}
