package dev.jdyno.measure.thread;

/// A part of a logging configuration that makes each line expensive (experiment E10).
///
/// @param file location of the configuration: a path, or a jar and its entry
/// @param part the expensive part
/// @param says what the part costs and why
/// @param change the replacement
public record LoggingCost(String file, LogPart part, String says, String change) {
    public boolean unread() {
        return part == LogPart.UNREAD;
    }
}
