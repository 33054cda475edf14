package dev.jdyno.gclog.read;

/// What became of one line.
public enum LineFate {
    /// Its figures went into events or setup.
    READ,
    /// A line of the JVM's log that holds nothing used here.
    SKIPPED,
    /// No line of a GC log: output of the application.
    FOREIGN,
    /// Looks like a line of a GC log and could not be read: torn, truncated or unknown.
    BROKEN
}
