package dev.jdyno.load;

import java.io.IOException;

/// A socket that failed, by the kind that counts. Carries no stack trace: a dying server makes
/// thousands of these a second.
final class SocketFailure extends IOException {
    private static final long serialVersionUID = 1L;

    private final ErrorKind kind;

    SocketFailure(ErrorKind kind, String message) {
        super(message);
        this.kind = kind;
    }

    ErrorKind kind() {
        return kind;
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
