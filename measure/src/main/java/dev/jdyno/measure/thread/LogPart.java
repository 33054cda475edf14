package dev.jdyno.measure.thread;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// Parts of a logging configuration that make each line dear (E10).
public enum LogPart {
    /// Class, method or line of the caller: each line walks the stack.
    CALLER_DATA,
    /// Each line is flushed to the kernel by itself.
    FLUSH,
    /// Requests write their own lines.
    SYNCHRONOUS,
    /// A queue that is soon full.
    SMALL_QUEUE,
    /// The configuration is there and nothing is known of it.
    UNREAD;

    /// As in results: the name in lower case with hyphens.
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// The part with this key.
    public static Optional<LogPart> of(String key) {
        return Stream.of(values()).filter(p -> p.key().equals(key)).findFirst();
    }
}
