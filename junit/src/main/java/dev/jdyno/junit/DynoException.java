package dev.jdyno.junit;

/// Nothing was measured: the command is missing, its settings are wrong, or the service gave no
/// good answer. The message says what happened, why, and how to fix it.
public final class DynoException extends RuntimeException {
    private static final long serialVersionUID = 1;

    DynoException(String message) {
        super(message);
    }

    DynoException(String message, Throwable cause) {
        super(message, cause);
    }
}
