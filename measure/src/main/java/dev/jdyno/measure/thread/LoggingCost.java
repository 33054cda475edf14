package dev.jdyno.measure.thread;

/// A part of a logging configuration that makes each line dear (E10).
///
/// @param file where it stands: a path, or a jar and its entry
/// @param part `caller-data`, `flush`, `synchronous`, `small-queue`, or `unread` where there is a
///   configuration and nothing is known of it
/// @param says what it costs and why
/// @param change what to write instead
public record LoggingCost(String file, String part, String says, String change) {
    /// Part of a configuration that is there and cannot be read.
    public static final String UNREAD = "unread";

    public boolean unread() {
        return part.equals(UNREAD);
    }
}
