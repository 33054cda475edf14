package dev.jdyno.measure.load;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// The exact reason of a failed request, in more detail than its kind of error. {@link FailureText}
/// puts it into words.
public enum FailureReason {
    // connecting
    CONNECTION_REFUSED,
    /// The connection attempt got no answer in time.
    CONNECTION_UNANSWERED,
    CONNECTION_RESET,
    NO_LOCAL_PORT,
    NO_FILE_DESCRIPTOR,
    SYSTEM_CALL_FAILED,

    // the server ends the connection
    CLOSED_BEFORE_REPLY,
    CLOSED_IN_HEAD,
    CLOSED_IN_BODY,
    /// HTTP/2: closed before all replies had ended.
    CLOSED_WITH_OPEN_STREAMS,
    /// HTTP/2: closed before the server's first frame.
    CLOSED_BEFORE_SETTINGS,

    // TLS
    CERTIFICATE_SELF_SIGNED,
    CERTIFICATE_ISSUER_UNKNOWN,
    CERTIFICATE_FOR_OTHER_NAME,
    CERTIFICATE_EXPIRED,
    CERTIFICATE_NOT_YET_VALID,
    /// The certificate is not accepted for another reason: revoked, a weak algorithm, not for
    /// servers.
    CERTIFICATE_UNACCEPTABLE,
    CLIENT_CERTIFICATE_WANTED,
    TLS_VERSION,
    TLS_NO_COMMON_CIPHER,
    /// The server has no site with that name (SNI).
    TLS_NAME_UNKNOWN,
    /// The server ended the handshake with another alert.
    TLS_ALERT,
    /// The server answered the handshake with plain HTTP.
    TLS_PORT_SPEAKS_HTTP,
    /// The server answered the handshake with data that is not TLS.
    TLS_NOT_SPOKEN,
    TLS_HANDSHAKE_CLOSED,
    TLS_HANDSHAKE_RESET,
    TLS_HANDSHAKE_UNANSWERED,
    /// The server does not agree to HTTP/2 by ALPN.
    TLS_WITHOUT_HTTP2,
    /// Repeated records without any data.
    TLS_EMPTY_RECORDS,
    TLS_BROKEN,

    // HTTP/1.x
    NOT_HTTP,
    /// The server answered a plain request with TLS.
    PLAIN_PORT_SPEAKS_TLS,
    STATUS_LINE_INVALID,
    HEAD_TOO_LONG,
    /// The unfinished heads of all connections together use too much memory.
    HEADS_TOO_LARGE_TOGETHER,
    HEADER_LINE_INVALID,
    CONTENT_LENGTH_TWICE,
    CONTENT_LENGTH_INVALID,
    CHUNK_SIZE_INVALID,
    CHUNK_EXTENSION_TOO_LONG,
    /// Bytes where the end of a chunk's data should be.
    CHUNK_END_MISSING,
    TRAILERS_TOO_LONG,
    TRAILER_INVALID,
    UPGRADE_UNASKED,
    INTERIM_REPLIES_TOO_MANY,
    BYTES_AFTER_REPLY,
    REPLY_TOO_LARGE,

    // HTTP/2
    NOT_HTTP2,
    SETTINGS_UNANSWERED,
    FRAME_TOO_LONG,
    FRAME_LENGTH_INVALID,
    FRAME_PADDING_INVALID,
    /// A frame on a stream that this client has not opened.
    FRAME_ON_UNKNOWN_STREAM,
    FRAMES_USELESS_TOO_MANY,
    /// PING or SETTINGS come faster than the server reads the answers.
    ACKS_UNREAD_TOO_MANY,
    SETTINGS_TOO_MANY,
    SETTING_INVALID,
    WINDOW_INVALID,
    PUSH_FORBIDDEN,
    HEADER_BLOCK_INTERRUPTED,
    CONTINUATION_UNEXPECTED,
    CONTINUATIONS_TOO_MANY,
    HEADER_COMPRESSION_BROKEN,
    /// The total length of the decompressed header fields is too large.
    HEADER_LIST_TOO_LONG,
    PSEUDO_HEADER_INVALID,
    STATUS_INVALID,
    STATUS_MISSING,
    DATA_BEFORE_HEAD,
    BODY_LENGTH_DIFFERS,
    TRAILERS_NOT_LAST,
    INTERIM_REPLY_IS_LAST,
    /// A reply to a request that this client has not sent yet.
    REPLY_BEFORE_REQUEST,
    STREAM_RESET,
    STREAM_REFUSED,
    STREAM_RESETS_TOO_MANY,
    STREAM_NUMBERS_SPENT,
    /// Nothing arrived on the connection since the request was sent.
    CONNECTION_SILENT,
    SERVER_GOES_AWAY,

    // gRPC
    GRPC_STATUS,
    /// A reply of HTTP status 200 without a grpc-status.
    GRPC_STATUS_MISSING,
    /// A reply of another HTTP status without a grpc-status.
    GRPC_NOT_SPOKEN,
    /// A message that is cut off, or has flags that gRPC does not define.
    GRPC_MESSAGE_INVALID,
    /// An OK without a message, or with several, for a method that returns exactly one.
    GRPC_MESSAGES_NOT_ONE,
    /// The call did not end before its deadline.
    GRPC_DEADLINE_PASSED,
    /// The values of the workload do not give a valid message of the method.
    GRPC_REQUEST_INVALID,

    // redirects
    REDIRECT_ELSEWHERE,
    REDIRECTS_TOO_MANY,

    // streams of events
    EVENT_LINE_TOO_LONG,
    EVENT_TOO_LONG,
    /// The reply ended without the text of `until`.
    ENDED_WITHOUT_TEXT,

    // expressions of the workload
    EXPRESSION_STEPS_TOO_MANY,
    EXPRESSION_TOO_DEEP;

    /// The name of the reason in JSON: `certificate-self-signed`.
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// The reason with that name; empty when this version does not know it.
    public static Optional<FailureReason> ofKey(String key) {
        return Arrays.stream(values()).filter(r -> r.key().equals(key)).findFirst();
    }
}
