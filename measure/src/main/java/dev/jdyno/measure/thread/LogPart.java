package dev.jdyno.measure.thread;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// Parts of a logging configuration that make each line expensive (experiment E10).
public enum LogPart {
    /// Class, method or line of the caller: each line requires a stack walk.
    CALLER_DATA,
    /// Each line is flushed to the kernel separately.
    FLUSH,
    /// Request threads write their own lines.
    SYNCHRONOUS,
    /// The queue of an asynchronous appender is small and fills quickly.
    SMALL_QUEUE,
    /// The configuration exists, but could not be interpreted.
    UNREAD;

    /// The key in results: the name in lower case with hyphens.
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// The part with this key.
    public static Optional<LogPart> of(String key) {
        return Stream.of(values()).filter(p -> p.key().equals(key)).findFirst();
    }
}
