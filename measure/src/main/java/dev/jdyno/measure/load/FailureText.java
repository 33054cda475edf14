package dev.jdyno.measure.load;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Describes a {@link FailureReason} in words: the mistake, and a fix if one is known.
public final class FailureText {
    private static final Map<FailureReason, String> TEXTS = new EnumMap<>(FailureReason.class);
    private static final Map<FailureReason, String> ADVICE = new EnumMap<>(FailureReason.class);

    static {
        connecting();
        certificates();
        handshake();
        http1();
        http2();
        http2Heads();
        grpc();
        events();
        expressions();
        advice();
    }

    private FailureText() {}

    private static void connecting() {
        say(FailureReason.CONNECTION_REFUSED, "no process listens on this port");
        say(
                FailureReason.CONNECTION_UNANSWERED,
                "the server did not accept the connection in time");
        say(FailureReason.CONNECTION_RESET, "the server reset the connection");
        say(FailureReason.NO_LOCAL_PORT, "this machine has no free local port for this address");
        say(FailureReason.NO_FILE_DESCRIPTOR, "this process may open no more files");
        say(FailureReason.SYSTEM_CALL_FAILED, "a system call failed");
        say(
                FailureReason.CLOSED_BEFORE_REPLY,
                "the server closed the connection before the first byte of the reply");
        say(FailureReason.CLOSED_IN_HEAD, "the server closed the connection within the head");
        say(FailureReason.CLOSED_IN_BODY, "the server closed the connection within the body");
        say(
                FailureReason.CLOSED_WITH_OPEN_STREAMS,
                "the server closed the connection before the reply was whole");
        say(
                FailureReason.CLOSED_BEFORE_SETTINGS,
                "the server closed the connection before its first HTTP/2 frame");
        say(
                FailureReason.REDIRECT_ELSEWHERE,
                "the redirect leads to another server, which is not loaded");
        say(FailureReason.REDIRECTS_TOO_MANY, "too many redirects in a row");
    }

    private static void events() {
        say(FailureReason.EVENT_LINE_TOO_LONG, "a line of the event stream is longer than 1 MiB");
        say(FailureReason.EVENT_TOO_LONG, "an event is longer than 16 MiB");
        say(
                FailureReason.ENDED_WITHOUT_TEXT,
                "the reply ended without the text of --reply-until (until: in a plan)");
    }

    private static void expressions() {
        say(
                FailureReason.EXPRESSION_STEPS_TOO_MANY,
                "an expression of take needs more steps than the limit of 1,000,000 and 20 for each"
                        + " character of the reply");
        say(
                FailureReason.EXPRESSION_TOO_DEEP,
                "a group in an expression of take repeats more often in the reply than the stack"
                        + " allows");
    }

    private static void certificates() {
        say(
                FailureReason.CERTIFICATE_SELF_SIGNED,
                "the server's certificate is not trusted: it is self-signed");
        say(
                FailureReason.CERTIFICATE_ISSUER_UNKNOWN,
                "the server's certificate is not trusted: its issuer is unknown here");
        say(
                FailureReason.CERTIFICATE_FOR_OTHER_NAME,
                "the server's certificate is for another name than the URL's host");
        say(FailureReason.CERTIFICATE_EXPIRED, "the server's certificate has expired");
        say(FailureReason.CERTIFICATE_NOT_YET_VALID, "the server's certificate is not valid yet");
        say(FailureReason.CERTIFICATE_UNACCEPTABLE, "the server's certificate is not acceptable");
        say(
                FailureReason.CLIENT_CERTIFICATE_WANTED,
                "the server wants a certificate of the client");
    }

    private static void handshake() {
        say(
                FailureReason.TLS_VERSION,
                "client and server have no TLS version in common (this client has 1.2 and 1.3)");
        say(
                FailureReason.TLS_NO_COMMON_CIPHER,
                "the server found no common TLS version, cipher suite or key exchange");
        say(FailureReason.TLS_NAME_UNKNOWN, "the server has no site of the URL's host name (SNI)");
        say(FailureReason.TLS_ALERT, "the server ended the TLS handshake with an alert");
        say(FailureReason.TLS_PORT_SPEAKS_HTTP, "the server speaks plain HTTP on this port");
        say(FailureReason.TLS_NOT_SPOKEN, "the server does not speak TLS on this port");
        say(
                FailureReason.TLS_HANDSHAKE_CLOSED,
                "the server closed the connection during the TLS handshake");
        say(
                FailureReason.TLS_HANDSHAKE_RESET,
                "the server reset the connection during the TLS handshake");
        say(
                FailureReason.TLS_HANDSHAKE_UNANSWERED,
                "the server accepted the connection but did not finish the TLS handshake in time");
        say(FailureReason.TLS_WITHOUT_HTTP2, "the server does not agree to HTTP/2 (ALPN)");
        say(FailureReason.TLS_EMPTY_RECORDS, "the server sends TLS records without data only");
        say(FailureReason.TLS_BROKEN, "the server breaks the TLS protocol");
    }

    private static void http1() {
        say(FailureReason.NOT_HTTP, "the reply is not HTTP/1.x");
        say(FailureReason.PLAIN_PORT_SPEAKS_TLS, "the server speaks TLS on this port");
        say(FailureReason.STATUS_LINE_INVALID, "the status line is invalid");
        say(FailureReason.HEAD_TOO_LONG, "the head is longer than 256 KiB");
        say(
                FailureReason.HEADS_TOO_LARGE_TOGETHER,
                "the unfinished heads of all connections take more than 64 MiB");
        say(FailureReason.HEADER_LINE_INVALID, "a header line has no name");
        say(
                FailureReason.CONTENT_LENGTH_TWICE,
                "the reply has two Content-Length headers with different values");
        say(FailureReason.CONTENT_LENGTH_INVALID, "the Content-Length is not a number of bytes");
        say(FailureReason.CHUNK_SIZE_INVALID, "a chunk size is not a hexadecimal number");
        say(FailureReason.CHUNK_EXTENSION_TOO_LONG, "a chunk extension is longer than 16 KiB");
        say(FailureReason.CHUNK_END_MISSING, "a chunk is longer than its size");
        say(FailureReason.TRAILERS_TOO_LONG, "the trailers are longer than 256 KiB");
        say(FailureReason.TRAILER_INVALID, "a trailer line is invalid");
        say(FailureReason.UPGRADE_UNASKED, "the server upgrades to another protocol unasked (101)");
        say(
                FailureReason.INTERIM_REPLIES_TOO_MANY,
                "more than 100 interim replies (1xx) came before the reply");
        say(FailureReason.BYTES_AFTER_REPLY, "bytes come after the end of the reply");
        say(FailureReason.REPLY_TOO_LARGE, "the reply is longer than --max-reply allows");
    }

    private static void http2() {
        say(FailureReason.NOT_HTTP2, "the server does not speak HTTP/2 on this port");
        say(
                FailureReason.SETTINGS_UNANSWERED,
                "the server accepted the connection but sent no HTTP/2 SETTINGS in time");
        say(FailureReason.FRAME_TOO_LONG, "a frame is longer than 16 KiB");
        say(
                FailureReason.FRAME_LENGTH_INVALID,
                "a frame has a length that its type does not allow");
        say(FailureReason.FRAME_PADDING_INVALID, "the padding of a frame is longer than the frame");
        say(
                FailureReason.FRAME_ON_UNKNOWN_STREAM,
                "a frame is on a stream that this client did not open");
        say(
                FailureReason.FRAMES_USELESS_TOO_MANY,
                "more than 100,000 frames in a row brought no part of a reply");
        say(
                FailureReason.ACKS_UNREAD_TOO_MANY,
                "the server sends PING or SETTINGS but does not read the answers");
        say(FailureReason.SETTINGS_TOO_MANY, "a SETTINGS frame has more than 32 settings");
        say(FailureReason.SETTING_INVALID, "a setting has a value that is not allowed");
        say(
                FailureReason.WINDOW_INVALID,
                "a flow-control window grows by nothing, or beyond 2^31-1");
        say(FailureReason.PUSH_FORBIDDEN, "the server pushes although this client forbids it");
        say(FailureReason.STREAM_RESET, "the server reset the stream");
        say(FailureReason.STREAM_REFUSED, "the server refused the stream");
        say(
                FailureReason.STREAM_RESETS_TOO_MANY,
                "the server reset 1,000 streams in a row without a reply");
        say(FailureReason.STREAM_NUMBERS_SPENT, "the connection has no stream numbers left");
        say(FailureReason.CONNECTION_SILENT, "nothing came on the connection any more");
        say(FailureReason.SERVER_GOES_AWAY, "the server ended the connection (GOAWAY)");
    }

    private static void http2Heads() {
        say(FailureReason.HEADER_BLOCK_INTERRUPTED, "another frame stands within a header block");
        say(
                FailureReason.CONTINUATION_UNEXPECTED,
                "a CONTINUATION frame continues no header block");
        say(
                FailureReason.CONTINUATIONS_TOO_MANY,
                "a header block has more than 64 CONTINUATION frames");
        say(FailureReason.HEADER_COMPRESSION_BROKEN, "the header compression is invalid (HPACK)");
        say(
                FailureReason.HEADER_LIST_TOO_LONG,
                "the header fields are longer than 256 KiB when decompressed");
        say(FailureReason.PSEUDO_HEADER_INVALID, "a pseudo-header is invalid or misplaced");
        say(FailureReason.STATUS_INVALID, "the :status is not three digits");
        say(FailureReason.STATUS_MISSING, "the head has no :status");
        say(FailureReason.DATA_BEFORE_HEAD, "DATA comes before the head of the reply");
        say(
                FailureReason.BODY_LENGTH_DIFFERS,
                "the body is not as long as its content-length says");
        say(FailureReason.TRAILERS_NOT_LAST, "trailers come that do not end the reply");
        say(FailureReason.INTERIM_REPLY_IS_LAST, "an interim reply (1xx) ends the stream");
        say(
                FailureReason.REPLY_BEFORE_REQUEST,
                "the server replies to a request that it cannot have read yet");
    }

    private static void grpc() {
        say(FailureReason.GRPC_STATUS, "the service ended the call with this gRPC status");
        say(
                FailureReason.GRPC_STATUS_MISSING,
                "the reply has no grpc-status, so the server does not speak gRPC on this path");
        say(
                FailureReason.GRPC_NOT_SPOKEN,
                "the server answers with an HTTP status and no grpc-status");
        say(FailureReason.GRPC_MESSAGE_INVALID, "a gRPC message is cut off or has undefined flags");
        say(
                FailureReason.GRPC_MESSAGES_NOT_ONE,
                "the reply has status OK, but not exactly one message");
        say(FailureReason.GRPC_DEADLINE_PASSED, "the call did not end before its deadline");
        say(
                FailureReason.GRPC_REQUEST_INVALID,
                "the values of the workload give no valid request message");
        ADVICE.put(
                FailureReason.GRPC_STATUS_MISSING,
                "check the port in the URL, and whether a proxy in between passes trailers on");
        ADVICE.put(
                FailureReason.GRPC_NOT_SPOKEN,
                "check the port in the URL, and whether a proxy in between speaks gRPC");
        ADVICE.put(FailureReason.GRPC_REQUEST_INVALID, "check body and take of the workload");
    }

    private static void advice() {
        String trust = "accept it with -k, or trust it with --cacert FILE (PEM)";
        ADVICE.put(FailureReason.CERTIFICATE_SELF_SIGNED, trust);
        ADVICE.put(
                FailureReason.CERTIFICATE_ISSUER_UNKNOWN,
                "give the issuer's certificate with --cacert FILE (PEM), or accept any with -k;"
                        + " the server should send its intermediate certificates");
        ADVICE.put(
                FailureReason.CERTIFICATE_FOR_OTHER_NAME,
                "put a name of the certificate into the URL, or accept any name with -k");
        ADVICE.put(FailureReason.CERTIFICATE_EXPIRED, "renew it, or accept it with -k");
        ADVICE.put(
                FailureReason.CERTIFICATE_NOT_YET_VALID,
                "check the clocks of both machines, or accept it with -k");
        ADVICE.put(FailureReason.CERTIFICATE_UNACCEPTABLE, "replace it, or accept it with -k");
        ADVICE.put(
                FailureReason.CLIENT_CERTIFICATE_WANTED,
                "load a port that does not want one; jdyno has none to give");
        ADVICE.put(FailureReason.TLS_VERSION, "enable TLS 1.2 or 1.3 on the server");
        ADVICE.put(
                FailureReason.TLS_NO_COMMON_CIPHER,
                "enable TLS 1.2 or 1.3 and current cipher suites on the server");
        ADVICE.put(
                FailureReason.TLS_NAME_UNKNOWN, "put a host name that the server has into the URL");
        ADVICE.put(FailureReason.TLS_PORT_SPEAKS_HTTP, "write http:// instead of https://");
        ADVICE.put(FailureReason.TLS_NOT_SPOKEN, "check the port in the URL");
        ADVICE.put(
                FailureReason.TLS_HANDSHAKE_CLOSED,
                "check that this port speaks TLS, and what the server's log says");
        ADVICE.put(
                FailureReason.TLS_HANDSHAKE_RESET,
                "check that this port speaks TLS, and what the server's log says");
        ADVICE.put(
                FailureReason.TLS_HANDSHAKE_UNANSWERED,
                "check that this port speaks TLS; write http:// if it does not");
        ADVICE.put(FailureReason.TLS_WITHOUT_HTTP2, "leave --http2 out");
        ADVICE.put(FailureReason.PLAIN_PORT_SPEAKS_TLS, "write https:// instead of http://");
        ADVICE.put(FailureReason.NOT_HTTP, "check the port in the URL");
        ADVICE.put(
                FailureReason.NOT_HTTP2,
                "leave --http2-prior-knowledge out, or check the port in the URL");
        ADVICE.put(FailureReason.CLOSED_BEFORE_SETTINGS, "check that this port speaks HTTP/2");
        ADVICE.put(FailureReason.SETTINGS_UNANSWERED, "check that this port speaks HTTP/2");
        ADVICE.put(
                FailureReason.CONNECTION_REFUSED,
                "start the service, or check the port in the URL");
        ADVICE.put(FailureReason.REPLY_TOO_LARGE, "allow longer replies with --max-reply");
        String simpler =
                "take the value by json or header, or write an expression without repeated groups";
        ADVICE.put(FailureReason.EXPRESSION_STEPS_TOO_MANY, simpler);
        ADVICE.put(FailureReason.EXPRESSION_TOO_DEEP, simpler);
        ADVICE.put(FailureReason.NO_FILE_DESCRIPTOR, "raise the limit of open files (ulimit -n)");
    }

    private static void say(FailureReason reason, String words) {
        TEXTS.put(reason, words);
    }

    /// The mistake in words, such as `the server's certificate has expired`.
    public static String says(FailureReason reason) {
        return TEXTS.getOrDefault(reason, reason.key());
    }

    /// The mistake with its example: `the status line is invalid, for example: HTTP/1.1 abc`.
    public static String says(FailureCount failure) {
        return says(failure.reason())
                + failure.example().map(e -> ", for example: " + e).orElse("");
    }

    /// The fix for the user; empty if that depends on the service.
    public static Optional<String> advice(FailureReason reason) {
        return Optional.ofNullable(ADVICE.get(reason));
    }

    /// One sentence for each kind of error, for its most frequent reason.
    public static Map<String, String> byKind(List<FailureCount> failures) {
        return failures.stream()
                .collect(Collectors.toMap(FailureCount::kind, FailureText::says, (max, _) -> max));
    }

    /// Advice for the case that every request failed. It is for the most frequent reason that has a
    /// known fix.
    ///
    /// @param tls whether the connection used TLS
    public static Optional<String> adviceForNone(List<FailureCount> failures, boolean tls) {
        Optional<String> known =
                failures.stream().flatMap(f -> advice(f.reason()).stream()).findFirst();
        boolean closedAtOnce =
                failures.stream().anyMatch(f -> f.reason() == FailureReason.CLOSED_BEFORE_REPLY);
        return known.isEmpty() && closedAtOnce && !tls
                ? Optional.of(
                        "check that this port speaks plain HTTP; write https:// if it does not")
                : known;
    }
}
