package dev.jdyno.junit;

/// Nothing was measured: the command is missing, was given wrong settings, or the service gave no
/// good answer. The message says what, why, and how to fix it.
public final class DynoException extends RuntimeException {
    private static final long serialVersionUID = 1;

    DynoException(String message) {
        super(message);
    }

    DynoException(String message, Throwable cause) {
        super(message, cause);
    }
}
