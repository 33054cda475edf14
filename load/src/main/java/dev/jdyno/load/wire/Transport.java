package dev.jdyno.load.wire;

/// The kernel interface that the engine uses.
public enum Transport {
    /// Epoll if the system has it, otherwise java.nio.
    AUTO,
    EPOLL,
    NIO
}
