package dev.jdyno.cluster;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

/// How a process is spoken to that is in no group yet: one question and one answer on an
/// authenticated connection. A frame is `JDYN`, the version, the length, and JSON; the first two
/// stay as they are in all versions, so that another version is no garbage.
final class Door {
    private static final int MAGIC = 0x4a44594e;
    private static final int MOST_BYTES = 64 << 10;
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);

    /// Long enough to join a group.
    static final Duration ANSWER_LIMIT = Duration.ofSeconds(25);

    private Door() {}

    /// @param invitation empty: only the facts are asked for
    record Question(Optional<Invitation> invitation) {}

    /// @param epochMicros the wall clock of the one that answers
    record Answer(Optional<Facts> facts, Optional<Refusal> refusal, long epochMicros) {}

    private static final Payload<Question> QUESTION = Payload.json(Question.class);
    private static final Payload<Answer> ANSWER = Payload.json(Answer.class);

    /// @param local our address on the connection
    /// @param wallOffsetMs their wall clock minus ours
    /// @param wallErrorMs by how much that may be wrong at most
    record Visit(Facts facts, InetAddress local, double wallOffsetMs, double wallErrorMs) {}

    /// Asks the process that listens there.
    ///
    /// @param name of it, for messages
    /// @throws UserError when it cannot be reached, holds another token, has another version, or
    ///   refuses
    static Visit ask(
            String name,
            InetSocketAddress at,
            Identity identity,
            Question question,
            NanoClock clock) {
        try (var socket = (SSLSocket) identity.context().getSocketFactory().createSocket()) {
            socket.setUseClientMode(true);
            Identity.demand(socket, Identity.DOOR);
            socket.setTcpNoDelay(true);
            socket.connect(resolved(name, at), (int) CONNECT_LIMIT.toMillis());
            socket.setSoTimeout((int) CONNECT_LIMIT.toMillis());
            handshake(name, socket);
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
        } catch (SocketTimeoutException e) {
            throw unreachable(name, "no answer in time", e);
        } catch (IllegalArgumentException e) {
            throw unreachable(name, "what it answers cannot be read: " + e.getMessage(), e);
        } catch (IOException e) {
            throw unreachable(name, String.valueOf(e.getMessage()), e);
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
            throw e;
        } catch (SSLException e) {
            throw UserError.usage(
                            "agent " + name + " is not one of ours",
                            "it holds another token, or no agent listens there ("
                                    + e.getMessage()
                                    + ")",
                            "give the same token file on both sides")
                    .causedBy(e);
        }
    }

    private static UserError unreachable(String name, String why, Exception cause) {
        return UserError.target(
                        "agent " + name + " cannot be reached",
                        why,
                        "start it there with: jdyno agent --listen HOST:PORT --token-file FILE")
                .causedBy(cause);
    }

    private static double epochMs(Instant at) {
        return at.getEpochSecond() * 1e3 + at.getNano() / 1e6;
    }

    /// Reads the question of a visitor; a visitor of another version gets our version.
    ///
    /// @throws IOException when it is none of ours
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
        if (length < 0 || length > MOST_BYTES) {
            throw new IllegalArgumentException("a frame of " + length + " bytes");
        }
        byte[] payload = in.readNBytes(length);
        if (payload.length < length) {
            throw new IllegalArgumentException("the frame ends early");
        }
        return payload;
    }
}
