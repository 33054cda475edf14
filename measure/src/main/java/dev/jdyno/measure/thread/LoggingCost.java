package dev.jdyno.measure.thread;

/// A part of a logging configuration that makes each line dear (E10).
///
/// @param file where it stands: a path, or a jar and its entry
/// @param says what it costs and why
/// @param change what to write instead
public record LoggingCost(String file, LogPart part, String says, String change) {
    public boolean unread() {
        return part == LogPart.UNREAD;
    }
}
