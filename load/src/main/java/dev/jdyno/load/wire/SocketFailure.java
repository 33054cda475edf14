package dev.jdyno.load.wire;

import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.FailureReason;
import java.io.IOException;

/// A failed request or connection: its kind, which is counted, its reason, and an example. It has
/// no stack trace, because a dying server causes thousands of failures per second.
public final class SocketFailure extends IOException {
    private static final long serialVersionUID = 1L;

    private final ErrorKind kind;
    private final FailureReason reason;
    private final String example;

    public SocketFailure(ErrorKind kind, FailureReason reason) {
        this(kind, reason, "");
    }

    /// @param example what was seen, in raw form; empty if the reason is sufficient
    public SocketFailure(ErrorKind kind, FailureReason reason, String example) {
        super(reason.key());
        this.kind = kind;
        this.reason = reason;
        this.example = Excerpt.of(example);
    }

    /// @param b array in which `b[from…to)` shows the mistake
    public SocketFailure(ErrorKind kind, FailureReason reason, byte[] b, int from, int to) {
        super(reason.key());
        this.kind = kind;
        this.reason = reason;
        this.example = Excerpt.of(b, from, to);
    }

    /// A violation of the protocol.
    public static SocketFailure malformed(FailureReason reason) {
        return new SocketFailure(ErrorKind.MALFORMED, reason);
    }

    /// Creates a failure for a malformed reply, with an example.
    public static SocketFailure malformed(FailureReason reason, String example) {
        return new SocketFailure(ErrorKind.MALFORMED, reason, example);
    }

    public ErrorKind kind() {
        return kind;
    }

    public FailureReason reason() {
        return reason;
    }

    /// Observed text, short and in printable ASCII; empty if the reason is sufficient.
    public String example() {
        return example;
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
