package dev.jdyno.load.loop;

import dev.jdyno.load.http2.Http2Head;
import dev.jdyno.load.request.GrpcFrames;
import dev.jdyno.load.wire.SocketFailure;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.FailureReason;
import org.jspecify.annotations.Nullable;

/// Reads the reply of a gRPC call on one stream: where messages begin and end in its body, and the
/// status after them. It keeps no message, so its memory does not depend on the reply.
final class GrpcReply {
    private static final int UNCOMPRESSED = 0;
    private static final int COMPRESSED = 1;

    private int status;
    private String message = "";
    private long messages;

    /// Number of bytes of the prefix that have arrived. The message follows the prefix.
    private int prefix;

    private long length;
    private long left;

    /// Resets the reader for the next call.
    void start() {
        status = Http2Head.NO_GRPC_STATUS;
        message = "";
        messages = 0;
        prefix = 0;
        length = 0;
        left = 0;
    }

    /// Reads the status from the last header block.
    void endsWith(Http2Head head) {
        status = head.grpcStatus();
        message = status > 0 ? head.grpcMessage() : "";
    }

    /// Reads a part of the body.
    ///
    /// @param max maximum number of bytes of a message
    /// @return the mistake found; null if there is none
    @Nullable SocketFailure take(byte[] b, int from, int count, long max) {
        int at = from;
        int end = from + count;
        while (at < end) {
            if (prefix < GrpcFrames.PREFIX_BYTES) {
                if (prefix == 0 && b[at] != UNCOMPRESSED && b[at] != COMPRESSED) {
                    return SocketFailure.malformed(
                            FailureReason.GRPC_MESSAGE_INVALID, "flags " + (b[at] & 0xff));
                }
                length = prefix == 0 ? 0 : (length << 8) | (b[at] & 0xff);
                at++;
                if (++prefix == GrpcFrames.PREFIX_BYTES) {
                    if (length > max) {
                        return new SocketFailure(
                                ErrorKind.TOO_LARGE,
                                FailureReason.REPLY_TOO_LARGE,
                                "a message of " + length + " bytes");
                    }
                    left = length;
                    overIfWhole();
                }
            } else {
                int n = (int) Math.min(left, end - at);
                at += n;
                left -= n;
                overIfWhole();
            }
        }
        return null;
    }

    private void overIfWhole() {
        if (left == 0) {
            messages++;
            prefix = 0;
        }
    }

    /// Number of messages of the reply so far.
    long messages() {
        return messages;
    }

    /// @param anyNumber true if the reply may have any number of messages
    /// @throws SocketFailure if the reply that has ended is no valid gRPC reply, whatever its
    ///   status
    void mustBeWhole(int httpStatus, boolean anyNumber) throws SocketFailure {
        if (status == Http2Head.NO_GRPC_STATUS) {
            if (httpStatus >= 400) {
                return; // counts by its HTTP status
            }
            throw httpStatus == 200
                    ? SocketFailure.malformed(FailureReason.GRPC_STATUS_MISSING)
                    : SocketFailure.malformed(FailureReason.GRPC_NOT_SPOKEN, "HTTP " + httpStatus);
        }
        if (prefix > 0) {
            throw SocketFailure.malformed(FailureReason.GRPC_MESSAGE_INVALID, "it is cut off");
        }
        if (status == 0 && messages != 1 && !anyNumber) {
            throw SocketFailure.malformed(
                    FailureReason.GRPC_MESSAGES_NOT_ONE, messages + " messages");
        }
    }

    /// Status of the call: the gRPC status, or the HTTP status if the reply has no gRPC status.
    int outcome(int httpStatus) {
        return status == Http2Head.NO_GRPC_STATUS ? httpStatus : status;
    }

    /// The reason why the call ended with this status.
    SocketFailure failure() {
        return new SocketFailure(ErrorKind.ofGrpc(status), FailureReason.GRPC_STATUS, message);
    }

    boolean hasFailed() {
        return status > 0;
    }
}
