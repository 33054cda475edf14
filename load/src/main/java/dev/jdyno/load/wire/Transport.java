package dev.jdyno.load.wire;

/// How the engine talks to the kernel.
public enum Transport {
    /// Epoll where there is one, java.nio elsewhere.
    AUTO,
    EPOLL,
    NIO
}
