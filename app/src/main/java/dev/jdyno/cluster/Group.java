package dev.jdyno.cluster;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.View;

/// Processes that work on one run: a founder, and members that it invited. Founder and members talk
/// with each other, members not among themselves.
///
/// The founder sends a beat to each member every {@link #BEAT} on a thread of its own; the echo
/// says that the member lives and how its clock stands. Who is silent for {@link #SILENCE} counts
/// as lost, on both sides, long before the view changes; it is back when it is heard again.
public final class Group implements AutoCloseable {
    private static final Duration BEAT = Duration.ofMillis(250);

    /// Several beats and a retransmission of TCP.
    public static final Duration SILENCE = Duration.ofMillis(1500);

    private static final int JOIN_TRIES = 2;
    private static final Duration JOIN_LIMIT = Duration.ofSeconds(15);

    private static final Kind<long[]> BEATS = Numbers.kind(1, "beat", 1);
    private static final Kind<long[]> ECHO = Numbers.kind(2, "echo", 3);
    private static final Kind<Member> HERE = Kind.json(3, 64 << 10, Member.class);
    private static final Kind<String> END = new Kind<>(4, "end", 100, Payload.TEXT);

    /// Hears who is there. Called on threads of the group: must not wait.
    public interface Events {
        Events NONE = new Events() {};

        /// A member has joined, or is heard again.
        default void joined(Member member) {}

        /// Nothing was heard of a member for {@link #SILENCE}, or it has left.
        default void lost(Member member) {}
    }

    private record Peer(
            Member member,
            Address address,
            ClockOffset clock,
            Lateness lateness,
            AtomicLong heardNanos) {}

    private final String name;
    private final NanoClock clock;
    private final Handlers handlers;
    private final Events events;
    private final JChannel channel;
    private final Optional<Invitation> invitation;
    private final Map<Address, Peer> peers = new ConcurrentHashMap<>();
    private final Set<Peer> lost = ConcurrentHashMap.newKeySet();
    private final Map<String, CompletableFuture<Member>> invited = new ConcurrentHashMap<>();
    private final Questions questions = new Questions();
    private final LongAdder rejected = new LongAdder();
    private final ScheduledExecutorService beats =
            Executors.newSingleThreadScheduledExecutor(
                    r -> Thread.ofPlatform().name("jdyno-beats").daemon().unstarted(r));
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Listener listener;
    private final InetAddress address;

    private Group(
            String name,
            Listener listener,
            InetAddress address,
            Optional<Invitation> invitation,
            Handlers handlers,
            Events events,
            NanoClock clock) {
        this.name = name;
        this.listener = listener;
        this.address = address;
        this.invitation = invitation;
        this.handlers = handlers;
        this.events = events;
        this.clock = clock;
        List<InetSocketAddress> founders =
                invitation
                        .map(i -> List.of(new InetSocketAddress(i.host(), i.port())))
                        .orElse(List.of());
        this.channel =
                Stack.channel(
                        listener,
                        address,
                        founders,
                        invitation.map(Invitation::name).orElse("founder"));
        channel.setReceiver(
                new Receiver() {
                    @Override
                    public void receive(Message message) {
                        received(message);
                    }

                    @Override
                    public void viewAccepted(View view) {
                        viewed(view);
                    }
                });
    }

    /// A new group without other members.
    ///
    /// @param listener which port it uses; one group at a time
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
                        handlers,
                        events,
                        clock);
        group.connect();
        var _ =
                group.beats.scheduleAtFixedRate(
                        group::beat, 0, BEAT.toMillis(), TimeUnit.MILLISECONDS);
        return group;
    }

    /// Joins the group of an invitation.
    ///
    /// @param address where the others reach our listener
    /// @throws UserError when the founder cannot be reached from here
    static Group join(
            Invitation invitation,
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
                        handlers,
                        Events.NONE,
                        clock);
        Address founder = group.meet(invitation);
        var from = new Member("founder of " + invitation.run(), facts);
        group.peers.put(founder, group.peer(from, founder));
        group.post(founder, HERE, new Member(invitation.name(), facts));
        return group;
    }

    /// Joins the founder. Where many join at once one may first meet another that is joining.
    private Address meet(Invitation by) {
        for (int i = 0; i < JOIN_TRIES; i++) {
            connect();
            Address first = channel.getView().getCoord();
            if (text(first).equals(by.founder())) {
                return first;
            }
            channel.disconnect();
        }
        close();
        throw UserError.target(
                "it cannot join the run",
                "no answer from " + by.host() + ":" + by.port(),
                "every agent must reach the host that runs jdyno, and the other agents");
    }

    private static String text(Address address) {
        return address instanceof org.jgroups.util.UUID id ? id.toStringLong() : "";
    }

    private Peer peer(Member member, Address at) {
        return new Peer(
                member, at, new ClockOffset(), new Lateness(), new AtomicLong(clock.nanos()));
    }

    private void connect() {
        try {
            channel.connect(name);
        } catch (Exception e) {
            close();
            throw UserError.target("cannot join a group of processes", e.toString(), "see --debug")
                    .causedBy(e);
        }
    }

    /// Invites the process that listens there, and waits until it has joined.
    ///
    /// @param called its name from now on
    /// @param run what the group is for, to be shown there
    /// @throws UserError when it cannot be reached, refuses, or cannot reach us
    public Member invite(String called, InetSocketAddress at, String run) {
        var here = new CompletableFuture<Member>();
        invited.put(called, here);
        Door.ask(
                called,
                at,
                listener.identity(),
                new Door.Question(
                        Optional.of(
                                new Invitation(
                                        name,
                                        called,
                                        run,
                                        text(channel.getAddress()),
                                        address.getHostAddress(),
                                        listener.port()))),
                clock);
        try {
            return here.get(JOIN_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw UserError.target(
                            "agent " + called + " does not join",
                            "nothing was heard of it after it had been invited",
                            "see what it says on its own host")
                    .causedBy(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while an agent joins", e);
        }
    }

    /// All that have joined and are heard.
    public List<Member> members() {
        return peers.values().stream().filter(p -> !lost.contains(p)).map(Peer::member).toList();
    }

    /// How the member's monotonic clock stands to ours; empty before its first echo.
    public Optional<ClockOffset.Estimate> clock(Member member) {
        return peer(member).flatMap(p -> p.clock().at(clock.nanos()));
    }

    /// When the founder was heard last, on our clock; for members. A beat that was stuck on its way
    /// counts from when it should have come: it does not show that the founder lives now.
    long founderHeardNanos() {
        return peers.values().stream().mapToLong(p -> p.heardNanos().get()).max().orElse(0);
    }

    /// Whether nothing was heard of the founder for {@link #SILENCE}; for members.
    public boolean isFounderSilent() {
        return clock.nanos() - founderHeardNanos() > SILENCE.toNanos();
    }

    /// Done when the founder has ended the group.
    CompletableFuture<Void> ended() {
        return ended;
    }

    /// Messages that were none of ours, or not to be read.
    public long rejected() {
        return rejected.sum();
    }

    private Optional<Peer> peer(Member member) {
        return peers.values().stream().filter(p -> p.member().equals(member)).findFirst();
    }

    /// The one that founded the group; for members.
    public Member founder() {
        return peers.values().iterator().next().member();
    }

    /// Sends a message that is not answered. It is delivered once and in order, or the member is
    /// lost.
    public <T> void send(Member to, Kind<T> kind, T message) {
        peer(to).ifPresent(p -> post(p.address(), kind, message));
    }

    /// Asks a member. The future fails with a {@link UserError} when it refuses, is lost, or does
    /// not answer within `limit`.
    public <Q, A> CompletableFuture<A> ask(
            Member to, Kind.Call<Q, A> call, Q question, Duration limit) {
        Optional<Peer> peer = peer(to).filter(p -> !lost.contains(p));
        if (peer.isEmpty()) {
            return CompletableFuture.failedFuture(Questions.gone(to, "it is lost"));
        }
        byte[] bytes = call.question().payload().write(question);
        return questions.ask(
                to,
                call.answer(),
                limit,
                number ->
                        transmit(
                                peer.get().address(),
                                new Frame(
                                        Frame.Role.QUESTION, call.question().id(), number, bytes)));
    }

    private <T> void post(Address to, Kind<T> kind, T message) {
        byte[] bytes = kind.payload().write(message);
        transmit(to, new Frame(Frame.Role.ONE_WAY, kind.id(), 0, bytes));
    }

    private void transmit(Address to, Frame frame, Message.Flag... flags) {
        try {
            channel.send(new BytesMessage(to, frame.bytes()).setFlag(flags));
        } catch (Exception closed) {
            // the group has ended, or the member is out of reach: its silence says so
            rejected.increment();
        }
    }

    /// Before all other messages, and never sent again: a late beat is worth nothing.
    private void atOnce(Peer to, Kind<long[]> kind, long... numbers) {
        transmit(
                to.address(),
                new Frame(Frame.Role.ONE_WAY, kind.id(), 0, kind.payload().write(numbers)),
                Message.Flag.OOB,
                Message.Flag.NO_RELIABILITY);
    }

    private void beat() {
        long now = clock.nanos();
        for (Peer p : peers.values()) {
            atOnce(p, BEATS, now);
            if (now - p.heardNanos().get() > SILENCE.toNanos()) {
                lose(p);
            }
        }
    }

    private void lose(Peer peer) {
        if (lost.add(peer)) {
            questions.lost(peer.member());
            events.lost(peer.member());
        }
    }

    private void heard(Peer peer, long atNanos) {
        peer.heardNanos().accumulateAndGet(atNanos, Math::max);
        View view = channel.getView();
        // what comes after it has left was under way
        if (view != null && view.containsMember(peer.address()) && lost.remove(peer)) {
            events.joined(peer.member());
        }
    }

    private void viewed(View view) {
        Set<Address> there = new HashSet<>(view.getMembers());
        if (invitation.isEmpty()) {
            peers.values().stream().filter(p -> !there.contains(p.address())).forEach(this::lose);
        }
    }

    private void received(Message message) {
        try {
            if (!(message instanceof BytesMessage)) {
                throw new IllegalArgumentException("a message that is no bytes");
            }
            Frame frame = Frame.of(message.getArray(), message.getOffset(), message.getLength());
            Peer from = peers.get(message.getSrc());
            if (from != null) {
                receive(from, frame);
            } else if (invitation.isEmpty() && frame.kind() == HERE.id()) {
                welcome(message.getSrc(), checked(HERE, frame));
            } else {
                throw new IllegalArgumentException("a message of a stranger");
            }
        } catch (IllegalArgumentException e) {
            rejected.increment();
        }
    }

    private static <T> T checked(Kind<T> kind, Frame frame) {
        if (frame.payload().length > kind.mostBytes()) {
            throw new IllegalArgumentException("too long for " + kind.name());
        }
        return kind.payload().read(frame.payload());
    }

    private void welcome(Address at, Member member) {
        CompletableFuture<Member> here = invited.get(member.name());
        if (here == null) {
            throw new IllegalArgumentException("a member that was not invited");
        }
        peers.put(at, peer(member, at));
        here.complete(member);
        events.joined(member);
    }

    private void receive(Peer from, Frame frame) {
        if (frame.kind() == BEATS.id()) {
            long reached = clock.nanos();
            long[] sent = checked(BEATS, frame);
            heard(from, reached - from.lateness().of(sent[0], reached));
            atOnce(from, ECHO, sent[0], reached, clock.nanos());
        } else if (frame.kind() == ECHO.id()) {
            long[] times = checked(ECHO, frame);
            heard(from, clock.nanos());
            from.clock().add(times[0], times[1], times[2], clock.nanos());
        } else if (frame.kind() == END.id()) {
            ended.complete(null);
        } else {
            switch (frame.role()) {
                case ONE_WAY, QUESTION -> handle(from, frame, handlers.of(frame.kind()));
                case ANSWER, REFUSAL -> questions.answered(from.member(), frame);
            }
        }
    }

    private void handle(Peer from, Frame frame, Optional<Handlers.Handler<?>> handler) {
        if (handler.isEmpty()) {
            throw new IllegalArgumentException("no handler for kind " + frame.kind());
        }
        try {
            run(from, frame, handler.get());
        } catch (RejectedExecutionException busyOrEnding) {
            refuse(from, frame, busyOrEnding);
        }
    }

    private <T> void run(Peer from, Frame frame, Handlers.Handler<T> handler) {
        T message = checked(handler.kind(), frame);
        handler.on()
                .execute(() -> {
                    try {
                        handler.work()
                                .on(from.member(), message)
                                .ifPresent(a -> reply(from, frame, Frame.Role.ANSWER, a));
                    } catch (Exception e) {
                        refuse(from, frame, e);
                    }
                });
    }

    private void refuse(Peer from, Frame frame, Exception why) {
        if (frame.role() == Frame.Role.QUESTION) {
            byte[] refusal = Payload.json(Refusal.class).write(Refusal.of(why));
            reply(from, frame, Frame.Role.REFUSAL, refusal);
        } else {
            rejected.increment();
        }
    }

    private void reply(Peer to, Frame question, Frame.Role role, byte[] payload) {
        transmit(to.address(), new Frame(role, question.kind(), question.number(), payload));
    }

    /// Leaves it; where the founder does, all do.
    @Override
    public void close() {
        if (invitation.isEmpty() && channel.isConnected()) {
            peers.values().forEach(p -> post(p.address(), END, ""));
        }
        beats.shutdownNow();
        channel.close();
        listener.group(Optional.empty());
    }
}
