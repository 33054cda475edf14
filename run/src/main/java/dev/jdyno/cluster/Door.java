package dev.jdyno.cluster;

import dev.jdyno.cluster.key.PeerKey;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

/// The protocol for a process that is in no group yet: one question and one answer on an
/// authenticated connection. A frame is `JDYN`, the version, the length, and JSON. The first two
/// stay the same in all versions, so that another version is recognised.
final class Door {
    private static final int MAGIC = 0x4a44594e;
    private static final int MAX_BYTES = 64 << 10;
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);

    /// Maximum number of attempts, in about 3 s, if the process closes connections.
    private static final int TRIES = 6;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

    /// Maximum time for an answer: long enough to join a group.
    static final Duration ANSWER_LIMIT = Duration.ofSeconds(25);

    private Door() {}

    /// @param invitation empty if only the facts are requested
    record Question(Optional<Invitation> invitation) {}

    /// @param epochMicros time of the answering process's wall clock, in microseconds since 1970
    record Answer(Optional<Facts> facts, Optional<Refusal> refusal, long epochMicros) {}

    private static final Payload<Question> QUESTION = Payload.json(Question.class);
    private static final Payload<Answer> ANSWER = Payload.json(Answer.class);

    /// @param local our address on the connection
    /// @param wallOffsetMs the peer's wall clock minus our wall clock
    /// @param wallErrorMs maximum error of the offset
    record Visit(Facts facts, InetAddress local, double wallOffsetMs, double wallErrorMs) {}

    /// Sends a question to the process that listens at the address. If the process is too busy for
    /// a handshake, the question is repeated several times, after growing pauses.
    ///
    /// @param name of the process, for messages
    /// @param strangers messages for the case that the two processes do not accept each other
    /// @throws UserError if it cannot be reached, has another key or another version, or refuses
    static Visit ask(
            String name,
            InetSocketAddress at,
            Identity identity,
            Strangers strangers,
            Question question,
            NanoClock clock) {
        return retried(
                name,
                () -> {
                    try {
                        return askOnce(
                                name, resolved(name, at), identity, strangers, question, clock);
                    } catch (Stranger other) {
                        throw strangers.shows(name, other.shown).causedBy(other);
                    }
                });
    }

    /// Sends a question to a process that shares one token.
    static Visit ask(
            String name,
            InetSocketAddress at,
            Identity identity,
            Question question,
            NanoClock clock) {
        return ask(name, at, identity, new Strangers.OneToken(), question, clock);
    }

    /// The key that the listening process shows.
    ///
    /// @param identity an identity that accepts no peer
    /// @throws UserError if the process cannot be reached, or is not an agent
    static PeerKey key(String name, InetSocketAddress at, Identity identity) {
        return retried(
                name,
                () -> {
                    try (SSLSocket socket =
                            connected(
                                    name,
                                    resolved(name, at),
                                    identity,
                                    Identity.DOOR,
                                    new Socket())) {
                        return Identity.peer(socket);
                    } catch (Stranger other) {
                        return other.shown;
                    } catch (SocketTimeoutException e) {
                        throw unreachable(name, "no answer in time", e);
                    } catch (Busy busy) {
                        throw busy;
                    } catch (IOException e) {
                        throw unreachable(name, String.valueOf(e.getMessage()), e);
                    }
                });
    }

    private interface Once<T> {
        T get() throws Busy, Stranger;
    }

    private static <T> T retried(String name, Once<T> once) {
        for (int i = 1; ; i++) {
            try {
                return once.get();
            } catch (Stranger other) {
                throw new IllegalStateException("answered by the caller", other);
            } catch (Busy closed) {
                if (i == TRIES) {
                    throw unreachable(name, closed.getMessage() + ", " + TRIES + " times", closed);
                }
                pause(FIRST_PAUSE.multipliedBy(1L << i));
            }
        }
    }

    /// The listening process accepted a connection and closed it without an answer: it is too busy,
    /// or it is ending.
    private static final class Busy extends IOException {
        private static final long serialVersionUID = 1L;

        Busy(IOException cause) {
            super("it closes connections without an answer", cause);
        }
    }

    /// The process shows a key that is not accepted.
    private static final class Stranger extends IOException {
        private static final long serialVersionUID = 1L;

        private final transient PeerKey shown;

        Stranger(OnlyKeys.Another other) {
            super(other);
            this.shown = other.shown();
        }
    }

    private static void pause(Duration pause) {
        try {
            // random, so that callers that wait for the same process do not come back at the same
            // time
            long max = pause.toMillis();
            Thread.sleep(ThreadLocalRandom.current().nextLong(max / 2, max));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while an agent is asked", e);
        }
    }

    private static Visit askOnce(
            String name,
            InetSocketAddress at,
            Identity identity,
            Strangers strangers,
            Question question,
            NanoClock clock)
            throws Busy, Stranger {
        try (SSLSocket socket = connected(name, at, identity, Identity.DOOR, new Socket())) {
            socket.setSoTimeout((int) ANSWER_LIMIT.toMillis());
            Instant before = Instant.now();
            long sent = clock.nanos();
            write(socket, QUESTION.write(question));
            Answer answer = ANSWER.read(read(name, socket));
            long roundTrip = clock.nanos() - sent;
            if (answer.refusal().isPresent()) {
                throw answer.refusal().get().by(name);
            }
            double middleMs = epochMs(before) + roundTrip / 2e6;
            return new Visit(
                    answer.facts().orElseThrow(() -> new IllegalArgumentException("no facts")),
                    socket.getLocalAddress(),
                    answer.epochMicros() / 1e3 - middleMs,
                    roundTrip / 2e6);
        } catch (Busy | Stranger met) {
            throw met;
        } catch (SocketTimeoutException e) {
            throw unreachable(name, "no answer in time", e);
        } catch (SSLException | EOFException | SocketException e) {
            if (isWordless(e)) {
                throw new Busy(e);
            }
            // in TLS 1.3 the server checks the client's key only after the client's handshake is
            // done
            throw strangers.refuses(name, String.valueOf(e.getMessage())).causedBy(e);
        } catch (IllegalArgumentException e) {
            throw unreachable(name, "what it answers cannot be read: " + e.getMessage(), e);
        } catch (IOException e) {
            throw unreachable(name, String.valueOf(e.getMessage()), e);
        }
    }

    /// Connects to the process and checks its key.
    ///
    /// @param purpose name of a protocol
    /// @param tcp not connected yet; it is closed if this fails
    private static SSLSocket connected(
            String name, InetSocketAddress at, Identity identity, String purpose, Socket tcp)
            throws IOException {
        try {
            tcp.setTcpNoDelay(true);
            connect(name, tcp, at);
            tcp.setSoTimeout((int) CONNECT_LIMIT.toMillis());
            var socket =
                    (SSLSocket)
                            identity.context()
                                    .getSocketFactory()
                                    .createSocket(tcp, at.getHostString(), at.getPort(), true);
            socket.setUseClientMode(true);
            Identity.demand(socket, purpose);
            handshake(name, socket);
            return socket;
        } catch (IOException | RuntimeException notMet) {
            Listener.close(tcp);
            throw notMet;
        }
    }

    /// A connection for the {@link ReturnRelay} of the process.
    ///
    /// @param tcp not connected yet; it is closed if this fails
    /// @throws UserError if it cannot be reached
    static SSLSocket forReturns(String name, InetSocketAddress at, Identity identity, Socket tcp)
            throws IOException {
        SSLSocket socket = connected(name, resolved(name, at), identity, Identity.RETURN, tcp);
        socket.setSoTimeout(0);
        return socket;
    }

    private static void connect(String name, Socket socket, InetSocketAddress at) {
        try {
            socket.connect(at, (int) CONNECT_LIMIT.toMillis());
        } catch (IOException notConnected) {
            throw unreachable(name, String.valueOf(notConnected.getMessage()), notConnected);
        }
    }

    private static InetSocketAddress resolved(String name, InetSocketAddress at) {
        try {
            return new InetSocketAddress(InetAddress.getByName(at.getHostString()), at.getPort());
        } catch (UnknownHostException e) {
            throw UserError.usage(
                            "agent " + name + " is unknown",
                            "the host has no address: " + at.getHostString(),
                            "check its name")
                    .causedBy(e);
        }
    }

    private static void handshake(String name, SSLSocket socket) throws IOException {
        try {
            socket.startHandshake();
        } catch (SocketTimeoutException e) {
            throw unreachable(
                    name,
                    "it accepts connections, and is silent for " + CONNECT_LIMIT.toSeconds() + " s",
                    e);
        } catch (SSLException e) {
            Optional<OnlyKeys.Another> another = causeOf(e, OnlyKeys.Another.class);
            if (another.isPresent()) {
                throw new Stranger(another.get());
            }
            if (isWordless(e)) {
                throw new Busy(e);
            }
            throw unreachable(name, "what listens there is no agent: " + e.getMessage(), e);
        } catch (EOFException | SocketException e) {
            throw new Busy(e);
        }
    }

    /// True if the connection ended without a TLS alert that would name the reason.
    private static boolean isWordless(IOException end) {
        return causeOf(end, EOFException.class).isPresent()
                || causeOf(end, SocketException.class).isPresent();
    }

    private static <T extends Throwable> Optional<T> causeOf(Throwable failure, Class<T> type) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst();
    }

    private static UserError unreachable(String name, String why, Exception cause) {
        return UserError.target(
                        "agent " + name + " cannot be reached",
                        why,
                        "start jdyno agent there, and see that this host reaches its port")
                .causedBy(cause);
    }

    private static double epochMs(Instant at) {
        return at.getEpochSecond() * 1e3 + at.getNano() / 1e6;
    }

    /// Reads the question of a visitor. A visitor of another version gets our version as the
    /// answer.
    ///
    /// @throws IOException if it is not a question of our protocol
    static Question question(SSLSocket visitor) throws IOException {
        visitor.setSoTimeout((int) CONNECT_LIMIT.toMillis());
        try {
            return QUESTION.read(read("visitor", visitor));
        } catch (UserError | IllegalArgumentException other) {
            write(visitor, new byte[0]);
            throw new IOException("no question of ours", other);
        }
    }

    static void answer(SSLSocket visitor, Optional<Facts> facts, Optional<Refusal> refusal)
            throws IOException {
        long micros = Math.round(epochMs(Instant.now()) * 1e3);
        write(visitor, ANSWER.write(new Answer(facts, refusal, micros)));
    }

    private static void write(SSLSocket to, byte[] payload) throws IOException {
        var out = new DataOutputStream(to.getOutputStream());
        byte[] whole = new byte[4 + 1 + 4 + payload.length];
        java.nio.ByteBuffer.wrap(whole)
                .putInt(MAGIC)
                .put((byte) Frame.VERSION)
                .putInt(payload.length)
                .put(payload);
        out.write(whole);
        out.flush();
    }

    private static byte[] read(String name, SSLSocket from) throws IOException {
        var in = new DataInputStream(from.getInputStream());
        if (in.readInt() != MAGIC) {
            throw new IllegalArgumentException("it is no frame of jdyno");
        }
        int version = in.readUnsignedByte();
        int length = in.readInt();
        if (version != Frame.VERSION) {
            throw UserError.usage(
                    "agent " + name + " has another version",
                    String.format(
                            Locale.ROOT,
                            "it speaks version %d of the protocol, this jdyno version %d",
                            version,
                            Frame.VERSION),
                    "use the same release of jdyno on all hosts");
        }
        if (length < 0 || length > MAX_BYTES) {
            throw new IllegalArgumentException("a frame of " + length + " bytes");
        }
        byte[] payload = in.readNBytes(length);
        if (payload.length < length) {
            throw new IllegalArgumentException("the frame ends early");
        }
        return payload;
    }
}
