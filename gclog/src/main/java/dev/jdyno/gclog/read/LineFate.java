package dev.jdyno.gclog.read;

/// How one line was handled.
public enum LineFate {
    /// Its figures became part of events or of the setup.
    READ,
    /// A line of the JVM's log without figures that are used.
    SKIPPED,
    /// Not a line of a GC log: output of the application.
    FOREIGN,
    /// Looks like a line of a GC log but could not be read: it is torn, truncated or unknown.
    BROKEN
}
