package dev.jdyno.load.wire;

import java.io.IOException;

/// A socket that failed, by the kind that counts. Carries no stack trace: a dying server makes
/// thousands of these a second.
public final class SocketFailure extends IOException {
    private static final long serialVersionUID = 1L;

    private final ErrorKind kind;

    public SocketFailure(ErrorKind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public ErrorKind kind() {
        return kind;
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
