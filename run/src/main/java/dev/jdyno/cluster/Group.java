package dev.jdyno.cluster;

import dev.jdyno.cluster.packet.OnlyBytes;
import dev.jdyno.cluster.packet.Origins;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.blocks.Response;

/// Processes that work on one run: a founder, and the members that it invited. Founder and members
/// exchange messages; two members never do.
///
/// The founder sends a beat to each member every {@link #BEAT} on a thread of its own. The member's
/// echo shows that it is alive, and gives the offset of its clock. A process that is silent for
/// {@link #SILENCE} counts as lost on both sides, long before the view changes, unless the
/// listening process did not run itself. It is back when a message comes from it again.
public final class Group implements AutoCloseable {
    private static final Duration BEAT = Duration.ofMillis(250);

    /// Longest silence of a process that is not lost: several beats and a retransmission of TCP.
    public static final Duration SILENCE = Duration.ofMillis(1500);

    /// Longest time between two beats of a process that runs all the time.
    private static final Duration MAX_GAP = BEAT.multipliedBy(2);

    private static final Duration LEAVE_LIMIT = Duration.ofMillis(500);
    private static final Duration RECONNECT = Duration.ofSeconds(5);

    /// Is notified when members come and go. Called on threads of the group, so it must not wait.
    public interface Events {
        Events NONE = new Events() {};

        /// A member has joined, or a message came from it again.
        default void joined(Member member) {}

        /// A member was silent for {@link #SILENCE}, or it has left.
        ///
        /// @param why the reason; if the member has left, the text that it sent
        default void lost(Member member, UserError why) {}
    }

    private final String name;
    private final NanoClock clock;
    private final Handlers handlers;
    private final Events events;
    private final Channel channel;
    private final Optional<Invitation> invitation;
    private final Map<Address, Peer> peers = new ConcurrentHashMap<>();
    private final Set<Peer> lost = ConcurrentHashMap.newKeySet();
    private final Set<Peer> left = ConcurrentHashMap.newKeySet();
    private final Guests guests = new Guests();
    private final Origins origins;
    private final LongAdder rejected = new LongAdder();
    private final ScheduledExecutorService beats =
            Executors.newSingleThreadScheduledExecutor(
                    r -> Thread.ofPlatform().name("jdyno-beats").daemon().unstarted(r));
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile Optional<Refusal> failure = Optional.empty();
    private final AtomicBoolean released = new AtomicBoolean();
    private final Attention attention;
    private long connectedNanos;
    private final Listener listener;
    private final InetAddress address;

    private Group(
            String name,
            Listener listener,
            InetAddress address,
            Optional<Invitation> invitation,
            Optional<Founder> founder,
            Handlers handlers,
            Events events,
            NanoClock clock) {
        this.name = name;
        this.listener = listener;
        this.origins = new Origins(listener.identity().isShared());
        this.address = address;
        this.invitation = invitation;
        this.handlers = handlers;
        this.events = events;
        this.clock = clock;
        this.connectedNanos = clock.nanos();
        this.attention = new Attention(MAX_GAP, connectedNanos);
        String called = invitation.map(Invitation::name).orElse("founder");
        this.channel =
                new Channel(
                        Stack.channel(listener, address, founder, origins, called),
                        this::received,
                        this::viewed);
    }

    /// Founds a group without other members.
    ///
    /// @param listener the port that it uses, for one group at a time
    /// @param address where the members reach that port
    public static Group found(
            Listener listener,
            InetAddress address,
            Handlers handlers,
            Events events,
            NanoClock clock) {
        var group =
                new Group(
                        UUID.randomUUID().toString(),
                        listener,
                        address,
                        Optional.empty(),
                        Optional.empty(),
                        handlers,
                        events,
                        clock);
        Address _ = group.connect();
        Repeated.every(group.beats, BEAT.toMillis(), group::beat, group::fail);
        return group;
    }

    /// Joins the group of an invitation.
    ///
    /// @param met the founder; connections are made to no other peer
    /// @param address where the founder reaches our listener
    /// @throws UserError if the founder cannot be reached from here
    static Group join(
            Invitation invitation,
            Founder met,
            Facts facts,
            Listener listener,
            InetAddress address,
            Handlers handlers,
            NanoClock clock) {
        var group =
                new Group(
                        invitation.group(),
                        listener,
                        address,
                        Optional.of(invitation),
                        Optional.of(met),
                        handlers,
                        Events.NONE,
                        clock);
        Address founder =
                new Meeting(group.channel, invitation.group(), group::release).with(invitation);
        var from = new Member("founder of " + invitation.run(), facts);
        group.peers.put(founder, Peer.of(from, founder, clock.nanos()));
        group.transmit(founder, OwnKinds.HERE, new Member(invitation.name(), facts));
        Repeated.every(group.beats, BEAT.toMillis(), group::reconnect, group::fail);
        return group;
    }

    private Address connect() {
        try {
            return channel.connect(name);
        } catch (UserError notConnected) {
            close();
            throw notConnected;
        }
    }

    /// Invites an agent, and waits until it has joined. The agent's address is its name from now
    /// on.
    ///
    /// @param run purpose of the group, which the agent shows
    /// @throws UserError if it cannot be reached, has another key, refuses, or cannot reach us
    public Member invite(AgentAddress agent, Credentials credentials, String run) {
        String called = agent.toString();
        return guests.invite(
                called,
                credentials.towards(agent),
                () -> credentials.visit(agent, invitation(called, run), clock));
    }

    /// Invites a process that shares the listener's token.
    Member invite(String called, InetSocketAddress at, String run) {
        Identity all = listener.identity();
        return guests.invite(
                called, all, () -> Door.ask(called, at, all, invitation(called, run), clock));
    }

    private Door.Question invitation(String called, String run) {
        return new Door.Question(
                Optional.of(
                        new Invitation(
                                name,
                                called,
                                run,
                                channel.here(),
                                address.getHostAddress(),
                                listener.port())));
    }

    /// All members that have joined and are not lost.
    public List<Member> members() {
        return peers.values().stream().filter(p -> !lost.contains(p)).map(Peer::member).toList();
    }

    /// Offset of the member's monotonic clock from ours; empty before its first echo.
    public Optional<ClockOffset.Estimate> clock(Member member) {
        return peer(member).flatMap(p -> p.clock().at(clock.nanos()));
    }

    /// Time of the founder's last message, on our clock; for members. A delayed beat counts from
    /// the time when it should have come, because it does not show that the founder is alive now.
    long founderHeardNanos() {
        return peers.values().stream().mapToLong(p -> p.heardNanos().get()).max().orElse(0);
    }

    /// True if the founder was silent for {@link #SILENCE} while this process ran; for members.
    public boolean isFounderSilent() {
        long now = clock.nanos();
        long since = Math.max(founderHeardNanos(), attention.sinceNanos(now));
        return now - since > SILENCE.toNanos();
    }

    /// Completes when the founder has ended the group.
    CompletableFuture<Void> ended() {
        return ended;
    }

    /// Reports that this process's work for the group has failed, for example for lack of memory. A
    /// member should then leave; a founder has lost its members.
    public void fail(Throwable why) {
        if (failure.isEmpty()) {
            failure = Optional.of(Refusal.of(why));
        }
        if (invitation.isEmpty()) {
            peers.values().forEach(p -> lose(p, why.toString()));
        }
    }

    /// The reason why this process should leave.
    Optional<Refusal> failure() {
        return failure;
    }

    /// Informs the founder, if it is not silent, that this member leaves; for members. A founder
    /// that does not answer soon notices the member's silence.
    void announce(Refusal why) {
        if (ended.isDone() || isFounderSilent()) {
            return;
        }
        String _ = ask(founder(), OwnKinds.LEAVING, why, LEAVE_LIMIT).exceptionally(_ -> "").join();
    }

    /// Number of messages of other protocols, or unreadable ones.
    public long rejected() {
        return rejected.sum();
    }

    private Optional<Peer> peer(Member member) {
        return peers.values().stream().filter(p -> p.member().equals(member)).findFirst();
    }

    /// The founder of the group; for members.
    public Member founder() {
        return peers.values().iterator().next().member();
    }

    /// Sends a message that needs no answer. It is delivered once and in order, or the member is
    /// lost.
    public <T> void send(Member to, Kind<T> kind, T message) {
        peer(to).ifPresent(p -> transmit(p.address(), kind, message));
    }

    /// Asks a member. The future fails with a {@link UserError} if the member refuses, is lost, or
    /// does not answer within `limit`.
    public <Q, A> CompletableFuture<A> ask(
            Member to, Kind.Call<Q, A> call, Q question, Duration limit) {
        Optional<Peer> peer = peer(to).filter(p -> !lost.contains(p));
        if (peer.isEmpty()) {
            return CompletableFuture.failedFuture(Questions.gone(to, "it is lost"));
        }
        byte[] bytes = call.question().payload().write(question);
        byte[] frame = new Frame(call.question().id(), bytes).bytes();
        return channel.questions().ask(peer.get(), frame, call.answer(), limit);
    }

    private <T> void transmit(Address to, Kind<T> kind, T message, Message.Flag... flags) {
        byte[] frame = new Frame(kind.id(), kind.payload().write(message)).bytes();
        if (!channel.send(to, frame, flags)) {
            rejected.increment(); // its silence shows that it is unreachable
        }
    }

    /// Sends a message before all others that wait, and does not repeat it, because a late beat is
    /// useless.
    private void atOnce(Peer to, Kind<long[]> kind, long... numbers) {
        transmit(to.address(), kind, numbers, Message.Flag.OOB, Message.Flag.NO_RELIABILITY);
    }

    private void beat() {
        long now = clock.nanos();
        long since = attention.sinceNanos(now);
        for (Peer p : peers.values()) {
            if (!left.contains(p)) {
                atOnce(p, OwnKinds.BEAT, now);
            }
            if (p.isSilent(now, since, SILENCE)) {
                lose(p, "nothing was heard of it for " + SILENCE.toMillis() + " ms");
            }
        }
        reconnect();
    }

    /// Replaces connections without data for a long time. After an interruption of the network, TCP
    /// would wait for about the length of the interruption before it tries again.
    private void reconnect() {
        long now = clock.nanos();
        long since = attention.sinceNanos(now);
        if (now - connectedNanos > RECONNECT.toNanos()
                && !peers.isEmpty()
                && peers.values().stream().allMatch(p -> p.isSilent(now, since, RECONNECT))) {
            connectedNanos = now;
            channel.reconnect();
        }
    }

    private void lose(Peer peer, String why) {
        lose(peer, Questions.gone(peer.member(), why));
    }

    private void lose(Peer peer, UserError why) {
        if (lost.add(peer)) {
            channel.questions().lost(peer.member(), why);
            events.lost(peer.member(), why);
        }
    }

    private void heard(Peer peer, long atNanos) {
        peer.heardNanos().accumulateAndGet(atNanos, Math::max);
        // messages that arrive after a member has left were sent before
        if (!left.contains(peer) && channel.hasJoined(peer.address()) && lost.remove(peer)) {
            events.joined(peer.member());
        }
    }

    private void viewed(List<Address> members) {
        Set<Address> there = Set.copyOf(members);
        if (invitation.isEmpty()) {
            peers.values().stream()
                    .filter(p -> !there.contains(p.address()))
                    .forEach(p -> lose(p, "its connection has ended"));
        }
    }

    private void received(Message message, Optional<Response> answer) {
        try {
            Optional<byte[]> bytes = OnlyBytes.of(message);
            if (bytes.isEmpty() || message.getDest() == null) {
                throw new IllegalArgumentException("no bytes, or to all: none of ours");
            }
            Frame frame = Frame.of(bytes.get());
            Peer from = peers.get(message.getSrc());
            if (from != null) {
                receive(from, frame, answer);
            } else if (invitation.isEmpty() && frame.kind() == OwnKinds.HERE.id()) {
                welcome(message.getSrc(), OwnKinds.HERE.read(frame.payload()));
            } else {
                throw new IllegalArgumentException("a message of a stranger");
            }
        } catch (IllegalArgumentException e) {
            rejected.increment();
        } catch (RuntimeException | Error broken) { // JGroups would only log it
            fail(broken);
        }
    }

    private void welcome(Address at, Member member) {
        CompletableFuture<Member> here = guests.expected(member, origins.of(at));
        peers.put(at, Peer.of(member, at, clock.nanos()));
        here.complete(member);
        events.joined(member);
    }

    private void receive(Peer from, Frame frame, Optional<Response> answer) {
        if (frame.kind() == OwnKinds.BEAT.id()) {
            long reached = clock.nanos();
            long[] sent = OwnKinds.BEAT.read(frame.payload());
            heard(from, reached - from.lateness().of(sent[0], reached));
            atOnce(from, OwnKinds.ECHO, sent[0], reached, clock.nanos());
        } else if (frame.kind() == OwnKinds.ECHO.id()) {
            long[] times = OwnKinds.ECHO.read(frame.payload());
            heard(from, clock.nanos());
            from.clock().add(times[0], times[1], times[2], clock.nanos());
        } else if (frame.kind() == OwnKinds.END.id()) {
            ended.complete(null);
        } else if (invitation.isEmpty() && frame.kind() == OwnKinds.LEAVING.question().id()) {
            Refusal why = OwnKinds.LEAVING.question().read(frame.payload());
            left.add(from);
            lose(from, why.by(from.member().name()));
            reply(answer, new byte[0], false);
        } else {
            Handlers.Handler<?> handler =
                    handlers.of(frame.kind())
                            .orElseThrow(() ->
                                    new IllegalArgumentException(
                                            "no handler for kind " + frame.kind()));
            try {
                run(from, frame, handler, answer);
            } catch (RejectedExecutionException | IllegalArgumentException busyOrUnreadable) {
                refuse(answer, busyOrUnreadable);
            }
        }
    }

    private <T> void run(
            Peer from, Frame frame, Handlers.Handler<T> handler, Optional<Response> answer) {
        T message = handler.kind().read(frame.payload());
        handler.on()
                .execute(() -> {
                    try {
                        handler.work()
                                .on(from.member(), message)
                                .ifPresent(a -> reply(answer, a, false));
                    } catch (Exception e) {
                        refuse(answer, e);
                    } catch (Throwable broken) {
                        fail(broken);
                        refuse(answer, broken);
                    }
                });
    }

    private void refuse(Optional<Response> answer, Throwable why) {
        if (answer.isPresent()) {
            reply(answer, Payload.json(Refusal.class).write(Refusal.of(why)), true);
        } else {
            rejected.increment();
        }
    }

    private void reply(Optional<Response> answer, byte[] payload, boolean isRefusal) {
        try {
            answer.ifPresent(a -> a.send(payload, isRefusal));
        } catch (IllegalStateException ended) {
            rejected.increment();
        }
    }

    /// Frees the listener for another group.
    private void release() {
        if (released.compareAndSet(false, true)) {
            listener.group(Optional.empty());
        }
    }

    /// Leaves the group. If the founder leaves, the group ends for all.
    @Override
    public void close() {
        if (invitation.isEmpty() && channel.isConnected()) {
            peers.values().forEach(p -> transmit(p.address(), OwnKinds.END, ""));
        }
        beats.shutdownNow();
        release();
        channel.close();
    }
}
