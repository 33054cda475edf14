package dev.jdyno.load.loop;

import dev.jdyno.load.reply.EventReader;
import dev.jdyno.load.reply.ReplyHead;
import dev.jdyno.load.reply.ReplyText;
import dev.jdyno.load.request.GrpcCalls;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.wire.SocketFailure;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.FailureReason;
import dev.jdyno.measure.load.ReplyRules;
import org.jspecify.annotations.Nullable;

/// Connects one user to a shared HTTP/2 connection. Each of its requests gets a stream of its own,
/// one after the other.
final class Http2Stream implements Carrier {
    private static final byte[] NOTHING = new byte[0];

    final User user;
    private final Http2Group group;

    /// Connection of this user; null without a connection.
    @Nullable Http2Connection connection;

    /// Stream of the request in flight; 0 without a request in flight.
    int id;

    /// True while the request waits until the server allows another stream.
    boolean queued;

    byte[] request = NOTHING;

    /// Number of bytes of `request` that were passed to the connection.
    int given;

    boolean headRequest;
    @Nullable ReplyText keep;
    long sendWindow;

    /// Position at which the request's head ends, in bytes since the connection began.
    long headEnd;

    /// Number of interim replies so far.
    int interim;

    /// Time at which the stream was opened.
    long openedNanos;

    /// HTTP status of the reply; 0 until its head has arrived.
    int status;

    long contentLength;
    long bodyBytes;
    long headBytes;

    /// Number of received bytes for which no WINDOW_UPDATE was sent yet.
    int unacknowledged;

    /// The gRPC part of the reply; null if the session does not use gRPC.
    final @Nullable GrpcReply grpc;

    /// True if a part of the reply began in the read that is being handled.
    boolean began;

    /// Created with the first reply that has events.
    private @Nullable EventReader reader;

    /// Reader of events while a reply with events arrives; otherwise null.
    @Nullable EventReader watched;

    /// True if the user has been notified when the head began.
    private boolean headTimed;

    Http2Stream(User user, Http2Group group, boolean speaksGrpc) {
        this.user = user;
        this.group = group;
        this.grpc = speaksGrpc ? new GrpcReply() : null;
    }

    @Override
    public void connect(long now) throws SocketFailure {
        group.join(this, now);
    }

    @Override
    public void send(byte[] bytes, boolean isHead, @Nullable ReplyText wanted, long now)
            throws SocketFailure {
        request = bytes;
        given = 0;
        headRequest = isHead;
        keep = wanted;
        status = 0;
        contentLength = ReplyHead.UNKNOWN;
        bodyBytes = 0;
        headBytes = 0;
        interim = 0;
        unacknowledged = 0;
        if (grpc != null) {
            grpc.start();
        }
        headTimed = false;
        watched = null;
        java.util.Objects.requireNonNull(connection).send(this, now);
    }

    int bodyLeft() {
        return request.length - given;
    }

    boolean isActive() {
        return id != 0;
    }

    /// Called after the read in which a part of the reply began, if the reply is still incomplete.
    void parted(long now) {
        if (!headTimed) {
            headTimed = true;
            user.headBegan(now);
        }
        if (bodyBytes > 0 && !user.hasBody()) {
            user.bodyBegan(now);
        }
    }

    /// Starts to count events at the start of a reply.
    void watch(boolean eventStream, ReplyRules rules) {
        EventReader now = reader;
        if (now == null) {
            now = new EventReader(rules);
            reader = now;
        }
        now.begin(eventStream);
        watched = now;
    }

    @Override
    public boolean cutOff() {
        Http2Connection on = connection;
        if (on == null || !isActive() || status == 0) {
            return false;
        }
        on.cutOff(this);
        return true;
    }

    @Override
    public @Nullable SocketFailure failure() {
        return grpc != null && grpc.hasFailed() ? grpc.failure() : null;
    }

    /// True if at least 90 % of the call's deadline has passed. The limit is not 100 %, because the
    /// server does not measure the deadline from the same time.
    boolean isPastDeadline(long now, LoadSpec spec) {
        return spec.grpc()
                .flatMap(GrpcCalls::deadline)
                .filter(d -> now - openedNanos > d.toNanos() / 10 * 9)
                .isPresent();
    }

    static SocketFailure deadlinePassed() {
        return new SocketFailure(
                ErrorKind.GRPC_DEADLINE_EXCEEDED, FailureReason.GRPC_DEADLINE_PASSED);
    }

    @Override
    public FailureReason unanswered() {
        return connection == null ? FailureReason.CONNECTION_UNANSWERED : connection.unanswered();
    }

    @Override
    public void close() {
        Http2Connection left = connection;
        if (left != null) {
            connection = null;
            left.leave(this);
        }
    }
}
