package dev.jdyno.gclog.read;

/// The way in which a line was handled.
public enum LineFate {
    /// The figures of the line became part of events or of the setup.
    READ,
    /// The line belongs to the JVM's log but has no figures that are used.
    SKIPPED,
    /// Not a line of a GC log: output of the application.
    FOREIGN,
    /// Looks like a line of a GC log but could not be read: it is torn, truncated or unknown.
    BROKEN
}
