package dev.jdyno.lab.service;

/// A service that listens.
public interface Running extends AutoCloseable {
    int port();

    /// Waits until the service is stopped.
    void await() throws InterruptedException;

    @Override
    void close();
}
