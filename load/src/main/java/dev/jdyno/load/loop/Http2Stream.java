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

/// One user's share of an HTTP/2 connection: carries each of its requests on a stream of its own,
/// one after the other.
final class Http2Stream implements Carrier {
    private static final byte[] NOTHING = new byte[0];

    final User user;
    private final Http2Group group;

    /// The connection this user is on; null when it is on none.
    @Nullable Http2Connection connection;

    /// The stream of the request that is out; 0 when none is.
    int id;

    /// Whether the request waits until the server allows another stream.
    boolean queued;

    byte[] request = NOTHING;

    /// How much of `request` has been given to the connection.
    int given;

    boolean headRequest;
    @Nullable ReplyText keep;
    long sendWindow;

    /// Where the head of the request ends among the bytes of its connection.
    long headEnd;

    /// Interim replies so far.
    int interim;

    /// When the stream was opened.
    long openedNanos;

    /// 0 until the reply's head has come.
    int status;

    long contentLength;
    long bodyBytes;
    long headBytes;

    /// Bytes received that the server has not been told to send again.
    int unacknowledged;

    /// What gRPC says in the reply; null where no gRPC is spoken.
    final @Nullable GrpcReply grpc;

    /// Whether a part of the reply began in the read that is being handled.
    boolean began;

    /// Made when the first reply with events comes.
    private @Nullable EventReader reader;

    /// The same where the reply that comes has events; else null.
    @Nullable EventReader watched;

    /// Whether the user knows when the head began.
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

    /// The read in which a part of the reply began is handled, and the reply is not whole.
    void parted(long now) {
        if (!headTimed) {
            headTimed = true;
            user.headBegan(now);
        }
        if (bodyBytes > 0 && !user.hasBody()) {
            user.bodyBegan(now);
        }
    }

    /// A reply begins that is watched for events.
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

    /// Whether the call's deadline was over, or as good as over: the server's clock started later.
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
