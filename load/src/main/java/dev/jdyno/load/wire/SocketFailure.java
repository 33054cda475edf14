package dev.jdyno.load.wire;

import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.FailureReason;
import java.io.IOException;

/// A request or connection that failed: by the kind that counts, the reason, and what was seen.
/// Carries no stack trace: a dying server makes thousands of these a second.
public final class SocketFailure extends IOException {
    private static final long serialVersionUID = 1L;

    private final ErrorKind kind;
    private final FailureReason reason;
    private final String example;

    public SocketFailure(ErrorKind kind, FailureReason reason) {
        this(kind, reason, "");
    }

    /// @param example what was seen, not yet fit to be shown; empty when the reason says it all
    public SocketFailure(ErrorKind kind, FailureReason reason, String example) {
        super(reason.key());
        this.kind = kind;
        this.reason = reason;
        this.example = Excerpt.of(example);
    }

    /// @param b of which `b[from…to)` shows what is wrong
    public SocketFailure(ErrorKind kind, FailureReason reason, byte[] b, int from, int to) {
        super(reason.key());
        this.kind = kind;
        this.reason = reason;
        this.example = Excerpt.of(b, from, to);
    }

    /// The protocol is broken.
    public static SocketFailure malformed(FailureReason reason) {
        return new SocketFailure(ErrorKind.MALFORMED, reason);
    }

    /// The same with what was seen.
    public static SocketFailure malformed(FailureReason reason, String example) {
        return new SocketFailure(ErrorKind.MALFORMED, reason, example);
    }

    public ErrorKind kind() {
        return kind;
    }

    public FailureReason reason() {
        return reason;
    }

    /// What was seen, short and in printable ASCII; empty when the reason says it all.
    public String example() {
        return example;
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
